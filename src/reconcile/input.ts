import type { Message } from '../errors/message.js';
import type { Comparison } from '../model/comparison.js';
import type { Header, Row } from '../model/row.js';
import { RESULT_NAMES, STEP_RESULTS } from '../platform/operations/catalogue.js';
import { type BoundCondition, bindCondition } from '../source/condition.js';
import { withHeaderHint } from '../source/header-row.js';
import { openSource } from '../source/open-source.js';
import type { FileSource } from '../source/source.js';
import { openTable, type Table } from '../source/table.js';
import { TableReader } from '../source/table-reader.js';
import { type BoundKeys, bindKeys } from './bind.js';
import type { DriftStore } from './drift-store.js';
import type { ReconcileOptions, ReconcileServices } from './services.js';

/** The job's sheet, opened from the stored copy of the input and bound to the job. */
interface ComparedInput {
  readonly source: FileSource;
  readonly table: Table;
  readonly keys: BoundKeys;
  readonly where: BoundCondition | undefined;
  /** All reads of the table's rows use it. */
  readonly reader: TableReader;
  /** True for an extra record in an earlier reconciliation's result, which is not a row of the source. */
  readonly wasExtra: (row: Row) => boolean;
}

/** A started reconciliation, with the data that all its steps share. */
export interface StartedReconciliation extends ReconcileServices, ReconcileOptions {
  readonly run: string;
  readonly comparison: Comparison;
  /** Path of the result. Results of actions are written next to it. */
  readonly output: string;
  /** The stored copy of the input. */
  readonly copy: string;
  readonly inputSha256: string;
  readonly startedAt: number;
  readonly store: DriftStore;
  /** Warnings so far. */
  readonly warned: readonly Message[];
}

export interface Reconciliation extends StartedReconciliation {
  readonly input: ComparedInput;
}

/** @throws ProductError usage or input if the file, its sheet or its headers do not match the job */
export async function openReconcileInput(started: StartedReconciliation): Promise<ComparedInput> {
  const { job, comparison, connection, copy, env } = started;
  const { encoding, delimiter, headerRow, sheet, password } = job.source;
  const source = await openSource(copy, { encoding, delimiter, headerRow, password, env });
  try {
    const table = await openTable(source, {
      sheet,
      headerRow,
      // The result of a run can be compared like any other source. Its statuses and order numbers are columns here.
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
