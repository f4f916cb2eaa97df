import type { Header } from '../model/row.js';
import { RESULT_NAMES } from '../platform/operations/index.js';
import type { FileSource, SheetInfo } from '../source/contract.js';
import { openTable } from '../source/table.js';
import { ColumnProfile, type Profile } from './profile.js';

/** Rows whose cells are looked at; more would tell nothing new. */
export const ROWS_READ = 20_000;

/** A sheet with what stands in its columns. */
export interface SheetView {
  readonly sheet: SheetInfo;
  readonly headerRow: number;
  /** Data rows that were looked at. */
  readonly rows: number;
  /** There are more rows than were looked at. */
  readonly cut: boolean;
  /** One for each different header, in the sheet's order. */
  readonly columns: readonly Profile[];
  /** The sheet is the `Results` of an earlier run. */
  readonly fromResult: boolean;
}

/**
 * Reads a sheet as a job would, and gathers what its columns hold.
 * @throws ProductError input for all that a run would refuse the sheet for
 */
export async function readSheet(source: FileSource, sheet: SheetInfo, headerRow: number): Promise<SheetView> {
  const wanted = { sheet: sheet.position, headerRow, resultColumns: RESULT_NAMES };
  const table = await openTable(source, wanted);
  const columns = profilesOf(table.headers);
  let rows = 0;
  let cut = false;
  for await (const page of table.rows()) {
    for (const row of page) {
      if (rows === ROWS_READ) {
        cut = true;
        break;
      }
      rows += 1;
      // Cells of a line that may have shifted tell nothing of their columns.
      if (!row.faults) for (const column of columns) column.add(row);
    }
    if (cut) break;
  }
  const { fromResult } = table;
  return { sheet: table.sheet, headerRow: table.headerRow, rows, cut, columns, fromResult };
}

function profilesOf(headers: readonly Header[]): readonly ColumnProfile[] {
  const byName = new Map<string, Header[]>();
  for (const header of headers) {
    const same = byName.get(header.folded);
    if (same) same.push(header);
    else byName.set(header.folded, [header]);
  }
  return [...byName.values()].map(
    ([first, ...rest]) =>
      new ColumnProfile(
        first!,
        rest.map((it) => it.column),
      ),
  );
}
