import { type Message, message } from '../../../errors/message.js';
import type { Field } from '../../../model/field.js';
import { isObject, type Json, type JsonObject, member } from '../../../model/json.js';
import type { Endpoint, WireRequest } from '../../../model/operation.js';
import { plainText } from '../../../util/text.js';

/*
 * Compares a reply with its request. A gateway with a cache, or a search by prefix, may reply with the record of
 * another customer, and only this comparison detects it.
 *
 * Equal: leading and trailing blanks, the Unicode form of a letter, and a number in place of a text (`7` for "7").
 * Different: letter case, inner blanks, leading zeros. They may name another customer.
 */

/** A value of the request that the reply must repeat, if it has the field. */
interface SentKey {
  readonly field: Field;
  readonly value: string;
  /** The reply's table has the field, so a record without it does not match. */
  readonly expected: boolean;
}

/** Result of comparing a record of a reply with the request. */
export interface KeyComparison {
  /** Why the record does not belong to the request. */
  readonly other?: Message;
  /** A difference to report, although the record matches. */
  readonly warning?: Message;
}

const SAME: KeyComparison = {};

/** The values of a request that a reply must repeat; for a request with several items also those of one item. */
export function sentKeys(endpoint: Endpoint, sent: WireRequest, item?: JsonObject): readonly SentKey[] {
  const { request, reply } = endpoint;
  const inItem = item
    ? request.flatMap((it) => (it.fields && it.type === 'object array' ? it.fields : []))
    : [];
  const replyFields = 'fields' in reply ? reply.fields : [];
  const keys: SentKey[] = [];
  const collect = (fields: readonly Field[], sentIn: (field: Field) => Json | undefined): void => {
    for (const field of fields) {
      const value = field.echo && keyText(sentIn(field));
      if (value === undefined || value === '') continue;
      keys.push({ field, value, expected: replyFields.some((it) => it.name === field.name) });
    }
  };
  collect(request, (field) => sentValue(endpoint, sent, field));
  if (item) collect(inItem, (field) => member(item, field.name));
  return keys;
}

/** Compares one record of a reply, or a whole reply that is an object, with the request. */
export function compareKeys(keys: readonly SentKey[], record: Json): KeyComparison {
  if (!isObject(record)) return SAME;
  let warning: Message | undefined;
  for (const { field, value, expected } of keys) {
    const received = member(record, field.name);
    const text = keyText(received);
    if (text === value) continue;
    const absent = received === undefined || received === null || text === '';
    const params = { field: field.name, sent: shown(value), came: shown(text ?? '…') };
    if (field.echo === 'warn') {
      if (!absent) warning ??= message('operation.other_value', params);
    } else if (!absent) return { other: message('operation.other_key', params) };
    else if (expected) return { other: message('operation.no_key', params) };
  }
  return warning ? { warning } : SAME;
}

/** A key in the form that is compared; undefined for a value that cannot be a key (an object, a boolean). */
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
