import type { Header, Row } from '../model/row.js';
import { RESULT_NAMES, STEP_RESULTS } from '../platform/operations/index.js';
import { bindCondition } from '../source/condition.js';
import { withHeaderHint } from '../source/header-hint.js';
import { openSource } from '../source/open.js';
import { openTable } from '../source/table.js';
import { TableReader } from '../source/table-reader.js';
import { bindKeys } from './bind.js';
import type { BegunReconciliation, ComparedInput } from './reconciliation.js';

/** @throws ProductError usage or input where the file, its sheet or its headers don't fit the job */
export async function openReconcileInput(begun: BegunReconciliation): Promise<ComparedInput> {
  const { job, comparison, connection, copy, env } = begun;
  const { encoding, delimiter, headerRow, sheet, password } = job.source;
  const source = await openSource(copy, { encoding, delimiter, headerRow, password, env });
  try {
    const table = await openTable(source, {
      sheet,
      headerRow,
      // The result of a run can be compared like any other source: its statuses and order numbers are columns here.
      resultColumns: RESULT_NAMES,
      stepResults: STEP_RESULTS,
      asAnyOther: true,
    });
    const place = { sheet: table.sheet.name, headers: table.headers };
    const bound = await withHeaderHint(source, [table], () => {
      const { headers, sheet: info } = table;
      const keys = bindKeys(job, comparison, connection, place);
      const where = bindCondition(job, 'where', info.name, headers);
      const until = bindCondition(job, 'until', info.name, headers);
      return { keys, where, reader: TableReader.of(job, table, keys.use, [], { where, until }) };
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
