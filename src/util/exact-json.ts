import { parse, stringify } from 'lossless-json';

/** A number token of 16 digits may exceed the precision of a double; shorter ones never do. */
const LONG_NUMBER = /(?:^|[[:,\s-])\d{16}/;

/** JSON text of a JSON value; a bigint is written as a bare integer, digit for digit. */
export function exactStringify(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // JSON.stringify throws here only because of a bigint; searching for one in advance would cost more.
    if (!(error instanceof TypeError)) throw error;
    return stringify(value) as string;
  }
}

/** The same, indented for readers. */
export function exactPretty(value: unknown): string {
  return stringify(value, undefined, 2) as string;
}

/** Parses JSON text; integers beyond 2^53 become bigint, exactly. Throws SyntaxError for invalid JSON. */
export function exactParse(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  return parse(text, null, parseNumber);
}

function parseNumber(digits: string): number | bigint {
  const value = Number(digits);
  const isInteger = /^-?\d+$/.test(digits);
  return isInteger && !Number.isSafeInteger(value) ? BigInt(digits) : value;
}
