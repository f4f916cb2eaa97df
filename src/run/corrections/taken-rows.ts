import type { Job, StepsJob } from '../../model/job.js';
import type { Row } from '../../model/row.js';
import type { Table } from '../../source/table.js';
import { fold } from '../../util/fold.js';
import type { Overlay } from './overlay.js';

/** Rows of the job's sheet as its file has them, by Excel's numbers. */
export interface FileRows {
  /** undefined where all cells are empty. */
  row(number: number): Promise<Row | undefined>;
  /** The last row with a filled cell. */
  readonly last: number;
}

interface CorrectedFile {
  readonly file: FileRows;
  /** All that is corrected. */
  readonly overlay: Overlay;
}

/** No further are rows looked at that belong together with one, or that it takes values from: the whole check does. */
export const FARTHEST = 20_000;

/** The rows above that the first ones take values from: over merged ranges, and by `fillDown`. */
export async function addRowsAbove(
  job: Job | StepsJob,
  table: Table,
  { file, overlay }: CorrectedFile,
  top: number,
  numbers: Set<number>,
): Promise<void> {
  const { merges, headerRow } = table;
  let first = top;
  // Ranges come by ascending top, so those that begin lower are looked at first.
  for (let range = merges.count - 1; range >= 0; range -= 1) {
    if (merges.top(range) < first && merges.bottom(range) >= first && merges.top(range) > headerRow)
      first = merges.top(range);
  }
  const columns = new Set(fillDownColumns(job, table));
  for (let row = top - 1; row > headerRow && top - row <= FARTHEST; row -= 1) {
    if (row < first && columns.size === 0) return;
    numbers.add(row);
    const there = await file.row(row);
    for (const column of columns) {
      const typed = overlay.row(row)?.get(column);
      const isFilled = typed ? typed.text.trim() !== '' : (there?.cell(column)?.text.trim() ?? '') !== '';
      if (isFilled) columns.delete(column);
    }
  }
}

/** The last row that takes a value from a corrected one. */
export async function lastTaking(
  job: Job | StepsJob,
  table: Table,
  { file, overlay }: CorrectedFile,
  row: number,
): Promise<number> {
  const { merges } = table;
  let last = row;
  for (let range = 0; range < merges.count && merges.top(range) <= row; range += 1)
    if (merges.bottom(range) > last && merges.top(range) === row) last = merges.bottom(range);
  const typed = overlay.row(row);
  for (const column of fillDownColumns(job, table)) {
    if (!typed?.has(column)) continue;
    let below = row + 1;
    for (; below <= file.last && below - row <= FARTHEST; below += 1) {
      if (((await file.row(below))?.cell(column)?.text.trim() ?? '') !== '') break;
    }
    last = Math.max(last, below - 1);
  }
  return Math.min(last, row + FARTHEST, file.last);
}

function fillDownColumns({ source }: Job | StepsJob, { headers }: Table): readonly number[] {
  const named = (source.fillDown ?? []).map(fold);
  return headers.filter(({ folded }) => named.includes(folded)).map(({ column }) => column);
}
