import { STATUS_CODES } from 'node:http';
import { isSafeNumber, parse } from 'lossless-json';
import { type Message, message } from '../../errors/message.js';
import type { Field, FieldType } from '../../model/field.js';
import { type Json, member } from '../../model/json.js';
import type { Endpoint, ReplyShape } from '../../model/operation.js';
import { exactStringify } from '../../util/exact-json.js';
import { plainText } from '../../util/text.js';
import { fieldTable } from '../wire/field-table.js';

/** Deeper than any reply of the interface; prevents a stack overflow in functions that walk a reply recursively. */
const MAX_DEPTH = 200;
/** Longer integers stay text, as a conversion into a bigint costs time and has no use. */
const MAX_INTEGER_DIGITS = 1_000;

export type ParsedJson =
  /** `conflict`: a member that an object has twice, with different values; `value` has the last of them. */
  | { readonly ok: true; readonly value: Json; readonly conflict?: string }
  | { readonly ok: false; readonly detail: string };

/**
 * Parses JSON without rounding: integers that a double cannot represent become a bigint, other such numbers stay text.
 * `__proto__` becomes an ordinary own property. If `fields` (the members of the top object) has a String, a number
 * becomes its digits as they are in the reply: `1.0` is not `1`. Never throws.
 */
export function parseJson(text: string, fields: readonly Field[] = []): ParsedJson {
  const members = membersOf(text);
  if (members === undefined) return { ok: false, detail: `nested more than ${MAX_DEPTH} levels deep` };
  try {
    let conflict: string | undefined;
    const exact = (): unknown =>
      parse(text, null, {
        parseNumber: toNumber,
        onDuplicateKey: ({ key, newValue }) => {
          conflict ??= key;
          return newValue;
        },
      });
    let value = needsExactParse(text) ? exact() : JSON.parse(text);
    // The fast parser keeps only the last of several members with one name.
    if (countMembers(value as Parsed) < members) value = exact();
    const result = { ok: true, value: plain(value as Parsed, 'object', fields) } as const;
    return conflict === undefined ? result : { ...result, conflict };
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * A double keeps up to 15 digits and writes them unchanged. Longer numbers, decimals, exponents and `-0` need the slow
 * path. Matches inside strings only cost time.
 */
function needsExactParse(text: string): boolean {
  return /(?:^|[[:,\s])(?:-?(?:\d{16}|\d+[.eE])|-0)/u.test(text);
}

/** A number that a double would write with different digits. */
class Digits {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Parsed = Json | Digits;

function toNumber(text: string): number | bigint | string | Digits {
  const number = Number(text);
  if (String(number) === text) return number;
  if (!/^-?[1-9]\d*$/u.test(text)) return new Digits(text);
  return text.length > MAX_INTEGER_DIGITS ? text : BigInt(text);
}

/** Converts the parsed value into the form that its field requires, in place. */
function plain(value: Parsed, type: FieldType, fields: readonly Field[] | undefined): Json {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  const isText = type === 'String' || type === 'String array';
  if (value instanceof Digits) return isText ? value.text : exactNumber(value.text);
  if (typeof value === 'number' || typeof value === 'bigint') return isText ? String(value) : value;
  if (Array.isArray(value)) {
    // A list in place of a text is an error in any case, so its members are not converted.
    const inner = type === 'String' ? 'object' : type;
    value.forEach((it: Parsed, index) => {
      (value as Json[])[index] = plain(it, inner, fields);
    });
    return value;
  }
  const members = value as Record<string, Parsed>;
  for (const name of Object.keys(members)) {
    const member = members[name]!;
    if (typeof member === 'string') continue;
    const field = fields?.find((it) => it.name === name);
    const converted = plain(member, field?.type ?? 'object', field?.fields);
    if (converted !== member) Object.defineProperty(members, name, { ...ORDINARY, value: converted });
  }
  return value as Json;
}

/** An assignment would set the prototype for the name `__proto__`. */
const ORDINARY = { writable: true, enumerable: true, configurable: true } as const;

function exactNumber(text: string): number | string {
  const number = Number(text);
  return Number.isFinite(number) && isSafeNumber(text) ? number : text;
}

function countMembers(value: Parsed): number {
  if (typeof value !== 'object' || value === null || value instanceof Digits) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const it of value) count += countMembers(it as Parsed);
    return count;
  }
  for (const name of Object.keys(value)) count += 1 + countMembers((value as Record<string, Parsed>)[name]!);
  return count;
}

/** Number of object members in a text, by its colons outside of strings; undefined: nested too deep. */
function membersOf(text: string): number | undefined {
  let depth = 0;
  let members = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inText) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) inText = false;
    } else if (code === 0x22) inText = true;
    else if (code === 0x3a) members += 1;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > MAX_DEPTH) return undefined;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return members;
}

