import type { Cell, Row } from '../../model/row.js';
import { isErrorText } from '../cell-texts.js';
import { hidesTime, numberCell, seenDate, wholeCell } from './number-cell.js';
import type { NumberFormat } from './number-format.js';
import {
  BOOLEAN,
  COLUMN_BITS,
  ERROR,
  FLAGS_SHIFT,
  FORMULA_CELL,
  ISO_DATE,
  KIND_SHIFT,
  NO_RESULT,
  NUMBER,
  ROW_STRIDE,
  type RowBlock,
  SHARED,
  type SheetContext,
  STRIDE,
  STRUCK_CELL,
  STYLE_BITS,
  SUBTOTAL_CELL,
  WHOLE,
} from './row-blocks.js';
import { isoText } from './serial-date.js';
import { ascii, textOf } from './xml-text.js';

export function rowsOf(block: RowBlock, context: SheetContext): readonly Row[] {
  const count = block.rows.length / ROW_STRIDE - 1;
  const rows: Row[] = new Array(count);
  for (let i = 0; i < count; i += 1) rows[i] = new XlsxRow(block, i * ROW_STRIDE, context);
  return rows;
}

/** A row of a block. Cells are decoded on each request, and not stored. */
class XlsxRow implements Row {
  readonly #block: RowBlock;
  /** Start of the row's numbers in the block's `rows`. */
  readonly #at: number;
  readonly #context: SheetContext;

  constructor(block: RowBlock, at: number, context: SheetContext) {
    this.#block = block;
    this.#at = at;
    this.#context = context;
  }

  get number(): number {
    return this.#block.rows[this.#at]!;
  }

  get hidden(): boolean {
    return this.#block.rows[this.#at + 1] === 1;
  }

  get sheet(): string {
    return this.#context.sheet;
  }

  get marked(): boolean {
    const { rows, cells } = this.#block;
    const next = rows[this.#at + ROW_STRIDE + 2]!;
    for (let index = rows[this.#at + 2]!; index < next; index += 1)
      if (cells[index * STRIDE + 1]! > STYLE_BITS || this.#struck(index) !== undefined) return true;
    return false;
  }

  cell(column: number): Cell | undefined {
    const { rows, cells } = this.#block;
    const first = rows[this.#at + 2]!;
    const next = rows[this.#at + ROW_STRIDE + 2]!;
    // In a row without gaps the cell is at its column's index, which is also the last possible one.
    const last = Math.min(next, first + column) - 1;
    let low = first;
    let high = last;
    for (let middle = last; low <= high; middle = (low + high) >> 1) {
      const found = cells[middle * STRIDE]! & COLUMN_BITS;
      if (found === column) return this.#decode(middle, rows[this.#at + 3]!, undefined);
      if (found < column) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  cells(): readonly Cell[] {
    const { rows, bytes } = this.#block;
    const first = rows[this.#at + 2]!;
    const base = rows[this.#at + 3]!;
    const count = rows[this.#at + ROW_STRIDE + 2]! - first;
    const end = rows[this.#at + ROW_STRIDE + 3]!;
    const all: Cell[] = new Array(count);
    // The row's bytes are decoded by one call, and cells are cut from the result.
    const rowText = end > base ? ascii(bytes, base, end) : '';
    for (let i = 0; i < count; i += 1) all[i] = this.#decode(first + i, base, rowText);
    return all;
  }

  /**
   * @param base start of the row's bytes
   * @param rowText the row's bytes as Latin-1, if they have been decoded
   */
  #decode(index: number, base: number, rowText: string | undefined): Cell {
    const bits = this.#block.cells[index * STRIDE + 1]!;
    const cell = this.#value(index, base, rowText, this.#context.styles[bits & STYLE_BITS]);
    const struck = this.#struck(index);
    if (bits <= STYLE_BITS && struck === undefined) return cell;
    return {
      ...cell,
      ...(bits & FORMULA_CELL ? { formula: this.#context.pending ? 'pending' : 'calculated' } : {}),
      ...(bits & SUBTOTAL_CELL ? { subtotal: true } : {}),
      ...(struck === undefined ? {} : { struck }),
    };
  }

  #struck(index: number): Cell['struck'] {
    const { cells } = this.#block;
    const { struck, strings } = this.#context;
    const at = index * STRIDE;
    const bits = cells[at + 1]!;
    if (struck?.has(bits & STYLE_BITS)) return 'whole';
    if (bits & STRUCK_CELL) return 'part';
    const isShared = ((cells[at]! >> KIND_SHIFT) & 15) === SHARED;
    return isShared && strings.offsets.isStruck(cells[at + 2]!) ? 'part' : undefined;
  }

  #value(index: number, base: number, rowText: string | undefined, format: NumberFormat | undefined): Cell {
    const { cells, bytes } = this.#block;
    const context = this.#context;
    const at = index * STRIDE;
    const head = cells[at]!;
    const column = head & COLUMN_BITS;
    const kind = (head >> KIND_SHIFT) & 15;
    const start = cells[at + 2]!;
    if (kind === SHARED) {
      return textCell(column, context.strings.get(start), format);
    }
    if (kind === WHOLE) return wholeCell(column, start, format, context.date1904);
    const end = start + cells[at + 3]!;
    const flags = head >> FLAGS_SHIFT;
    const raw =
      rowText !== undefined && flags === 0
        ? rowText.substring(start, end)
        : textOf(bytes, base + start, base + end, flags);
    switch (kind) {
      case NUMBER:
        return numberCell(column, raw, format, context.date1904);
      case NO_RESULT:
        return { column, kind: 'no_result', text: '', raw: start === 1 ? '0' : '' };
      case BOOLEAN:
        return booleanCell(column, raw);
      case ERROR:
        return { column, kind: 'error', text: raw, raw };
      case ISO_DATE:
        return isoCell(column, raw, format);
      default:
        return textCell(column, raw, format);
    }
  }
}

/** @param format undefined for General */
export function textCell(column: number, text: string, format?: NumberFormat): Cell {
  if (isErrorText(text)) return { column, kind: 'error', text, raw: text };
  const seen = format?.seenText(text);
  return seen === undefined
    ? { column, kind: 'text', text, raw: text }
    : { column, kind: 'text', text, raw: text, seen };
}

/** A date cell of an ISO 8601 text. @param format undefined for General */
export function isoCell(column: number, raw: string, format: NumberFormat | undefined): Cell {
  const read = isoText(raw);
  if (read.kind === 'none') return { column, kind: 'text', text: raw, raw };
  const cell: Cell = { column, kind: read.kind, text: read.text, raw };
  if (read.kind !== 'date') return cell;
  const shape = format?.shape(1);
  const parts = shape?.kind === 'date' || shape?.kind === 'time' ? shape.parts : undefined;
  const seen = parts && seenDate(read.text, parts);
  return {
    ...cell,
    ...(format ? { format: format.code } : {}),
    ...(seen === undefined ? {} : { seen }),
    ...(hidesTime(read.text, parts) ? { hidesTime: true } : {}),
  };
}

function booleanCell(column: number, raw: string): Cell {
  const word = raw.trim().toLowerCase();
  const yes = word === '1' || word === 'true';
  // Any other word stays text, so that a field that requires a boolean reports it.
  if (!yes && word !== '0' && word !== 'false') return { column, kind: 'text', text: raw, raw };
  return { column, kind: 'boolean', text: yes ? 'TRUE' : 'FALSE', raw };
}
