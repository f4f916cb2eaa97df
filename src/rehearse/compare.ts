import type { Language } from '../errors/message.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run } from '../ledger/contract/runs.js';
import { OPERATION_NAMES, type OperationName } from '../model/operation.js';
import { operationNamed } from '../platform/operations/catalogue.js';
import { reportRows } from '../run/report/row-results.js';
import { hasSteps, stepsSettings } from '../run/step-runs.js';
import { keptRows, outcomeOfRow, type RowCame } from './stored-rehearsals.js';

/** A row whose outcome differs from its rehearsal. One side may be absent. */
export interface RowDifference {
  readonly row: number;
  readonly rehearsed?: RowCame;
  readonly happened?: RowCame;
  /** Result columns that differ, by name. */
  readonly columns: readonly string[];
}

/** A row of both, with the difference, if any. */
interface ComparedRow {
  readonly row: number;
  readonly difference?: RowDifference | undefined;
}

/**
 * Compares a run with a rehearsal of it, row by row, in order. Compares status and code, and results that do not depend
 * on the platform's numbering: numbers and ids that a platform assigns differ each time.
 * @param after only rows with higher numbers
 */
export async function* compareRows(
  ledger: Ledger,
  run: Run,
  file: string,
  language: Language,
  after = 0,
): AsyncGenerator<ComparedRow> {
  const comparable = comparableColumns(run);
  const rehearsed = keptRows(file, after);
  let expected = await rehearsed.next();
  for await (const page of reportRows(ledger, run, after)) {
    for (const result of page) {
      const happened = outcomeOfRow(result, language);
      while (!expected.done && expected.value.row < happened.row) {
        yield oneSided({ row: expected.value.row, rehearsed: expected.value, columns: [] });
        expected = await rehearsed.next();
      }
      if (expected.done || expected.value.row > happened.row) {
        yield oneSided({ row: happened.row, happened, columns: [] });
        continue;
      }
      yield { row: happened.row, difference: differenceOf(expected.value, happened, comparable) };
      expected = await rehearsed.next();
    }
  }
  for (; !expected.done; expected = await rehearsed.next()) {
    yield oneSided({ row: expected.value.row, rehearsed: expected.value, columns: [] });
  }
}

function oneSided(difference: RowDifference): ComparedRow {
  return { row: difference.row, difference };
}

function differenceOf(
  rehearsed: RowCame,
  happened: RowCame,
  comparable: ReadonlySet<string>,
): RowDifference | undefined {
  const isSkipped = rehearsed.status === 'skipped' && happened.status === 'skipped';
  const names = Object.keys({ ...rehearsed.columns, ...happened.columns });
  const columns = names.filter(
    (name) => (isSkipped || comparable.has(name)) && rehearsed.columns[name] !== happened.columns[name],
  );
  // The result of an earlier run is the same for both.
  if (isSkipped && rehearsed.licenseOrderId !== happened.licenseOrderId) columns.unshift('licenseOrderId');
  const same = rehearsed.status === happened.status && (rehearsed.code ?? '') === (happened.code ?? '');
  if (same && columns.length === 0) return undefined;
  return { row: happened.row, rehearsed, happened, columns };
}

/** Result columns that the platform does not generate: those of operations that only read, or set given values. */
function comparableColumns(run: Run): ReadonlySet<string> {
  const columnsOf = (operation: OperationName, prefix = ''): readonly string[] => {
    const { repeatable, resultColumns } = operationNamed(operation);
    return repeatable ? resultColumns.map((column) => `${prefix}${column}`) : [];
  };
  if (hasSteps(run)) {
    return new Set(stepsSettings(run).job.steps.flatMap((it) => columnsOf(it.operation, `${it.name}.`)));
  }
  const operation = OPERATION_NAMES.find((name) => name === run.operation);
  return new Set(operation ? columnsOf(operation) : []);
}