const { may } = fieldTable('§4.1.6');

/** Members in which either service, or a gateway in front of both, may reply. */
const WORDS: readonly Field[] = [
  may('code', 'String', 'Business code'),
  may('message', 'String', 'Message'),
  may('cause', 'String', 'Cause'),
];

const TABLES = new WeakMap<Endpoint, readonly Field[]>();

/** Parses a reply of the endpoint: a number in place of a String of the interface becomes its digits. */
export function parseReply(text: string, endpoint: Endpoint): ParsedJson {
  let fields = TABLES.get(endpoint);
  if (!fields) {
    fields = fieldsOf(endpoint);
    TABLES.set(endpoint, fields);
  }
  return parseJson(text, fields);
}

/** The members of a whole reply's body (§4.1.6, §2.7). */
function fieldsOf({ service, reply }: Endpoint): readonly Field[] {
  if (service === 'activity') return [...('fields' in reply ? reply.fields : []), ...WORDS];
  return [...WORDS, dataField(reply)];
}

function dataField(reply: ReplyShape): Field {
  switch (reply.kind) {
    case 'none':
      return may('data', 'object', 'Data');
    case 'string array':
      return may('data', 'String array', 'Data');
    case 'object':
    case 'object array':
      return { ...may('data', reply.kind, 'Data'), fields: reply.fields };
  }
}

/** Longest text of the platform that is stored; a cell needs no more. */
const TEXT_LIMIT = 2_000;
const CODE_LIMIT = 100;
/** For a reply that is not JSON (mostly a proxy's page) a short beginning is sufficient. */
const PAGE_LIMIT = 300;

/** The texts of a reply; empty if it has none. */
export interface PlatformText {
  /** `code` of an order service body or `resultCode` of an activity's; a number as its digits. */
  readonly code: string | undefined;
  readonly text: string;
  readonly cause: string;
}

/** Reads the error body of either service (§4.1.6, §2.7), or the beginning of any other body. */
export function refusalText(parsed: ParsedJson, text: string): PlatformText {
  if (!parsed.ok || typeof parsed.value !== 'object' || parsed.value === null) {
    return { code: undefined, text: plainText(text.replace(/<[^<>]*>/gu, ' '), PAGE_LIMIT), cause: '' };
  }
  const body = parsed.value;
  return {
    code: codeOf(body),
    text: words(member(body, 'message') ?? member(body, 'resultMessage')),
    cause: words(member(body, 'cause')),
  };
}

/**
 * The business code as text: `0`, `13004`; undefined if there is none or it is neither text nor a number. Danger: `0.0`
 * is a success, too; treated as a refusal, an executed request would be sent again by a user.
 */
export function codeOf(body: Json): string | undefined {
  const code = member(body, 'code') ?? member(body, 'resultCode');
  if (typeof code !== 'string') return undefined;
  const text = plainText(code, CODE_LIMIT);
  if (text === '') return undefined;
  const number = PLAIN_NUMBER.test(text) ? Number(text) : Number.NaN;
  return number === 0 || number === 500 ? String(Math.abs(number)) : text;
}

/** A number as JSON writes it: `0000` is not one. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;

function words(value: Json | undefined): string {
  if (value === undefined) return '';
  return plainText(typeof value === 'string' ? value : exactStringify(value), TEXT_LIMIT);
}

/** The platform's refusal in its own words. */
export function refusal(texts: PlatformText, code: string): Message {
  if (texts.text === '' && texts.cause === '') return message('platform.refused_silently', { code });
  if (texts.text === '' || texts.cause === '' || texts.cause === texts.text) {
    return message('platform.said', { text: texts.text || texts.cause });
  }
  return message('platform.said_cause', { text: texts.text, cause: texts.cause });
}

/** The platform's text for a status, or the name of the status if there is none. */
export function statusText(texts: PlatformText | undefined, status: number): string {
  return texts?.text || texts?.cause || STATUS_CODES[status] || '-';
}
