import type { Cell, CellKind } from '../../model/cell.js';
import type { Row } from '../../model/row.js';
import { columnLetters } from '../../util/address.js';
import { ascii } from './bytes.js';
import { showDigits } from './number-format.js';
import { plainNumber } from './plain-number.js';
import {
  BOOLEAN,
  COLUMN_BITS,
  ERROR,
  FLAGS_SHIFT,
  ISO_DATE,
  KIND_SHIFT,
  NO_RESULT,
  NUMBER,
  type RowBlock,
  SHARED,
  STRIDE,
} from './row-block.js';
import { durationText, isoText, serialText } from './serial-date.js';
import { textOf } from './xml-text.js';

const LETTERS: string[] = [''];

function letters(column: number): string {
  for (let next = LETTERS.length; next <= column; next += 1) LETTERS.push(columnLetters(next));
  return LETTERS[column]!;
}

/** A row over a block's bytes. Cells are decoded when asked for, and not kept. */
export class XlsxRow implements Row {
  readonly number: number;
  readonly hidden: boolean;
  readonly #block: RowBlock;
  /** Index of the first cell; number of cells; where the row's bytes begin. */
  readonly #first: number;
  readonly #count: number;
  readonly #base: number;

  constructor(block: RowBlock, number: number, hidden: boolean, first: number, count: number, base: number) {
    this.#block = block;
    this.number = number;
    this.hidden = hidden;
    this.#first = first;
    this.#count = count;
    this.#base = base;
  }

  get sheet(): string {
    return this.#block.sheet;
  }

  cell(column: number): Cell | undefined {
    const { cells } = this.#block;
    // In a row without gaps a cell stands at its column's place, which is the last that is possible.
    const last = this.#first + Math.min(this.#count, column) - 1;
    let low = this.#first;
    let high = last;
    for (let middle = last; low <= high; middle = (low + high) >> 1) {
      const found = cells[middle * STRIDE]! & COLUMN_BITS;
      if (found === column) return this.#decode(middle, String(this.number));
      if (found < column) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  cells(): readonly Cell[] {
    const all: Cell[] = new Array(this.#count);
    const number = String(this.number);
    const own = this.#ownText();
    for (let i = 0; i < all.length; i += 1) all[i] = this.#decode(this.#first + i, number, own);
    return all;
  }

  /** All of the row's own bytes, a character each, for cells to be cut from; one call instead of one a cell. */
  #ownText(): string {
    const { cells, bytes } = this.#block;
    const last = this.#first + this.#count - 1;
    for (let i = last; i >= this.#first; i -= 1) {
      const length = cells[i * STRIDE + 3]!;
      if (length > 0) return ascii(bytes, this.#base, this.#base + cells[i * STRIDE + 2]! + length);
    }
    return '';
  }

  #decode(index: number, number: string, own?: string): Cell {
    const block = this.#block;
    const { cells } = block;
    const at = index * STRIDE;
    const head = cells[at]!;
    const column = head & COLUMN_BITS;
    const kind = (head >> KIND_SHIFT) & 15;
    const address = letters(column) + number;
    const start = cells[at + 2]!;
    if (kind === SHARED) {
      const text = block.strings.get(start);
      return { column, address, kind: 'text', text, raw: text };
    }
    const from = this.#base + start;
    const to = from + cells[at + 3]!;
    const flags = head >> FLAGS_SHIFT;
    const raw =
      own !== undefined && flags === 0
        ? own.substring(start, to - this.#base)
        : textOf(block.bytes, from, to, flags);
    if (kind === NUMBER) return numberCell(block, column, address, raw, cells[at + 1]!);
    if (kind === NO_RESULT) return { column, address, kind: 'no_result', text: '', raw: '' };
    if (kind === BOOLEAN) return booleanCell(column, address, raw);
    if (kind === ERROR) return { column, address, kind: 'error', text: raw, raw };
    if (kind === ISO_DATE) {
      const read = isoText(raw);
      if (read.kind !== 'none') return { column, address, kind: read.kind, text: read.text, raw };
    }
    return { column, address, kind: 'text', text: raw, raw };
  }
}

function booleanCell(column: number, address: string, raw: string): Cell {
  const word = raw.trim().toLowerCase();
  const yes = word === '1' || word === 'true';
  // Anything else is shown as it stands, so that whoever needs a boolean says what is wrong with it.
  if (!yes && word !== '0' && word !== 'false') return { column, address, kind: 'text', text: raw, raw };
  return { column, address, kind: 'boolean', text: yes ? 'TRUE' : 'FALSE', raw };
}

function numberCell(block: RowBlock, column: number, address: string, raw: string, style: number): Cell {
  const format = block.styles[style];
  const plain = plainNumber(raw);
  // No number after all: the text stays, for whoever needs a number to refuse.
  if (plain === undefined) return { column, address, kind: 'text', text: raw, raw };
  if (format === undefined) return { column, address, kind: 'number', text: plain, raw };
  const value = Number(raw);
  const shape = format.shape(value);
  const shown = (kind: CellKind, text: string): Cell => ({
    column,
    address,
    kind,
    text,
    raw,
    format: format.code,
  });
  if (shape.kind === 'duration') return shown('duration', durationText(value));
  if (shape.kind === 'date' || shape.kind === 'time') {
    const read = serialText(value, block.date1904, shape.kind === 'time');
    return read.kind === 'none' ? shown('number', plain) : shown(read.kind, read.text);
  }
  if (shape.kind === 'digits' && !plain.includes('.')) {
    return shown('number', showDigits(plain.replace('-', ''), shape));
  }
  return shown('number', plain);
}
