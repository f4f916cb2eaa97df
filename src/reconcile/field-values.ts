import type { Json } from '../model/json.js';
import { exactStringify } from '../util/exact-json.js';

/** True when a value is empty. */
export function isEmpty(value: Json | undefined): value is undefined | null | '' | readonly [] {
  if (value === undefined || value === null) return true;
  return typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0;
}

/** A boolean, also if a reply gives it as text or number; undefined for anything else. */
export function booleanOf(value: Json | undefined): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = isScalar(value) ? String(value).trim().toLowerCase() : '';
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : undefined;
}

/** A whole number, also if a reply gives it as text; undefined for anything else. */
export function wholeOf(value: Json | undefined): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined;
  const digits =
    typeof value === 'string' ? /^\s*([+-]?\d{1,1000})(?:\.0+)?\s*$/.exec(value)?.[1] : undefined;
  return digits === undefined ? undefined : BigInt(digits.replace('+', ''));
}

function isScalar(value: Json | undefined): value is string | number | bigint | boolean {
  return value !== undefined && value !== null && typeof value !== 'object';
}

/** Shown for an empty value. */
const EMPTY_TEXT = '(empty)';

/** A value in words for people: TRUE and FALSE, numbers in plain digits, lists joined. */
export function shownText(value: Json | undefined): string {
  if (isEmpty(value)) return EMPTY_TEXT;
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value).toString();
  if (Array.isArray(value)) return (value as readonly Json[]).map((it) => shownText(it)).join(', ');
  return typeof value === 'object' ? exactStringify(value) : String(value);
}
