import { message } from '../../errors/message.js';
import type { Header, Row, RowFault } from '../../model/row.js';
import { ShapedRow } from '../shaped-row.js';
import type { CsvRow } from './row.js';

/** What a header line says of the lines below it. */
export class LineShape {
  readonly #row: number;
  readonly #width: number;
  /** Columns up to the last header; a line that has fewer lacks something. */
  readonly #least: number;
  /** Columns within the header that have none. */
  readonly #unnamed: readonly number[];

  /** @param headers of the line, in its order */
  constructor(head: CsvRow, headers: readonly Header[]) {
    const named = new Set(headers.map(({ column }) => column));
    this.#row = head.number;
    this.#width = head.fields.length;
    this.#least = headers.at(-1)?.column ?? 0;
    this.#unnamed = head.fields.map((_, index) => index + 1).filter((column) => !named.has(column));
  }

  /** The line with what is wrong with its width: then its cells may stand in other columns than they were meant for. */
  check(row: CsvRow): CsvRow {
    const { fields } = row;
    if (fields.length === this.#width && this.#unnamed.length === 0) return row;
    const faults = this.#faults(fields);
    return faults.length > 0 ? row.withFaults(faults, this.#least) : row;
  }

  #faults(fields: readonly string[]): readonly RowFault[] {
    const header = this.#row;
    const faults = this.#unnamed
      .filter((column) => isFilled(fields[column - 1]))
      .map((column) => ({ column, message: message('source.csv_no_header', { header }) }));
    const params = { found: fields.length, expected: this.#width, header };
    const beyond = fields.findIndex((text, index) => index >= this.#width && isFilled(text));
    if (beyond >= 0)
      return [...faults, { column: beyond + 1, message: message('source.csv_row_long', params) }];
    if (fields.length >= this.#least || !fields.some(isFilled)) return faults;
    return [...faults, { message: message('source.csv_row_short', params) }];
  }
}

function isFilled(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== '';
}

/**
 * The shifted lines of a text file, read from a result workbook of ours: what had no column of its own there stands
 * under no header, and as long as it does, the line was not corrected.
 * @param headers of the whole row, the result's own among them
 */
export function stillShifted(row: Row, headers: readonly Header[], headerRow: number): Row {
  const status = headers.find(({ text }) => text === 'status')!;
  if (row.cell(status.column)?.text !== 'invalid') return row;
  const named = new Set(headers.map(({ column }) => column));
  const unnamed = row.cells().filter(({ column }) => !named.has(column));
  if (unnamed.length === 0) return row;
  const told = message('source.csv_no_header', { header: headerRow });
  return new ShapedRow(row, {
    faults: unnamed.map(({ column }) => ({ column, message: told })),
  });
}
