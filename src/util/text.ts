/** The form in which headers and allowed words are compared: trimmed, NFKC, lowercase, inner spaces joined. */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\s\u200b\ufeff]+/gu, ' ')
    .trim()
    .toLowerCase();
}

/** Converts full-width letters, digits and signs, as Chinese input methods produce them, to ASCII. */
export function narrow(text: string): string {
  if (!/[\uff01-\uff5e\u3000]/.test(text)) return text;
  return text
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replaceAll('\u3000', ' ');
}

/**
 * Makes foreign text safe for one cell or line: control characters and direction marks become spaces, white space is
 * collapsed, and text beyond `limit` characters is cut with an ellipsis.
 */
export function plainText(text: string, limit: number): string {
  const clean = text
    // Only the beginning of a huge text is processed.
    .slice(0, limit * 2)
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  if (clean.length <= limit) return clean;
  return `${clean.slice(0, limit - 1).replace(/[\ud800-\udbff]$/u, '')}…`;
}

const VISIBLE = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** True for an empty cell: only spaces and invisible characters, or nothing. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first > 0x20 && first < 0x7f) return false;
  return !VISIBLE.test(text);
}

/** Maximum number of ranges in a message: a sheet may have a million rows of a kind. */
const RANGES_SHOWN = 20;

/** Row numbers for a message, as a limited number of ranges: `3, 5-7, 12`. */
export class RowNumbers {
  readonly #limit: number;
  readonly #ranges: [first: number, last: number][] = [];
  #count = 0;

  constructor(limit = RANGES_SHOWN) {
    this.#limit = limit;
  }

  /** Rows are added in ascending order. */
  add(row: number): void {
    const range = this.#ranges.at(-1);
    if (range && row === range[1] + 1) range[1] = row;
    else if (this.#ranges.length <= this.#limit) this.#ranges.push([row, row]);
    this.#count += 1;
  }

  get count(): number {
    return this.#count;
  }

  toString(): string {
    const shown = this.#ranges
      .slice(0, this.#limit)
      .map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
    return [...shown, ...(this.#ranges.length > this.#limit ? ['…'] : [])].join(', ');
  }
}

export function rowsText(rows: readonly number[]): string {
  const numbers = new RowNumbers(50);
  for (const row of rows) numbers.add(row);
  return `${numbers}`;
}

/** Replaces the parts that differ. */
export const DIFFERS = '…';

const LONGEST = 300;

/** A text without the parts that differ from row to row: quoted text, and words with digits. */
export function pattern(text: string): string {
  return text
    .slice(0, LONGEST)
    .replace(/"[^"]*"/g, `"${DIFFERS}"`)
    .replace(/“[^”]*”/g, `“${DIFFERS}”`)
    .replace(/[A-Za-z_@/-]*\d(?:[A-Za-z0-9_@/.:-]*[A-Za-z0-9_@/-])?/g, DIFFERS);
}

/** The common part of two texts that are shown as one, without values that only one of them has. */
export function commonText(a: string, b: string): string {
  if (a === b) return a;
  const [first, second] = [pattern(a), pattern(b)];
  return first === second ? first : DIFFERS;
}

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
  ['y', true],
  ['n', false],
  ['yes', true],
  ['no', false],
  ['是', true],
  ['否', false],
]);

/** The boolean that a word means (contract section 4), compared folded; undefined for any other text. */
export function readBoolean(text: string): boolean | undefined {
  return WORDS.get(fold(text));
}

/** Cuts a text to `bytes` of UTF-8, with a `…` at the end and without splitting a character. */
export function cutText(text: string, bytes: number): string {
  // UTF-8 takes at most three bytes for each unit of a JavaScript string.
  if (text.length * 3 <= bytes) return text;
  const encoder = new TextEncoder();
  const encoded = encoder.encode(text);
  if (encoded.length <= bytes) return text;
  const prefix = encoded.subarray(0, bytes - encoder.encode('…').length);
  return `${new TextDecoder().decode(prefix, { stream: true })}…`;
}
