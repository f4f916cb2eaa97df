import { message } from '../errors/message.js';
import type { Cell } from '../model/cell.js';
import type { Header, Row, RowFault } from '../model/row.js';

/** A row that something was found wrong with after it was read. */
export class FaultyRow implements Row {
  readonly faults: readonly RowFault[];
  readonly #row: Row;

  constructor(row: Row, faults: readonly RowFault[]) {
    this.#row = row;
    this.faults = faults;
  }

  get sheet(): string {
    return this.#row.sheet;
  }

  get number(): number {
    return this.#row.number;
  }

  get hidden(): boolean {
    return this.#row.hidden;
  }

  cell(column: number): Cell | undefined {
    return this.#row.cell(column);
  }

  cells(): readonly Cell[] {
    return this.#row.cells();
  }
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
  return new FaultyRow(
    row,
    unnamed.map(({ column }) => ({ column, message: told })),
  );
}
