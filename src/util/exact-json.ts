import { parse, stringify } from 'lossless-json';

/** A number token of 16 digits may be more than a double can hold; shorter ones never are. */
const LONG_NUMBER = /(?:^|[[:,\s-])\d{16}/;

/** JSON text of a JSON value; a bigint is written as a bare integer, digit for digit. */
export function exactStringify(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Only a bigint makes JSON.stringify throw here; looking for one beforehand would cost more.
    if (!(error instanceof TypeError)) throw error;
    return stringify(value) as string;
  }
}

/** The same, indented for people. */
export function exactPretty(value: unknown): string {
  return stringify(value, undefined, 2) as string;
}

/** Reads JSON text; integers beyond 2^53 come back as bigint, exactly. Throws SyntaxError when it isn't JSON. */
export function exactParse(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  return parse(text, null, parseNumber);
}

function parseNumber(digits: string): number | bigint {
  const value = Number(digits);
  const whole = /^-?\d+$/.test(digits);
  return whole && !Number.isSafeInteger(value) ? BigInt(digits) : value;
}
