import { parse, stringify } from 'lossless-json';
import type { Json } from '../../model/json.js';

/** An integer of 16 digits or more may lie beyond what a double holds. */
const LONG_NUMBER = /\d{16}/;

function exactNumber(literal: string): number | bigint {
  const value = Number(literal);
  if (/^-?\d+$/.test(literal) && !Number.isSafeInteger(value)) return BigInt(literal);
  return value;
}

/**
 * JSON text to a value; integers beyond 2^53 become bigints, exactly.
 * @throws SyntaxError (not JSON) or RangeError (nested too deeply)
 */
export function readJson(text: string): Json {
  const quick = JSON.parse(text) as Json;
  // Parsed again only where digits could have been lost: the exact parser is many times slower.
  return LONG_NUMBER.test(text) ? (parse(text, undefined, exactNumber) as Json) : quick;
}

/** A value as JSON text; bigints as the integers they are. */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // Holds a bigint, which is rare; the exact writer is much slower.
    return stringify(value)!;
  }
}
