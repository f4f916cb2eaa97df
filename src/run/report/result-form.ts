import type { Language } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowResult } from '../../ledger/contract/report.js';
import type { Run } from '../../ledger/contract/run.js';
import type { JsonObject } from '../../model/json.js';
import type { Operation } from '../../model/operation.js';
import { recordValues } from '../../platform/operations/shared/records.js';
import type { ResultTable, ResultValue } from '../../workbook/contract.js';
import { resultMessage, whereRecordsAre } from './result-message.js';
import { pendingAs } from './steps/steps-rows.js';

/** What the result of a run tells beside the source's own columns, and of which rows. */
export interface ResultForm {
  /** Names of the result columns. */
  readonly columns: readonly string[];
  /** By ascending row. */
  rows(): AsyncIterable<readonly RowResult[]>;
  /** Aligned with the columns; of a row that `rows` gave. */
  values(result: RowResult): ResultValue[];
  readonly records?: ResultTable['records'];
  /** What the sheet `Summary` says of requests, and of each step. */
  readonly figures: readonly (readonly [label: string, value: string | number])[];
}

/** Columns of every operation's result, before and after its own (contract section 6). */
const BEFORE = ['row', 'status', 'licenseOrderId', 'code', 'message'] as const;
const AFTER = ['attempts', 'run'] as const;

/** The result of a run of one operation. */
export function plainForm(
  ledger: Ledger,
  run: Run,
  { resultColumns, recordColumns }: Operation,
  output: string,
  language: Language,
): ResultForm {
  const records = whereRecordsAre(output, run.id);
  return {
    columns: [...BEFORE, ...resultColumns, ...AFTER],
    rows: () => ledger.report.rows(run.id, pendingAs(run)),
    values: (result) => [
      result.row,
      result.status,
      result.licenseOrderId,
      result.code,
      resultMessage(result, language, records) || undefined,
      ...resultColumns.map((name) => result.columns[name]),
      result.attempts,
      run.id,
    ],
    records: recordColumns && {
      columns: ['row', ...recordColumns],
      lines: recordLines(ledger, run.id, recordColumns),
    },
    figures: [
      ['requests', run.requests],
      ['retries', run.retries],
    ],
  };
}

/** Records of a run as lines of the sheet `Records`: their row, then the columns. */
export async function* recordLines(
  ledger: Pick<Ledger, 'report'>,
  run: string,
  columns: readonly string[],
): AsyncGenerator<readonly (readonly ResultValue[])[]> {
  for await (const page of ledger.report.records(run)) {
    yield page.map(({ row, record }) => [row, ...recordValues(record as JsonObject, columns)]);
  }
}
