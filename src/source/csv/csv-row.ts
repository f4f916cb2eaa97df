import { message } from '../../errors/message.js';
import type { Cell, Header, Row, RowFault } from '../../model/row.js';
import { unneutralise } from '../../util/spreadsheet-text.js';
import { isErrorText } from '../cell-texts.js';
import { ShapedRow } from '../row-shape.js';

const EQUALS = 0x3d;
const TEXT = /^\s*="((?:[^"]|"")*)"\s*$/;

/**
 * The text in a formula that is only a text, such as `="001"`; undefined for any other field. Programs write
 * identifiers like this so that a spreadsheet does not convert them to numbers.
 */
export function formulaText(field: string): string | undefined {
  const first = field.charCodeAt(0);
  if (first !== EQUALS && first > 0x20) return undefined;
  return TEXT.exec(field)?.[1]?.replaceAll('""', '"');
}

/** Whether the field is a formula other than `="001"`, such as `=A2`: text files have no result of it. */
function isFormula(field: string): boolean {
  const first = field.charCodeAt(0);
  if (first !== EQUALS && (first > 0x20 || !field.trimStart().startsWith('='))) return false;
  return field.trim().length > 1 && formulaText(field) === undefined;
}

/** An apostrophe that a spreadsheet program writes before a text that looks like a number or a formula. */
const TEXT_MARKER = /^\s*'(?=[\d+\-=@])/;
const APOSTROPHE = 0x27;

/** The value of a text in a column; undefined for an empty cell. */
export function cellOfText(column: number, text: string): Cell | undefined {
  if (text === '') return undefined;
  const shown = formulaText(text) ?? text;
  if (shown === '') return undefined;
  // Only the text of a formula such as `="001"` is used: a result workbook would show the formula instead.
  return withTextMarker({ column, kind: isErrorText(shown) ? 'error' : 'text', text: shown, raw: shown });
}

/** The cell; for a text with an apostrophe also the value for identifiers. */
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

/** One record of a text file as a row. Its cells are created on demand. */
export class CsvRow implements Row {
  readonly sheet: string;
  readonly number: number;
  /** Every field, including empty ones. */
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

  /** The same row with additional errors. @param width columns that the record should have */
  withFaults(more: readonly RowFault[], width: number): CsvRow {
    const faults = [...(this.faults ?? []), ...more];
    return new CsvRow(this.sheet, this.number, this.fields, { ...this, faults, width });
  }

  /** The same row, marked as the last of a file without a final line end. */
  unended(): CsvRow {
    return new CsvRow(this.sheet, this.number, this.fields, { ...this, isUnended: true });
  }

  /** The same row, marked as having fewer fields than the header. */
  short(): CsvRow {
    return new CsvRow(this.sheet, this.number, this.fields, { ...this, isShort: true });
  }
}

/** Compares the width of each line with the header line. */
export class LineShape {
  readonly #row: number;
  readonly #width: number;
  /** Columns up to the last header; a line with fewer is short. */
  readonly #least: number;
  /** Columns of the header line without a header. */
  readonly #unnamed: readonly number[];

  /** @param headers of the line, in order */
  constructor(head: CsvRow, headers: readonly Header[]) {
    const named = new Set(headers.map(({ column }) => column));
    this.#row = head.number;
    this.#width = head.fields.length;
    this.#least = headers.at(-1)?.column ?? 0;
    this.#unnamed = head.fields.map((_, index) => index + 1).filter((column) => !named.has(column));
  }

  /**
   * The line, with errors if its width is wrong: its cells may be shifted into other columns. A line without its last
   * fields is only marked, unless the file ends in it: then the file may be truncated.
   */
  check(row: CsvRow): CsvRow {
    const { fields } = row;
    if (fields.length === this.#width && this.#unnamed.length === 0) return row;
    const faults = this.#faults(row);
    if (faults.length > 0) return row.withFaults(faults, this.#least);
    return fields.length < this.#least && fields.some(isFilled) ? row.short() : row;
  }

  #faults({ fields, isUnended }: CsvRow): readonly RowFault[] {
    const header = this.#row;
    const faults = this.#unnamed
      .filter((column) => isFilled(fields[column - 1]))
      .map((column) => ({ column, message: message('source.csv_no_header', { header }) }));
    const params = { found: fields.length, expected: this.#width, header };
    const beyond = fields.findIndex((text, index) => index >= this.#width && isFilled(text));
    if (beyond >= 0)
      return [...faults, { column: beyond + 1, message: message('source.csv_row_long', params) }];
    if (!isUnended || fields.length >= this.#least || !fields.some(isFilled)) return faults;
    return [...faults, { message: message('source.csv_row_cut_off', params) }];
  }
}

function isFilled(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== '';
}

/**
 * A shifted line of a text file, read again from the result workbook: cells without a column are under no header there.
 * As long as they exist, the line has not been corrected, so it keeps its errors.
 * @param headers of the whole row, including those of the result
 */
export function remainsShifted(row: Row, headers: readonly Header[], headerRow: number): Row {
  const status = headers.find(({ text }) => text === 'status')!;
  if (row.cell(status.column)?.text !== 'invalid') return row;
  const named = new Set(headers.map(({ column }) => column));
  const unnamed = row.cells().filter(({ column }) => !named.has(column));
  if (unnamed.length === 0) return row;
  const noHeader = message('source.csv_no_header', { header: headerRow });
  return new ShapedRow(row, { faults: unnamed.map(({ column }) => ({ column, message: noHeader })) });
}
