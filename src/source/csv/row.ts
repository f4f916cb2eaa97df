import type { Cell } from '../../model/cell.js';
import type { Row, RowFault } from '../../model/row.js';
import { unneutralise } from '../../util/csv-guard.js';
import { isErrorText } from '../error-text.js';
import { formulaText, isFormula } from './formula-text.js';

/** An apostrophe that a spreadsheet program writes before a text that it would take for a number or a formula. */
const TEXT_MARKER = /^\s*'(?=[\d+\-=@])/;
const APOSTROPHE = 0x27;

/** What a text in a column means; undefined where it means an empty cell. */
export function cellOfText(column: number, text: string): Cell | undefined {
  if (text === '') return undefined;
  const shown = formulaText(text) ?? text;
  if (shown === '') return undefined;
  // Only the text of a formula such as `="001"` is kept: a result workbook would show the formula's letters instead.
  return withTextMarker({ column, kind: isErrorText(shown) ? 'error' : 'text', text: shown, raw: shown });
}

/** The cell; if an apostrophe marks its text, with what an identifier takes of it. */
export function withTextMarker(cell: Cell): Cell {
  const { kind, text } = cell;
  const first = text.charCodeAt(0);
  const isMarked = kind === 'text' && (first === APOSTROPHE || first <= 0x20) && TEXT_MARKER.test(text);
  return isMarked ? { ...cell, identifier: text.replace(TEXT_MARKER, '') } : cell;
}

/** A guarded field; a text that begins like a formula stays a text. */
function unguarded(field: string): string {
  const text = unneutralise(field);
  return text !== field && isFormula(text) ? `="${text.replaceAll('"', '""')}"` : text;
}

type CsvRowFacts = Partial<Pick<CsvRow, 'faults' | 'width' | 'isUnended' | 'isShort'>>;

/** One record of a text file as a row. Its cells are made when asked for. */
export class CsvRow implements Row {
  readonly sheet: string;
  readonly number: number;
  /** Every field, empty ones too. */
  readonly fields: readonly string[];
  readonly faults?: readonly RowFault[];
  /** Columns whose cells are known to exist. A missing cell among them is `no_result`, never an empty cell. */
  readonly width: number;
  /** The file ends in this line, without a line end. */
  readonly isUnended: boolean;
  readonly isShort?: boolean;

  constructor(sheet: string, number: number, fields: readonly string[], more: CsvRowFacts = {}) {
    const { faults, width = fields.length, isUnended = false, isShort } = more;
    this.sheet = sheet;
    this.number = number;
    this.fields = fields;
    if (faults) this.faults = faults;
    this.width = width;
    this.isUnended = isUnended;
    if (isShort) this.isShort = true;
  }

  get hidden(): boolean {
    return false;
  }

  cell(column: number): Cell | undefined {
    const text = this.fields[column - 1];
    if (text === undefined && column <= this.width) return { column, kind: 'no_result', text: '', raw: '' };
    if (text === undefined) return undefined;
    if (isFormula(text)) return { column, kind: 'no_result', text: '', raw: text };
    return cellOfText(column, text);
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
    return new CsvRow(this.sheet, this.number, this.fields.map(unguarded), this);
  }

  /** The same row with more faults. @param width columns that the record should have */
  withFaults(more: readonly RowFault[], width: number): CsvRow {
    const faults = [...(this.faults ?? []), ...more];
    return new CsvRow(this.sheet, this.number, this.fields, { ...this, faults, width });
  }

  /** The same row, marked as the last of a file that has no line end there. */
  unended(): CsvRow {
    return new CsvRow(this.sheet, this.number, this.fields, { ...this, isUnended: true });
  }

  /** The same row, marked as one of fewer fields than the header. */
  short(): CsvRow {
    return new CsvRow(this.sheet, this.number, this.fields, { ...this, isShort: true });
  }
}
