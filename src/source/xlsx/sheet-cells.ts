import { SUBTOTAL } from '../cell-texts.js';
import {
  BOOLEAN,
  ERROR,
  FORMULA_CELL,
  ISO_DATE,
  NUMBER,
  type RowBuilder,
  SHARED,
  SUBTOTAL_CELL,
  TEXT_CELL,
} from './row-blocks.js';
import { MAX_CELL_LENGTH } from './shared-strings.js';
import type { XmlScanner } from './xml-scan.js';
import { AMPERSAND, ascii, CR, MAY_ESCAPE, matches, NOT_ASCII, UNDERSCORE } from './xml-text.js';

/** The kind of a cell, from its attribute `t`. */
export function kindOf(type: string): number {
  switch (type.trim()) {
    case '':
    case 'n':
      return NUMBER;
    case 's':
      return SHARED;
    case 'b':
      return BOOLEAN;
    case 'e':
      return ERROR;
    case 'd':
      return ISO_DATE;
    default:
      // `str`, `inlineStr`, and unknown words: read as text, so that nothing is lost.
      return TEXT_CELL;
  }
}

/** The style's number. An empty or malformed one is 0, as in Excel. */
export function styleNumber(value: string): number {
  return /^\s*\d{1,6}\s*$/.test(value) ? Number(value) : 0;
}

/** @param letters A to Z. */
export function columnNumber(letters: string): number {
  let column = 0;
  for (let i = 0; i < letters.length; i += 1) column = column * 26 + letters.charCodeAt(i) - 64;
  return column;
}

/** Maximum number of array formulas over one row; Excel would be unusable with as many. */
const MAX_ARRAYS = 1000;
/** Longer than any way to write 0. */
const LONGEST_ZERO = 32;

interface CellRange {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
}

/** The cells' marks (of `row-block.ts`) that follow from formulas: one formula may apply to many cells. */
export class FormulaCells {
  /** Number of the shared formula whose text is being read; undefined if no other cell uses it. */
  #shared: string | undefined;
  /** Numbers of shared formulas that use SUBTOTAL or AGGREGATE. */
  readonly #subtotals = new Set<string>();
  /** Ranges of array formulas: only the first cell of a range has the formula. */
  #arrays: CellRange[] = [];
  /** Those that cover cells of the current row. */
  #arraysHere: CellRange[] = [];
  #row = 0;

