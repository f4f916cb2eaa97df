import { type Field, valuesByName } from '../model/field.js';
import type { Scalar } from '../model/map.js';
import { OPERATION_NAMES, type OperationName } from '../model/operation.js';
import { FIELD_WORDS, OPERATION_WORDS } from '../platform/operations/operation-words.js';
import { fold, readBoolean } from '../util/text.js';

/** The operations of a task. For revocations the columns decide between assets and products. */
export function operationsOf(task: string): readonly OperationName[] {
  return OPERATION_NAMES.filter((it) => OPERATION_WORDS[it].task === task);
}

/** The clues of each task, in the order of their ranks. */
const CLUES: readonly (readonly [task: string, pattern: RegExp])[] = [
  ...new Map(
    Object.values(OPERATION_WORDS)
      .sort((a, b) => a.clues.rank - b.clues.rank)
      .map(({ task, clues }) => [task, clues.pattern]),
  ),
];

/** Only the beginning of a long title is searched. */
const LONGEST = 300;

/** Replaces a found word, so that `lock and unlock` yields both tasks. */
const DONE = '¤';

/** Splits names such as `locksToDisable_2026.csv` into words. */
function asWords(text: string): string {
  return text
    .slice(0, LONGEST)
    .normalize('NFKC')
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .replace(/[\s_\-.,;:!?()[\]/\\]+|(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/gu, ' ')
    .toLowerCase();
}

/** The tasks that a text names, each with its word. */
export function tasksIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let rest = asWords(text);
  for (const [task, pattern] of CLUES) {
    rest = rest.replace(pattern, (word) => {
      if (!found.has(task)) found.set(task, word.trim());
      return DONE;
    });
  }
  return found;
}

/** The operation that a text names by its own name, `asset.lock`; undefined if it names several. */
export function operationIn(text: string): OperationName | undefined {
  const named = OPERATION_NAMES.filter((it) =>
    new RegExp(`(?<![a-z])${it.replace(/[._]/g, '[._ -]')}(?![a-z])`, 'i').test(text),
  );
  return named.length === 1 ? named[0] : undefined;
}

/** The operation of a text about revoking assets or products; undefined if it names neither or both. */
export function revokedIn(text: string): OperationName | undefined {
  const words = asWords(text);
  const asset =
    /\b(?:assets?|locks?|dongles?|keys?)\b|退锁|退狗|退资产|(?:撤销|注销|退回|回收|删除|取消|作废).{0,2}(?:资产|锁|加密锁|加密狗)|(?:资产|锁|加密锁|加密狗).{0,1}(?:撤销|注销|退回|回收|删除|作废)/u;
  const product =
    /\b(?:products?|modules?|software|applications?)\b|退产品|退模块|退软件|(?:撤销|注销|退订|删除|取消|退).{0,2}(?:产品|模块|软件)|(?:产品|模块|软件).{0,1}(?:撤销|注销|退订|退货|删除|取消|退)/u;
  const [ofAsset, ofProduct] = [asset.test(words), product.test(words)];
  if (ofAsset === ofProduct) return undefined;
  return ofAsset ? 'order.delete_asset' : 'order.delete_product';
}

/** The value of a cell's text, or the possible values. */
type WordMeaning =
  | { readonly kind: 'value'; readonly value: Scalar }
  | { readonly kind: 'open'; readonly candidates: readonly Scalar[] };

const YES: ReadonlySet<string> = new Set(['true', 'y', 'yes', '1', '是', '有', '√', '✓', '对']);
const NO: ReadonlySet<string> = new Set(['false', 'n', 'no', '0', '否', '无', '×', '✗', '错', '不是']);

/** Usual words for the values of a field, folded, by field name. */
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
  const named = valuesByName(field.values ?? []).get(word);
  if (named !== undefined) return { kind: 'value', value: named };
  if (field.name === 'licenseType') return licenseType(word);
  if (field.name === 'orderType') return orderType(field, word);
  const known = WORDS[field.name]?.get(word);
  if (known !== undefined) return { kind: 'value', value: field.type === 'Integer' ? Number(known) : known };
  if (field.type !== 'Boolean') return undefined;
  if (YES.has(word)) return { kind: 'value', value: true };
  return NO.has(word) ? { kind: 'value', value: false } : undefined;
}

