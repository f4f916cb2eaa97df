import { isSafeNumber, parse } from 'lossless-json';
import type { Field, FieldType } from '../../model/field.js';
import type { Json } from '../../model/json.js';
import { exactStringify } from '../../util/exact-json.js';

/** Deeper than any reply of the interface; keeps what walks a reply recursively from running out of stack. */
const MAX_DEPTH = 200;
/** Longer integers stay text: turning them into a bigint costs time and serves no one. */
const MAX_INTEGER_DIGITS = 1_000;

export type ParsedJson =
  /** `conflict`: a member that an object has twice, with different values; of these `value` has the last. */
  | { readonly ok: true; readonly value: Json; readonly conflict?: string }
  | { readonly ok: false; readonly detail: string };

/**
 * Parses JSON without rounding: integers a double cannot hold become a bigint, other such numbers stay the text they
 * were. `__proto__` becomes an ordinary own property. Where `fields` (the members of the top object) has a String, a
 * number becomes its digits as they stand: `1.0` is not `1`. Never throws.
 */
export function parseJson(text: string, fields: readonly Field[] = []): ParsedJson {
  const members = membersOf(text);
  if (members === undefined) return { ok: false, detail: `nested more than ${MAX_DEPTH} levels deep` };
  try {
    let conflict: string | undefined;
    const exact = (): unknown =>
      parse(text, null, {
        parseNumber: toNumber,
        // Called only where the two values differ.
        onDuplicateKey: ({ key, newValue }) => {
          conflict ??= key;
          return newValue;
        },
      });
    let value = maySayMore(text) ? exact() : JSON.parse(text);
    // The fast parser drops all but the last member of a name silently.
    if (countMembers(value as Parsed) < members) value = exact();
    const result = { ok: true, value: plain(value as Parsed, 'object', fields) } as const;
    return conflict === undefined ? result : { ...result, conflict };
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

/** JSON text with every bigint written digit for digit. */
export function stringifyJson(value: Json): string {
  return exactStringify(value);
}

/**
 * Up to 15 digits survive a double and are written by it as they came; longer runs, decimals, exponents and `-0` need
 * the slow way. Hits inside strings only cost time.
 */
function maySayMore(text: string): boolean {
  return /(?:^|[[:,\s])(?:-?(?:\d{16}|\d+[.eE])|-0)/u.test(text);
}

/** A number that a double would write with other digits. */
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

/** Brings what was parsed into the form that its field asks for, in place. */
function plain(value: Parsed, type: FieldType, fields: readonly Field[] | undefined): Json {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  const isText = type === 'String' || type === 'String array';
  if (value instanceof Digits) return isText ? value.text : exactNumber(value.text);
  if (typeof value === 'number' || typeof value === 'bigint') return isText ? String(value) : value;
  if (Array.isArray(value)) {
    // A list where one text belongs is wrong altogether: its members are left alone.
    const inner = type === 'String' ? 'object' : type;
    value.forEach((it: Parsed, index) => {
      (value as Json[])[index] = plain(it, inner, fields);
    });
    return value;
  }
  const members = value as Record<string, Parsed>;
  for (const name of Object.keys(members)) {
    const member = members[name]!;
    // Most are text, which stays as it is.
    if (typeof member === 'string') continue;
    const field = fields?.find((it) => it.name === name);
    const made = plain(member, field?.type ?? 'object', field?.fields);
    if (made !== member) Object.defineProperty(members, name, { ...ORDINARY, value: made });
  }
  return value as Json;
}

/** Assignment would take the name `__proto__` for the prototype. */
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

/** How many members the objects of a text have, by its colons outside of strings; undefined: nested too deep. */
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