  openRow(row: number): void {
    this.#row = row;
    if (this.#arrays.length > 0) this.#arrays = this.#arrays.filter(({ bottom }) => bottom >= row);
    this.#arraysHere = [...this.#arrays];
  }

  /** Whether array formulas cover cells of this row. */
  get hasArrays(): boolean {
    return this.#arraysHere.length > 0;
  }

  isInArray(column: number): boolean {
    return this.#arraysHere.some(({ left, right }) => column >= left && column <= right);
  }

  /** The marks of a cell whose formula has these attributes. */
  open(given: ReadonlyMap<string, string>): number {
    if (given.get('t') === 'array') this.#openArray(given.get('ref') ?? '');
    this.#shared = given.get('t') === 'shared' ? given.get('si') : undefined;
    const isSubtotal = this.#shared !== undefined && this.#subtotals.has(this.#shared);
    return FORMULA_CELL | (isSubtotal ? SUBTOTAL_CELL : 0);
  }

  /** The marks that follow from the formula's text. */
  text({ bytes, textStart, textEnd }: XmlScanner): number {
    if (!SUBTOTAL.test(ascii(bytes, textStart, textEnd))) return 0;
    if (this.#shared !== undefined) this.#subtotals.add(this.#shared);
    return SUBTOTAL_CELL;
  }

  #openArray(reference: string): void {
    const parts = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(reference);
    if (!parts || this.#arraysHere.length === MAX_ARRAYS) return;
    const [, left = '', , right = '', bottom] = parts;
    const range = { left: columnNumber(left), right: columnNumber(right), bottom: Number(bottom) };
    this.#arraysHere.push(range);
    if (range.bottom > this.#row) this.#arrays.push(range);
  }
}

/** Whether a stored result is a form of 0. */
export function isZeroText(bytes: Buffer, start: number, end: number): boolean {
  if (end - start > LONGEST_ZERO) return false;
  const text = ascii(bytes, start, end).trim();
  return text !== '' && Number(text) === 0;
}

const QUOTE = 0x22;
const LT = 0x3c;
const GT = 0x3e;
const SPACE = 0x20;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const ZERO = 0x30;

/** Four bytes as one number each, so that they are compared at once. */
const C_OPEN = fourBytes('<c r');
const V_END = fourBytes('</v>');
const C_END = fourBytes('</c>');
const CLOSE_LENGTH = 8;

const STR = Buffer.from('str"');
const INLINE_STR = Buffer.from('inlineStr"');
const INLINE_OPEN = Buffer.from('<is><t>');
const INLINE_CLOSE = Buffer.from('</t></is></c>');

/**
 * Reads consecutive cells in the common form: `<c r="A1" s="1" t="s"><v>0</v></c>`, without a prefix, with no
 * attributes but `r`, `s` and `t`, and a plain value. Stops before any other cell and before an incomplete one, which
 * the general scanner then reads. Both give the same cells; this function is several times faster.
 */
export function fastCells(scanner: XmlScanner, rows: RowBuilder): void {
  const { bytes, view, end } = scanner;
  const { text, number } = rows;
  for (let next = scanner.pos; ; scanner.pos = next) {
    let p = next;
    if (p + 8 >= end || view.getUint32(p) !== C_OPEN || bytes[p + 4] !== EQUALS || bytes[p + 5] !== QUOTE)
      return;
    p += 6;
    let byte = bytes[p]!;
    let column = 0;
    for (; byte >= 0x41 && byte <= 0x5a && column < 20_000; byte = bytes[++p]!) {
      column = column * 26 + byte - 0x40;
    }
    let row = 0;
    for (; byte >= ZERO && byte <= 0x39 && row < 2_000_000; byte = bytes[++p]!) row = row * 10 + byte - ZERO;
    // A cell of another row is left to the general scanner, which reports the error.
    if (byte !== QUOTE || column === 0 || row !== number) return;
    p += bytes[p + 1] === SPACE ? 2 : 1;
    let style = 0;
    let kind = NUMBER;
    let inline = false;
    while (p + 4 < end && bytes[p + 1] === EQUALS && bytes[p + 2] === QUOTE) {
      const attribute = bytes[p];
      p += 3;
      byte = bytes[p]!;
      if (attribute === 0x73) {
        for (style = 0; byte >= ZERO && byte <= 0x39 && style < 100_000; byte = bytes[++p]!) {
          style = style * 10 + byte - ZERO;
        }
      } else if (attribute === 0x74) {
        if (bytes[p + 1] === QUOTE && (byte === 0x73 || byte === 0x6e)) {
          kind = byte === 0x73 ? SHARED : NUMBER;
          p += 1;
        } else if (matches(bytes, p, end, STR)) {
          kind = TEXT_CELL;
          p += STR.length - 1;
        } else if (matches(bytes, p, end, INLINE_STR)) {
          kind = TEXT_CELL;
          inline = true;
          p += INLINE_STR.length - 1;
        } else return;
      } else return;
      if (p + 1 >= end || bytes[p] !== QUOTE) return;
      p += 1;
      if (bytes[p] === SPACE) p += 1;
    }
    if (p + 4 >= end) return;
    if (bytes[p] === SLASH && bytes[p + 1] === GT) {
      if (!rows.enter(column)) return;
      next = p + 2;
      continue;
    }
    if (bytes[p] !== GT) return;
    p += 1;
    if (inline) {
      if (!matches(bytes, p, end, INLINE_OPEN)) return;
      p += INLINE_OPEN.length;
    } else {
      if (bytes[p] !== LT || bytes[p + 1] !== 0x76 || bytes[p + 2] !== GT) return;
      p += 3;
    }
    const start = p;
    if (kind !== TEXT_CELL) {
      let value = 0;
      for (byte = bytes[p]!; byte >= ZERO && byte <= 0x39 && p - start < 10; byte = bytes[++p]!) {
        value = value * 10 + byte - ZERO;
      }
      const length = p - start;
      // A number with leading zeros may be an identifier, so its digits are kept as bytes.
      const whole = kind === SHARED || length === 1 || bytes[start] !== ZERO;
      if (length > 0 && length <= 9 && whole && closes(view, p, end)) {
        if (!rows.enter(column)) return;
        if (kind === SHARED) rows.putShared(value, style);
        else rows.appendWhole(style, value);
        next = p + CLOSE_LENGTH;
        continue;
      }
      if (kind === SHARED) return;
      p = start;
    }
    let all = 0;
    let flags = 0;
    byte = LT;
    for (; p < end; p += 1) {
      byte = bytes[p]!;
      if (byte === LT || byte === AMPERSAND || byte === CR) break;
      if (byte === UNDERSCORE) flags = MAY_ESCAPE;
      all |= byte;
    }
    const length = p - start;
    if (byte !== LT || length === 0 || length > MAX_CELL_LENGTH) return;
    if (!(inline ? matches(bytes, p, end, INLINE_CLOSE) : closes(view, p, end))) return;
    if (kind === NUMBER && (bytes[start]! <= SPACE || bytes[p - 1]! <= SPACE)) return;
    if (!rows.enter(column)) return;
    const to = text.length;
    text.copy(bytes, start, p);
    rows.putBytes(kind, style, all > 0x7f ? flags | NOT_ASCII : flags, to, text.length);
    next = p + (inline ? INLINE_CLOSE.length : CLOSE_LENGTH);
  }
}

/** Whether `</v></c>` follows. */
function closes(view: DataView, p: number, end: number): boolean {
  return p + CLOSE_LENGTH <= end && view.getUint32(p) === V_END && view.getUint32(p + 4) === C_END;
}

function fourBytes(text: string): number {
  return Buffer.from(text, 'latin1').readUInt32BE();
}
