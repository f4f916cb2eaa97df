import type { Comparison } from '../model/comparison.js';
import type { Connection } from '../model/connection.js';
import type { ReconcileJob } from '../model/job.js';
import type { Header, Row } from '../model/row.js';
import { RESULT_NAMES } from '../platform/operations/index.js';
import { type BoundCondition, bindCondition, bindFillDown } from '../source/condition.js';
import type { FileSource } from '../source/contract.js';
import { withHeaderHint } from '../source/header-hint.js';
import { openSource } from '../source/open.js';
import { openTable, type Table } from '../source/table.js';
import { TableReader } from '../source/table-reader.js';
import { type BoundKeys, bindKeys } from './bind.js';

/** The job's sheet, opened from the kept copy of the input and bound to the job. */
export interface ComparedInput {
  readonly source: FileSource;
  readonly table: Table;
  readonly keys: BoundKeys;
  readonly where: BoundCondition | undefined;
  /** Every read of the table's rows goes through it. */
  readonly reader: TableReader;
  /** True for an extra record in an earlier reconciliation's result: it is no row of the source. */
  readonly wasExtra: (row: Row) => boolean;
}

/** @throws ProductError usage or input where the file, its sheet or its headers don't fit the job */
export async function openReconcileInput(
  job: ReconcileJob,
  comparison: Comparison,
  connection: Connection,
  copy: string,
): Promise<ComparedInput> {
  const { encoding, delimiter, headerRow, sheet } = job.source;
  const source = await openSource(copy, { encoding, delimiter, headerRow });
  try {
    const table = await openTable(source, {
      sheet,
      headerRow,
      // The result of a run can be compared like any other source: its statuses and order numbers are columns here.
      resultColumns: RESULT_NAMES,
      asAnyOther: true,
    });
    const place = { sheet: table.sheet.name, headers: table.headers };
    const bound = await withHeaderHint(source, [table], () => {
      const { headers, sheet: info } = table;
      const keys = bindKeys(job, comparison, connection, place);
      const where = bindCondition(job, 'where', info.name, headers);
      const reader = new TableReader(table, keys.use, {
        merged: job.source.merged ?? 'refuse',
        fillDown: bindFillDown(job, info.name, headers, []),
        until: bindCondition(job, 'until', info.name, headers),
        unmapped: where?.columns ?? [],
      });
      return { keys, where, reader };
    });
    return { source, table, ...bound, wasExtra: extrasOfResult(table.headers) };
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** Columns before the source's own (contract section 8). */
export const RECONCILE_COLUMNS = ['row', 'status', 'differences', 'action', 'outcome', 'message'] as const;

/**
 * Recognises the extra records in an earlier reconciliation's result. They came from the platform, so as rows of a
 * source they would always agree with it. Never true for any other table.
 */
function extrasOfResult(headers: readonly Header[]): (row: Row) => boolean {
  const isResult = RECONCILE_COLUMNS.every((name, index) => headers[index]?.text === name);
  const text = (row: Row, name: (typeof RECONCILE_COLUMNS)[number]): string =>
    row.cell(headers[RECONCILE_COLUMNS.indexOf(name)]?.column ?? 0)?.text.trim() ?? '';
  return (row) => isResult && text(row, 'row') === '' && text(row, 'status') === 'extra';
}
