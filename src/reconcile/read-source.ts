import { type Message, message } from '../errors/message.js';
import { CellWarnings } from '../mapping/cell-warnings.js';
import { rowFaults } from '../mapping/row-faults.js';
import { hiddenRowsWarning } from '../source/hidden-rows.js';
import { leftOut } from '../source/left-out.js';
import type { LeftOut } from '../source/non-data-row.js';
import { RowNumbers } from '../source/row-numbers.js';
import type { ReadRow } from '../source/table-reader.js';
import { keyOf } from './bind.js';
import type { DriftVerdict } from './contract.js';
import type { Reconciliation } from './reconciliation.js';

export interface SourceRead {
  readonly rows: number;
  /** The number of the last row; the header's where there is none. */
  readonly lastRow: number;
  /** The first row whose key can't be told: what it names would count as extra. */
  readonly unreadableKey?: number;
  readonly warnings: readonly Message[];
}

/** What is told of cells while the rows are read. */
interface Told {
  readonly cells: CellWarnings;
  readonly warnings: Message[];
}

/**
 * Reads the source once: rows that can be compared go to the store by request, the others get their verdict. Rows
 * that are left out still make what they name known: it is no extra record.
 * @throws ProductError input for hidden rows that the job refuses
 */
export async function readSource(reading: Reconciliation): Promise<SourceRead> {
  const { job, input, store, observer } = reading;
  const { sheet, headerRow } = input.table;
  const found = { rows: 0, lastRow: headerRow };
  const hidden = new RowNumbers();
  const told: Told = { cells: new CellWarnings(), warnings: [] };
  let unreadableKey: number | undefined;
  for await (const chunk of input.reader.rows()) {
    const stopped = reading.stop.cause !== undefined;
    for (const line of chunk) {
      const { row } = line;
      found.rows += 1;
      found.lastRow = row.number;
      if (row.hidden) hidden.add(row.number);
      // Counted all the same: the statuses add up to the rows of the result.
      if (stopped) store.setVerdict(row.number, NOT_COMPARED);
      else if (!keep(line, reading, told)) unreadableKey ??= row.number;
    }
    observer.progress({ stage: 'plan', done: found.rows });
  }
  const hiddenWarning = hiddenRowsWarning(job.source, sheet.name, hidden);
  store.index();
  const warnings: Message[] = [...input.source.warnings, ...told.warnings, ...told.cells.rest()];
  if (found.rows === 0) {
    const params = { file: job.source.file, sheet: sheet.name, header: headerRow };
    warnings.push(message('run.no_rows', params));
  }
  if (hiddenWarning) warnings.push(hiddenWarning);
  warnings.push(...input.reader.warnings());
  const { rows, lastRow } = found;
  return { rows, lastRow, warnings, unreadableKey };
}

const NOT_COMPARED: DriftVerdict = {
  status: 'error',
  differences: [],
  message: message('reconcile.not_asked'),
};

/** Whether it can be told what the row names. */
function keep(line: ReadRow, { job, comparison, input, store }: Reconciliation, told: Told): boolean {
  const { row, nonData } = line;
  if (input.wasExtra(row)) {
    store.setVerdict(row.number, {
      status: 'skipped',
      differences: [],
      message: message('reconcile.was_extra'),
    });
    return true;
  }
  if (row.faults && !nonData) {
    store.setVerdict(row.number, { status: 'error', differences: [], faults: rowFaults(row) });
    return false;
  }
  const out = leftOut(line, input.where, job.source.hiddenRows);
  if (out) {
    store.setVerdict(row.number, { differences: [], ...verdictOf(line, out) });
    // What is no data names nothing; what may be data is known by its key all the same.
    if (nonData && out.kind === 'skipped') return true;
    const key = input.keys.key(row);
    for (const name of key ? comparison.names(key) : []) store.addName(name.id);
    return key !== undefined;
  }
  const read = input.keys.read(row);
  if (read.kind === 'row') {
    told.warnings.push(...read.warnings.filter((it) => told.cells.names(it)));
    const key = keyOf(read.body);
    const names = comparison.names(key).map(({ id }) => id);
    store.addRow({ row: row.number, body: read.body }, comparison.request(key), names);
    return true;
  }
  store.setVerdict(row.number, { status: 'error', differences: [], faults: read.faults });
  for (const name of read.key ? comparison.names(read.key) : []) store.addName(name.id);
  return read.key !== undefined;
}

function verdictOf(
  { row, nonData }: ReadRow,
  { kind, message: told, column }: LeftOut,
): Pick<DriftVerdict, 'status' | 'message' | 'faults'> {
  if (kind === 'skipped') return { status: 'skipped', message: told };
  if (!nonData && column === undefined) return { status: 'error', message: told };
  return { status: 'error', faults: [{ sheet: row.sheet, row: row.number, column, message: told }] };
}
