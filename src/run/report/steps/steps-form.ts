import type { Language, Message } from '../../../errors/message.js';
import type { Ledger } from '../../../ledger/contract/ledger.js';
import type { Run } from '../../../ledger/contract/run.js';
import type { StepsJob } from '../../../model/job.js';
import type { StepEnd } from '../../../model/run-outcome.js';
import { STATUSES, type Status } from '../../../model/status.js';
import type { ResultValue } from '../../../workbook/contract.js';
import type { StepRun } from '../../step-runs.js';
import { type ResultForm, recordLines } from '../result-form.js';
import { resultMessage, whereRecordsAre } from '../result-message.js';
import { BEFORE_STEPS, type StepColumns, stepColumns, stepHeaders } from './step-columns.js';
import { pendingAs, resultText, type StepsRow, stepsRows } from './steps-rows.js';

/** The result of a run of several steps (contract section 9): a line for each source row, with what each step came to. */
export function stepsForm(
  ledger: Ledger,
  run: Run,
  job: StepsJob,
  steps: readonly StepRun[],
  ends: readonly StepEnd[],
  output: string,
  language: Language,
): ResultForm {
  const records = whereRecordsAre(output, run.id);
  const columns = stepColumns(job);
  const gives = columns.some((it) => it.operation.recordColumns !== undefined);
  return {
    columns: [...BEFORE_STEPS, ...columns.flatMap(stepHeaders)],
    rows: () => stepsRows(ledger, run, steps, (index) => (columns[index]?.ofRecords.size ?? 0) > 0),
    values: (result: StepsRow) => stepsValues(result, columns, pendingAs(run), language, records),
    records: gives ? recordsOf(ledger, steps, columns) : undefined,
    figures: figuresOf(ends),
  };
}

function stepsValues(
  result: StepsRow,
  columns: readonly StepColumns[],
  pending: Status,
  language: Language,
  records: Message,
): ResultValue[] {
  const values: ResultValue[] = [result.row, result.status, result.licenseOrderId, result.step];
  columns.forEach(({ results, ofRecords }, index) => {
    const part = result.steps[index];
    values.push(part?.status ?? pending, part?.code);
    values.push((part && resultMessage(part, language, records)) || undefined);
    for (const name of results) values.push(part && resultText(part, name, ofRecords.has(name)));
  });
  return values;
}

/** The sheet `Records`: step by step, with the name of the step behind the row; fields of the same name share a column. */
function recordsOf(
  ledger: Ledger,
  steps: readonly StepRun[],
  columns: readonly StepColumns[],
): NonNullable<ResultForm['records']> {
  const fields = [...new Set(columns.flatMap((it) => it.operation.recordColumns ?? []))];
  return {
    columns: ['row', 'step', ...fields],
    lines: (async function* () {
      for (const { run, step, operation } of steps) {
        if (!run || !operation.recordColumns) continue;
        for await (const page of recordLines(ledger, run.id, fields)) {
          yield page.map(([row, ...values]) => [row, step.name, ...values]);
        }
      }
    })(),
  };
}

/** A block for each step below the figures of all; labels are as the headers of the result's columns. */
function figuresOf(ends: readonly StepEnd[]): ResultForm['figures'] {
  const sum = (of: (it: StepEnd) => number): number => ends.reduce((all, it) => all + of(it), 0);
  return [
    ['requests', sum((it) => it.requests)],
    ['retries', sum((it) => it.retries)],
    ...ends.flatMap(({ name, run, operation, counts, requests, retries }) =>
      [
        ['run', run ?? ''] as const,
        ['operation', operation] as const,
        ...STATUSES.filter((it) => counts[it] !== undefined).map((it) => [it, counts[it] ?? 0] as const),
        ['requests', requests] as const,
        ['retries', retries] as const,
      ].map(([label, value]) => [`${name}.${label}`, value] as const),
    ),
  ];
}
