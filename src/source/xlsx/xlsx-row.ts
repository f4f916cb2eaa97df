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
  type RowPlace,
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
  readonly #block: RowBlock;
  readonly #place: RowPlace;

  constructor(block: RowBlock, place: RowPlace) {
    this.#block = block;
    this.#place = place;
  }

  get number(): number {
    return this.#place.number;
  }

  get hidden(): boolean {
    return this.#place.hidden;
  }

  get sheet(): string {
    return this.#block.sheet;
  }

  cell(column: number): Cell | undefined {
    const { cells } = this.#block;
    const { first, count, number } = this.#place;
    // In a row without gaps a cell stands at its column's place, which is the last that is possible.
    const last = first + Math.min(count, column) - 1;
    let low = first;
    let high = last;
    for (let middle = last; low <= high; middle = (low + high) >> 1) {
      const found = cells[middle * STRIDE]! & COLUMN_BITS;
      if (found === column) return this.#decode(middle, String(number), undefined);
      if (found < column) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  cells(): readonly Cell[] {
    const { first, count, number, base, end } = this.#place;
    const all: Cell[] = new Array(count);
    const shown = String(number);
    // All of the row's own bytes at once, for cells to be cut from: one call instead of one a cell.
    const own = end > base ? ascii(this.#block.bytes, base, end) : '';
    for (let i = 0; i < count; i += 1) all[i] = this.#decode(first + i, shown, own);
    return all;
  }

  #decode(index: number, number: string, own: string | undefined): Cell {
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
    const { base } = this.#place;
    const from = base + start;
    const to = from + cells[at + 3]!;
    const flags = head >> FLAGS_SHIFT;
    const raw =
      own !== undefined && flags === 0
        ? own.substring(start, to - base)
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
    // Excel shows such a cell as ####: no date, and not to be taken for a plain number either.
    return read.kind === 'none' ? shown(shape.kind, plain) : shown(read.kind, read.text);
  }
  if (shape.kind === 'digits' && !plain.includes('.')) {
    return shown('number', showDigits(plain.replace('-', ''), shape));
  }
  return shown('number', plain);
}
