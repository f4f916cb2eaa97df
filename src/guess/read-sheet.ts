import type { Header } from '../model/row.js';
import { RESULT_NAMES, STEP_RESULTS } from '../platform/operations/index.js';
import type { FileSource, SheetInfo } from '../source/contract.js';
import { openTable, type Table } from '../source/table.js';
import { TableReader } from '../source/table-reader.js';
import { groupedBy } from '../util/grouped-by.js';
import { ColumnProfile, type Profile } from './profile.js';

/** Rows that are read; more would add nothing new. */
export const ROWS_READ = 20_000;

/** A sheet with statistics of its columns. */
export interface SheetView {
  readonly sheet: SheetInfo;
  readonly headerRow: number;
  /** Number of data rows read. */
  readonly rows: number;
  /** The sheet has more rows than were read. */
  readonly cut: boolean;
  /** One for each different header, in the sheet's order. */
  readonly columns: readonly Profile[];
  /** The sheet is the `Results` of an earlier run. */
  readonly fromResult: boolean;
  /** Columns with data under merged ranges: read with the value of the range, as `source.merged: fill` does. */
  readonly merged: ReadonlySet<number>;
}

/**
 * Reads a sheet as a job would, and collects statistics of its columns.
 * @throws ProductError input for all that a run would refuse the sheet for
 */
export async function readSheet(source: FileSource, sheet: SheetInfo, headerRow: number): Promise<SheetView> {
  const added = { resultColumns: RESULT_NAMES, stepResults: STEP_RESULTS };
  const wanted = { sheet: sheet.position, headerRow, ...added };
  const table = await openTable(source, wanted);
  const columns = profilesOf(table.headers);
  const reader = new TableReader(table, NOTHING_MAPPED, {
    merged: 'fill',
    fillDown: [],
    until: undefined,
    unmapped: table.headers.map(({ column }) => column),
  });
  let rows = 0;
  let cut = false;
  for await (const page of reader.plain()) {
    for (const row of page) {
      if (rows === ROWS_READ) {
        cut = true;
        break;
      }
      rows += 1;
      // The cells of a faulty line may have shifted into other columns.
      if (!row.faults) for (const column of columns) column.add(row);
    }
    if (cut) break;
  }
  const { fromResult } = table;
  const merged = columnsUnderMerges(table);
  return { sheet: table.sheet, headerRow: table.headerRow, rows, cut, columns, fromResult, merged };
}

/** The map is only made from what is read here. */
const NOTHING_MAPPED = { columns: [], key: [], identifiers: [] };

/** Titles are merged above the header, and footers across the columns: only ranges over several rows of data count. */
function columnsUnderMerges({ merges, headers, headerRow }: Table): ReadonlySet<number> {
  const found = new Set<number>();
  for (let range = 0; range < merges.count; range += 1) {
    if (merges.top(range) <= headerRow || merges.bottom(range) === merges.top(range)) continue;
    for (const { column } of headers) {
      if (column >= merges.left(range) && column <= merges.right(range)) found.add(column);
    }
  }
  return found;
}

function profilesOf(headers: readonly Header[]): readonly ColumnProfile[] {
  return [...groupedBy(headers, (it) => it.folded).values()].map(([first, ...rest]) => {
    const doubles = rest.map((it) => it.column);
    return new ColumnProfile(first!, doubles);
  });
}
