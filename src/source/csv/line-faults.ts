import { message } from '../../errors/message.js';
import type { Header, Row, RowFault } from '../../model/row.js';
import { ShapedRow } from '../shaped-row.js';
import type { CsvRow } from './row.js';

/** Compares the width of each line with the header line. */
export class LineShape {
  readonly #row: number;
  readonly #width: number;
  /** Columns up to the last header; a line with fewer is short. */
  readonly #least: number;
  /** Columns of the header line without a header. */
  readonly #unnamed: readonly number[];

  /** @param headers of the line, in its order */
  constructor(head: CsvRow, headers: readonly Header[]) {
    const named = new Set(headers.map(({ column }) => column));
    this.#row = head.number;
    this.#width = head.fields.length;
    this.#least = headers.at(-1)?.column ?? 0;
    this.#unnamed = head.fields.map((_, index) => index + 1).filter((column) => !named.has(column));
  }

  /**
   * The line, with faults if its width is wrong: its cells may then have shifted into other columns. A line whose last
   * fields are missing is only marked, unless the file ends in it: then the file may have been cut off.
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
 * A shifted line of a text file, read again from the result workbook: cells that had no column stand under no header
 * there. As long as they do, the line hasn't been corrected, so it keeps its faults.
 * @param headers of the whole row, the result's own among them
 */
export function stillShifted(row: Row, headers: readonly Header[], headerRow: number): Row {
  const status = headers.find(({ text }) => text === 'status')!;
  if (row.cell(status.column)?.text !== 'invalid') return row;
  const named = new Set(headers.map(({ column }) => column));
  const unnamed = row.cells().filter(({ column }) => !named.has(column));
  if (unnamed.length === 0) return row;
  const noHeader = message('source.csv_no_header', { header: headerRow });
  return new ShapedRow(row, { faults: unnamed.map(({ column }) => ({ column, message: noHeader })) });
}
