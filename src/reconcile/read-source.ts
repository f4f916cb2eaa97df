import { type Message, message } from '../errors/message.js';
import { rowFaults } from '../mapping/bound-entry.js';
import { CellWarnings } from '../mapping/mapping-pass.js';
import { hiddenRowsWarning, type LeftOut, leftOut } from '../source/non-data-rows.js';
import type { ReadRow } from '../source/table-reader.js';
import { RowNumbers } from '../util/text.js';
import { keyOf } from './bind.js';
import type { Reconciliation } from './input.js';
import type { DriftVerdict } from './services.js';

export interface SourceRead {
  readonly rows: number;
  /** Number of the last row, or of the header if there is none. */
  readonly lastRow: number;
  /** The first row whose key cannot be read. Its record would be treated as extra. */
  readonly unreadableKey?: number;
  readonly warnings: readonly Message[];
}

/** Warnings about cells, collected while the rows are read. */
interface CellReport {
  readonly cells: CellWarnings;
  readonly warnings: Message[];
}

/**
 * Reads the source once: rows that can be compared go to the store by request, the others get their verdict. The names
 * in excluded rows are stored too, so that their records are not extra.
 * @throws ProductError input for hidden rows that the job rejects
 */
export async function readSource(reconciliation: Reconciliation): Promise<SourceRead> {
  const { job, input, store, observer } = reconciliation;
  const { sheet, headerRow } = input.table;
  const total = { rows: 0, lastRow: headerRow };
  const hidden = new RowNumbers();
  const report: CellReport = { cells: new CellWarnings(), warnings: [] };
  let unreadableKey: number | undefined;
  for await (const chunk of input.reader.rows()) {
    const stopped = reconciliation.stop.cause !== undefined;
    for (const line of chunk) {
      const { row } = line;
      total.rows += 1;
      total.lastRow = row.number;
      if (row.hidden) hidden.add(row.number);
      // Counted too, so that the statuses add up to the rows of the result.
      if (stopped) store.setVerdict(row.number, NOT_COMPARED);
      else if (!storeRow(line, reconciliation, report)) unreadableKey ??= row.number;
    }
    observer.progress({ stage: 'plan', done: total.rows });
  }
  const hiddenWarning = hiddenRowsWarning(job.source, sheet.name, hidden);
  store.index();
  const warnings: Message[] = [...input.source.warnings, ...report.warnings, ...report.cells.rest()];
  if (total.rows === 0) {
    const params = { file: job.source.file, sheet: sheet.name, header: headerRow };
    warnings.push(message('run.no_rows', params));
  }
  if (hiddenWarning) warnings.push(hiddenWarning);
  warnings.push(...input.reader.warnings());
  const { rows, lastRow } = total;
  return { rows, lastRow, warnings, unreadableKey };
}

const NOT_COMPARED: DriftVerdict = {
  status: 'error',
  differences: [],
  message: message('reconcile.not_asked'),
};

/** @returns false if the row's key cannot be read */
function storeRow(
  line: ReadRow,
  { job, comparison, input, store }: Reconciliation,
  report: CellReport,
): boolean {
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
  const excluded = leftOut(line, input.where, job.source.hiddenRows);
  if (excluded) {
    store.setVerdict(row.number, { differences: [], ...verdictOf(line, excluded) });
    // A row without data names nothing. A row that may be data is recognised by its key.
    if (nonData && excluded.kind === 'skipped') return true;
    const key = input.keys.key(row);
    for (const name of key ? comparison.names(key) : []) store.addName(name.id);
    return key !== undefined;
  }
  const read = input.keys.read(row);
  if (read.kind === 'row') {
    report.warnings.push(...read.warnings.filter((warning) => report.cells.names(warning)));
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
  { kind, message: reason, column }: LeftOut,
): Pick<DriftVerdict, 'status' | 'message' | 'faults'> {
  if (kind === 'skipped') return { status: 'skipped', message: reason };
  if (!nonData && column === undefined) return { status: 'error', message: reason };
  return { status: 'error', faults: [{ sheet: row.sheet, row: row.number, column, message: reason }] };
}
