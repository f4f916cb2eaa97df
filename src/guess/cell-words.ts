import type { Field } from '../model/field.js';
import type { Scalar } from '../model/map.js';
import { FIELD_WORDS } from '../platform/operations/words.js';
import { readBoolean } from '../util/boolean-words.js';
import { fold } from '../util/fold.js';
import { revokedIn, tasksIn } from './purpose.js';

/** The value that a cell's text means, or the values that it may mean. */
type WordMeaning =
  | { readonly kind: 'value'; readonly value: Scalar }
  | { readonly kind: 'open'; readonly candidates: readonly Scalar[] };

const YES: ReadonlySet<string> = new Set(['true', 'y', 'yes', '1', '是', '有', '√', '✓', '对']);
const NO: ReadonlySet<string> = new Set(['false', 'n', 'no', '0', '否', '无', '×', '✗', '错', '不是']);

/** What people write for the values of a field, folded, by field name. */
const WORDS: Readonly<Record<string, ReadonlyMap<string, string>>> = Object.fromEntries(
  Object.entries(FIELD_WORDS).flatMap(([field, { cells }]) => (cells ? [[field, valuesByWord(cells)]] : [])),
);

function valuesByWord(cells: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(cells).flatMap(([value, text]) =>
      text.split(' ').map((word): [string, string] => [word, value]),
    ),
  );
}

/** Fields with a closed list of values, or with known words for them. */
export function isChoice(field: Field): boolean {
  return field.type === 'Boolean' || field.values !== undefined || Object.hasOwn(WORDS, field.name);
}

/** The meaning of a text for a field; undefined if it isn't known. */
export function readWord(field: Field, text: string): WordMeaning | undefined {
  const exact = field.values?.find((it) => String(it.value) === text);
  if (exact) return { kind: 'value', value: exact.value };
  const word = fold(text);
  const listed = field.values?.find((it) => fold(String(it.value)) === word);
  if (listed) return { kind: 'value', value: listed.value };
  if (field.name === 'licenseType') return licenseType(word);
  if (field.name === 'orderType') return orderType(field, word);
  const known = WORDS[field.name]?.get(word);
  if (known !== undefined) return { kind: 'value', value: field.type === 'Integer' ? Number(known) : known };
  if (field.type !== 'Boolean') return undefined;
  if (YES.has(word)) return { kind: 'value', value: true };
  return NO.has(word) ? { kind: 'value', value: false } : undefined;
}

/** Whether the mapping reads a word without help, so that `values` needn't list it. */
export function readsItself(field: Field, text: string): boolean {
  if (field.values) return field.values.some((it) => String(it.value) === text.trim());
  if (field.type === 'Boolean') return readBoolean(text) !== undefined;
  return !Object.hasOwn(WORDS, field.name);
}

/** The order type of the operation, in words; words for other order types have no value here. */
function orderType(field: Field, word: string): WordMeaning | undefined {
  const own = field.values?.[0]?.value;
  const tasks = tasksIn(word);
  const revoked = tasks.has('revoke') ? revokedIn(word)?.replace('order.', '') : undefined;
  const isOwn = own === 'new_buy' ? tasks.has('buy') : tasks.has('revoke') && (revoked ?? own) === own;
  return own !== undefined && isOwn ? { kind: 'value', value: own } : undefined;
}

const UNRECOVERABLE =
  /不可(?:回收|恢复)|非回收|unrecover|non-?recover|not recover|cannot be recover|irrecover/u;
const RECOVERABLE = /可(?:回收|恢复)|recover/u;
const NETWORK = /网络|局域网|network|\blan\b|\bnet\b/u;
const ALONE = /单机|standalone|stand-alone|single/u;

/** A licence type in words. Words may leave several of the fourteen types of §2.3 open. */
function licenseType(word: string): WordMeaning | undefined {
  const one = (value: string): WordMeaning => ({ kind: 'value', value });
  const open = (...candidates: string[]): WordMeaning => ({ kind: 'open', candidates });
  const network = NETWORK.test(word);
  const alone = ALONE.test(word);
  if (/云|cloud/u.test(word)) {
    if (/企业|公司|enterprise|company|corporate/u.test(word)) return one('cloud_customer');
    if (/个人|personal|individual/u.test(word)) return one('cloud_personal');
    if (/账号|帐号|账户|account/u.test(word)) return one('cloud_account');
    return open('cloud_account', 'cloud_customer', 'cloud_personal');
  }
  if (/产品锁|product (?:lock|key|dongle)/u.test(word)) return one('lk_product_usbkey');
  if (/登录锁|登陆锁|log-?in (?:lock|key|dongle)/u.test(word)) return one('lk_auth_usbkey');
  if (/产品实体|product entity/u.test(word)) return one('product_entity');
  if (/身份|identity/u.test(word)) {
    if (network !== alone) return one(network ? 'identity_lan_usbkey' : 'identity_usbkey');
    return open('identity_usbkey', 'identity_lan_usbkey');
  }
  if (/证书|软锁|软授权|软加密|certificate|soft/u.test(word)) {
    if (network !== alone) return one(network ? 'lan_softkey' : 'softkey');
    return open('softkey', 'lan_softkey');
  }
  if (!/锁|狗|lock|dongle|usb/u.test(word)) return undefined;
  return lock(network === alone ? undefined : network, recovery(word), one, open);
}

function recovery(word: string): boolean | undefined {
  if (UNRECOVERABLE.test(word)) return false;
  return RECOVERABLE.test(word) ? true : undefined;
}

function lock(
  network: boolean | undefined,
  recoverable: boolean | undefined,
  one: (value: string) => WordMeaning,
  open: (...values: string[]) => WordMeaning,
): WordMeaning {
  const recoveries =
    recoverable === undefined ? ['recover', 'unrecover'] : [recoverable ? 'recover' : 'unrecover'];
  const places = network === undefined ? ['', '_lan'] : [network ? '_lan' : ''];
  const all = places.flatMap((place) => recoveries.map((it) => `normal_${it}${place}_usbkey`));
  return all.length === 1 ? one(all[0]!) : open(...all);
}
