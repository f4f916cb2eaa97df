import type { Json } from '../model/json.js';
import { exactStringify } from '../util/exact-json.js';
import { isEmpty } from './field-values.js';

/** What stands where there is nothing. */
export const EMPTY_TEXT = '(empty)';

/** A value in words for people: TRUE and FALSE, numbers in plain digits, lists joined. */
export function shownText(value: Json | undefined): string {
  if (isEmpty(value)) return EMPTY_TEXT;
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value).toString();
  if (Array.isArray(value)) return (value as readonly Json[]).map((it) => shownText(it)).join(', ');
  return typeof value === 'object' ? exactStringify(value) : String(value);
}
