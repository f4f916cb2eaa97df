import { type Message, message } from '../../../errors/message.js';
import type { Field } from '../../../model/field.js';
import { isObject, type Json, type JsonObject, member } from '../../../model/json.js';
import type { Endpoint, WireRequest } from '../../../model/operation.js';
import { plainText } from '../../../util/plain-text.js';

/*
 * The one place that compares a reply with the request it should belong to. A gateway with a cache, or a search by
 * prefix, replies with the record of another customer, and nothing else shows it.
 *
 * Not a difference: blanks at the ends, the Unicode form of a letter, and a number in place of a text (`7` for "7").
 * A difference: letter case, blanks inside, leading zeros. They may name another customer.
 */

/** A request's value that a reply has to repeat, if it repeats the field at all. */
interface SentKey {
  readonly field: Field;
  readonly value: string;
  /** The reply's table has the field, so that a record without it cannot be matched. */
  readonly expected: boolean;
}

/** How a record of a reply compares with the request. */
export interface KeyComparison {
  /** Why it is not the record of what was sent. */
  readonly other?: Message;
  /** What deserves a look, although the record counts. */
  readonly warning?: Message;
}

const SAME: KeyComparison = {};

/** The values of a request that a reply must repeat; for a request with several items also those of one item. */
export function sentKeys(endpoint: Endpoint, sent: WireRequest, item?: JsonObject): readonly SentKey[] {
  const { request, reply } = endpoint;
  const inItem = item
    ? request.flatMap((it) => (it.fields && it.type === 'object array' ? it.fields : []))
    : [];
  const known = 'fields' in reply ? reply.fields : [];
  const keys: SentKey[] = [];
  const take = (fields: readonly Field[], sentIn: (field: Field) => Json | undefined): void => {
    for (const field of fields) {
      const value = field.echo && keyText(sentIn(field));
      if (value === undefined || value === '') continue;
      keys.push({ field, value, expected: known.some((it) => it.name === field.name) });
    }
  };
  take(request, (field) => sentValue(endpoint, sent, field));
  if (item) take(inItem, (field) => member(item, field.name));
  return keys;
}

/** Compares one record of a reply, or a whole reply that is an object, with what was sent. */
export function compareKeys(keys: readonly SentKey[], record: Json): KeyComparison {
  if (!isObject(record)) return SAME;
  let warning: Message | undefined;
  for (const { field, value, expected } of keys) {
    const came = member(record, field.name);
    const text = keyText(came);
    if (text === value) continue;
    const absent = came === undefined || came === null || text === '';
    const params = { field: field.name, sent: shown(value), came: shown(text ?? '…') };
    if (field.echo === 'warn') {
      if (!absent) warning ??= message('operation.other_value', params);
    } else if (!absent) return { other: message('operation.other_key', params) };
    else if (expected) return { other: message('operation.no_key', params) };
  }
  return warning ? { warning } : SAME;
}

/** A key as it is compared; undefined for what is no key at all (an object, a truth value). */
export function keyText(value: Json | undefined): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return typeof value === 'string' ? value.normalize('NFC').trim() : undefined;
}

function sentValue({ path }: Endpoint, sent: WireRequest, { name, in: place }: Field): Json | undefined {
  if (place === 'query') return sent.query[name];
  if (place !== 'path') return sent.body && member(sent.body, name);
  const at = path.split('/').indexOf(`{${name}}`);
  const segment = at < 0 ? undefined : sent.path.split('/')[at];
  return segment === undefined ? undefined : decodeURIComponent(segment);
}

function shown(text: string): string {
  return plainText(text, 100);
}