/** True if a word needs no entry in `values`. Names of values have an entry, so that the job shows how they are read. */
export function readsItself(field: Field, text: string): boolean {
  if (field.values) return field.values.some((it) => String(it.value) === text.trim());
  if (field.type === 'Boolean') return readBoolean(text) !== undefined;
  return !Object.hasOwn(WORDS, field.name);
}

/** The order type of the operation, in words; words for other order types have no value here. */
function orderType(field: Field, word: string): WordMeaning | undefined {
  const expected = field.values?.[0]?.value;
  const tasks = tasksIn(word);
  const revoked = tasks.has('revoke') ? revokedIn(word)?.replace('order.', '') : undefined;
  const isExpected =
    expected === 'new_buy' ? tasks.has('buy') : tasks.has('revoke') && (revoked ?? expected) === expected;
  return expected !== undefined && isExpected ? { kind: 'value', value: expected } : undefined;
}

const UNRECOVERABLE =
  /不可(?:回收|恢复)|非回收|unrecover|non-?recover|not recover|cannot be recover|irrecover/u;
const RECOVERABLE = /可(?:回收|恢复)|recover/u;
const NETWORK = /网络|局域网|network|\blan\b|\bnet\b/u;
const ALONE = /单机|standalone|stand-alone|single/u;

/** A licence type in words. Several of the fourteen types of §2.3 may match. */
function licenseType(word: string): WordMeaning | undefined {
  const single = (value: string): WordMeaning => ({ kind: 'value', value });
  const open = (...candidates: string[]): WordMeaning => ({ kind: 'open', candidates });
  const network = NETWORK.test(word);
  const standalone = ALONE.test(word);
  if (/云|cloud/u.test(word)) {
    if (/企业|公司|enterprise|company|corporate/u.test(word)) return single('cloud_customer');
    if (/个人|personal|individual/u.test(word)) return single('cloud_personal');
    if (/账号|帐号|账户|account/u.test(word)) return single('cloud_account');
    return open('cloud_account', 'cloud_customer', 'cloud_personal');
  }
  if (/产品锁|product (?:lock|key|dongle)/u.test(word)) return single('lk_product_usbkey');
  if (/登录锁|登陆锁|log-?in (?:lock|key|dongle)/u.test(word)) return single('lk_auth_usbkey');
  if (/产品实体|product entity/u.test(word)) return single('product_entity');
  if (/身份|identity/u.test(word)) {
    if (network !== standalone) return single(network ? 'identity_lan_usbkey' : 'identity_usbkey');
    return open('identity_usbkey', 'identity_lan_usbkey');
  }
  if (/证书|软锁|软授权|软加密|certificate|soft/u.test(word)) {
    if (network !== standalone) return single(network ? 'lan_softkey' : 'softkey');
    return open('softkey', 'lan_softkey');
  }
  if (!/锁|狗|lock|dongle|usb/u.test(word)) return undefined;
  return lockType(network === standalone ? undefined : network, recovery(word), single, open);
}

function recovery(word: string): boolean | undefined {
  if (UNRECOVERABLE.test(word)) return false;
  return RECOVERABLE.test(word) ? true : undefined;
}

function lockType(
  network: boolean | undefined,
  recoverable: boolean | undefined,
  single: (value: string) => WordMeaning,
  open: (...values: string[]) => WordMeaning,
): WordMeaning {
  const recoveries =
    recoverable === undefined ? ['recover', 'unrecover'] : [recoverable ? 'recover' : 'unrecover'];
  const places = network === undefined ? ['', '_lan'] : [network ? '_lan' : ''];
  const all = places.flatMap((place) => recoveries.map((it) => `normal_${it}${place}_usbkey`));
  return all.length === 1 ? single(all[0]!) : open(...all);
}
