import type { Cell } from '../../model/cell.js';
import type { Row, RowFault } from '../../model/row.js';
import { unneutralise } from '../../util/csv-guard.js';
import { isErrorText } from '../error-text.js';
import { formulaText } from './formula-text.js';

/** What a text in a column means; undefined where it means an empty cell. */
export function cellOfText(column: number, text: string): Cell | undefined {
  if (text === '') return undefined;
  const shown = formulaText(text) ?? text;
  if (shown === '') return undefined;
  // Only the text of a formula such as `="001"` is kept: a result workbook would show the formula's letters instead.
  return { column, kind: isErrorText(shown) ? 'error' : 'text', text: shown, raw: shown };
}

/** One record of a text file as a row. Its cells are made when asked for. */
export class CsvRow implements Row {
  readonly sheet: string;
  readonly number: number;
  /** Every field, empty ones too. */
  readonly fields: readonly string[];
  readonly faults?: readonly RowFault[];
  /** Columns that the record should have. A missing cell is `no_result`, never an empty cell: its value is not known. */
  readonly width: number;

  constructor(
    sheet: string,
    number: number,
    fields: readonly string[],
    faults?: readonly RowFault[],
    width = fields.length,
  ) {
    this.sheet = sheet;
    this.number = number;
    this.fields = fields;
    if (faults) this.faults = faults;
    this.width = width;
  }

  get hidden(): boolean {
    return false;
  }

  cell(column: number): Cell | undefined {
    const text = this.fields[column - 1];
    if (text === undefined && column <= this.width) return { column, kind: 'no_result', text: '', raw: '' };
    return text === undefined ? undefined : cellOfText(column, text);
  }

  cells(): readonly Cell[] {
    const cells: Cell[] = [];
    for (let column = 1; column <= Math.max(this.fields.length, this.width); column += 1) {
      const cell = this.cell(column);
      if (cell) cells.push(cell);
    }
    return cells;
  }

  /** The record of a result file of this program, without the apostrophes that guard against formulas. */
  unguarded(): CsvRow {
    return new CsvRow(this.sheet, this.number, this.fields.map(unneutralise), this.faults, this.width);
  }

  /** The same row with more faults. @param width columns that the record should have */
  withFaults(more: readonly RowFault[], width: number): CsvRow {
    return new CsvRow(this.sheet, this.number, this.fields, [...(this.faults ?? []), ...more], width);
  }
}
