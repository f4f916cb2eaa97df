import type { Language } from '../errors/message.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run } from '../ledger/contract/run.js';
import { OPERATION_NAMES, type OperationName } from '../model/operation.js';
import { operationNamed } from '../platform/operations/index.js';
import { reportRows } from '../run/report/steps/steps-rows.js';
import { hasSteps, stepsSettings } from '../run/step-runs.js';
import { keptRows, type RowCame, rowCame } from './kept.js';

/** A row that came out otherwise than it was rehearsed; on one side it may not be there. */
export interface RowDifference {
  readonly row: number;
  readonly rehearsed?: RowCame;
  readonly happened?: RowCame;
  /** Result columns that differ, by name. */
  readonly columns: readonly string[];
}

/** A row of both, with what differs, if anything. */
interface ComparedRow {
  readonly row: number;
  readonly difference?: RowDifference | undefined;
}

/**
 * Goes through a run and a rehearsal of it row by row: rows in order, each with what differs, if anything. Status and
 * code are compared, and results that both must have had from what was there: numbers and ids that a platform gives out
 * are others each time.
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
      const happened = rowCame(result, language);
      while (!expected.done && expected.value.row < happened.row) {
        yield onlyOne({ row: expected.value.row, rehearsed: expected.value, columns: [] });
        expected = await rehearsed.next();
      }
      if (expected.done || expected.value.row > happened.row) {
        yield onlyOne({ row: happened.row, happened, columns: [] });
        continue;
      }
      yield { row: happened.row, difference: differenceOf(expected.value, happened, comparable) };
      expected = await rehearsed.next();
    }
  }
  for (; !expected.done; expected = await rehearsed.next()) {
    yield onlyOne({ row: expected.value.row, rehearsed: expected.value, columns: [] });
  }
}

function onlyOne(difference: RowDifference): ComparedRow {
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
    (it) => (isSkipped || comparable.has(it)) && rehearsed.columns[it] !== happened.columns[it],
  );
  // What an earlier run had got is the same for both.
  if (isSkipped && rehearsed.licenseOrderId !== happened.licenseOrderId) columns.unshift('licenseOrderId');
  const same = rehearsed.status === happened.status && (rehearsed.code ?? '') === (happened.code ?? '');
  if (same && columns.length === 0) return undefined;
  return { row: happened.row, rehearsed, happened, columns };
}

/** Result columns that a platform doesn't make up: those of operations that read, or set what was told. */
function comparableColumns(run: Run): ReadonlySet<string> {
  const of = (operation: OperationName, prefix = ''): readonly string[] => {
    const { repeatable, resultColumns } = operationNamed(operation);
    return repeatable ? resultColumns.map((it) => `${prefix}${it}`) : [];
  };
  if (hasSteps(run)) {
    return new Set(stepsSettings(run).job.steps.flatMap((it) => of(it.operation, `${it.name}.`)));
  }
  const operation = OPERATION_NAMES.find((it) => it === run.operation);
  return new Set(operation ? of(operation) : []);
}
