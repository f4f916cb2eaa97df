import { isSafeNumber, parse } from 'lossless-json';
import type { Json } from '../../model/json.js';
import { exactStringify } from '../../util/exact-json.js';

/** Deeper than any reply of the interface; keeps what walks a reply recursively from running out of stack. */
const MAX_DEPTH = 200;
/** Longer integers stay text: turning them into a bigint costs time and serves no one. */
const MAX_INTEGER_DIGITS = 1_000;

export type ParsedJson =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly detail: string };

/**
 * Parses JSON without rounding: integers a double cannot hold become a bigint, other such numbers stay the text they
 * were. `__proto__` becomes an ordinary own property. Never throws.
 */
export function parseJson(text: string): ParsedJson {
  if (tooDeep(text)) return { ok: false, detail: `nested more than ${MAX_DEPTH} levels deep` };
  try {
    const value = mayRound(text)
      ? parse(text, null, { parseNumber: exactNumber, onDuplicateKey: ({ newValue }) => newValue })
      : JSON.parse(text);
    return { ok: true, value: value as Json };
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

/** JSON text with every bigint written digit for digit. */
export function stringifyJson(value: Json): string {
  return exactStringify(value);
}

/** Up to 15 digits survive a double; longer runs and exponents need the slow way. Hits inside strings only cost time. */
function mayRound(text: string): boolean {
  return /[\d.]{16}|\d[eE][+-]?\d{2}/u.test(text);
}

function exactNumber(text: string): number | bigint | string {
  const number = Number(text);
  if (/^-?\d+$/u.test(text)) {
    if (Number.isSafeInteger(number)) return number;
    return text.length > MAX_INTEGER_DIGITS ? text : BigInt(text);
  }
  return Number.isFinite(number) && isSafeNumber(text) ? number : text;
}

function tooDeep(text: string): boolean {
  if (text.length <= MAX_DEPTH) return false;
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inText) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) inText = false;
    } else if (code === 0x22) inText = true;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}
