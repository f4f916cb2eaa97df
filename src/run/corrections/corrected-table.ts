import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { type Cell, type Correction, DerivedRow, type Row } from '../../model/row.js';
import { cellOfText } from '../../source/csv/csv-row.js';
import { PlainRow } from '../../source/stored-row.js';
import type { Table } from '../../source/table.js';
import { cellAddress } from '../../util/spreadsheet-text.js';
import { fold } from '../../util/text.js';
import { EXCLUDE, type Overlay, WHOLE_ROW } from './overlay.js';

export interface CorrectedCell extends Correction {
  /** The text in the file; empty for an empty cell. */
  readonly before: string;
}

/** The corrected cells of the rows that were read, with the texts in the file. */
export class CorrectedCells {
  readonly #rows = new Map<number, readonly CorrectedCell[]>();

  of(row: number): readonly CorrectedCell[] {
    return this.#rows.get(row) ?? [];
  }

  row(row: Row, corrections: ReadonlyMap<number, Correction>): Row {
    if (!this.#rows.has(row.number)) {
      const cells = [...corrections.values()].filter(({ column }) => column !== WHOLE_ROW);
      this.#rows.set(
        row.number,
        cells.map((correction) => ({ ...correction, before: row.cell(correction.column)?.text ?? '' })),
      );
    }
    return new CorrectedRow(row, corrections);
  }
}

/**
 * The table with corrections applied before anything is derived from the cells: a blank row with a corrected cell
 * becomes a row.
 * @throws ProductError usage for corrections of cells that the table does not have
 */
export function correctedTable(table: Table, overlay: Overlay, corrected: CorrectedCells): Table {
  refuseForeign(table, overlay);
  return { ...table, rows: () => correctedRows(table, overlay, corrected) };
}

async function* correctedRows(
  table: Table,
  overlay: Overlay,
  corrected: CorrectedCells,
): AsyncGenerator<readonly Row[]> {
  const sheet = table.sheet.name;
  const waiting = overlay.rows();
  let next = waiting.next();
  let last = table.headerRow;
  for await (const page of table.rows()) {
    const end = page.at(-1)!.number;
    last = end;
    if (next.done || next.value > end) {
      yield page;
      continue;
    }
    const rows: Row[] = [];
    for (const row of page) {
      for (; !next.done && next.value < row.number; next = waiting.next()) {
        const blank = correctedRow(sheet, next.value, undefined, overlay.row(next.value), corrected);
        if (blank) rows.push(blank);
      }
      if (!next.done && next.value === row.number) {
        rows.push(corrected.row(row, overlay.row(row.number)!));
        next = waiting.next();
      } else rows.push(row);
    }
    yield rows;
  }
  if (next.done) return;
  const { column, row } = overlay.row(next.value)!.values().next().value!;
  const params = { cell: cellAddress(column, row), sheet, row, last };
  throw new ProductError('usage', message('corrections.past_end', params));
}

/**
 * A row with its corrections, if it has any; undefined if all its cells are empty in the file and stay empty.
 * @param row as in the file
 */
export function correctedRow(
  sheet: string,
  number: number,
  row: Row | undefined,
  corrections: ReadonlyMap<number, Correction> | undefined,
  corrected = new CorrectedCells(),
): Row | undefined {
  if (!corrections) return row;
  if (row) return corrected.row(row, corrections);
  if ([...corrections.values()].every(({ column, text }) => text === '' || column === WHOLE_ROW))
    return undefined;
  return corrected.row(new PlainRow({ sheet, number, hidden: false }, []), corrections);
}

function refuseForeign({ headers, headerRow, sheet }: Table, overlay: Overlay): void {
  const byColumn = new Map(headers.map((header) => [header.column, header]));
  for (const { row, column, header } of overlay.cells) {
    const params = { cell: cellAddress(column, row), sheet: sheet.name, header, headerRow };
    if (row <= headerRow) throw new ProductError('usage', message('corrections.header', params));
    if (column === WHOLE_ROW) continue;
    const found = byColumn.get(column);
    if (!found) throw new ProductError('usage', message('corrections.beyond', params));
    if (found.folded !== fold(header))
      throw new ProductError('usage', message('corrections.other_header', { ...params, found: found.text }));
  }
}

class CorrectedRow extends DerivedRow {
  readonly #cells = new Map<number, Cell | undefined>();
  readonly #ofRow: string | undefined;

  constructor(row: Row, corrections: ReadonlyMap<number, Correction>) {
    super(row);
    this.#ofRow = corrections.get(WHOLE_ROW)?.text;
    for (const { column, text } of corrections.values()) {
      if (column === WHOLE_ROW) continue;
      const cell = cellOfText(column, text);
      this.#cells.set(column, cell && { ...cell, corrected: true });
    }
  }

  override get excluded(): boolean {
    return this.#ofRow === undefined ? super.excluded : this.#ofRow === EXCLUDE;
  }

  override cell(column: number): Cell | undefined {
    return this.#cells.has(column) ? this.#cells.get(column) : super.cell(column);
  }

  override cells(): readonly Cell[] {
    const unchanged = super.cells().filter(({ column }) => !this.#cells.has(column));
    const changed = [...this.#cells.values()].filter((cell) => cell !== undefined);
    return [...unchanged, ...changed].sort((a, b) => a.column - b.column);
  }
}
