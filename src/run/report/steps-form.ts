import type { Language, Message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/runs.js';
import type { JobStep, StepsJob } from '../../model/job.js';
import type { MapNode } from '../../model/map.js';
import type { Operation } from '../../model/operation.js';
import type { StepEnd } from '../../model/run-outcome.js';
import { STATUSES, type Status } from '../../model/status.js';
import { operationNamed } from '../../platform/operations/catalogue.js';
import type { ResultValue } from '../../workbook/result-line.js';
import type { StepRun } from '../step-runs.js';
import { type ResultForm, recordLines } from './result-form.js';
import { recordsLocation, resultMessage } from './result-message.js';
import { pendingAs, resultText, type StepsRow, stepsRows } from './row-results.js';

/** First columns of every result of a job of steps (contract section 9). */
const BEFORE_STEPS = ['row', 'status', 'licenseOrderId', 'step'] as const;

/** The result columns of one step. */
interface StepColumns {
  readonly name: string;
  readonly operation: Operation;
  /** Names of its results. Each is a column `<step>.<name>`. */
  readonly results: readonly string[];
  /** Results that come from records: a cell contains all values, separated by `; `. */
  readonly ofRecords: ReadonlySet<string>;
}

/**
 * The columns of each step of a job. A step's results are the values that its operation returns for the row. A field of
 * records has a column if it is the only field (asset numbers) or if a later step uses it. The others are in the sheet
 * `Records`, as a reply may contain hundreds of them.
 */
export function stepColumns({ steps }: Pick<StepsJob, 'steps'>): readonly StepColumns[] {
  return steps.map((step) => {
    const operation = operationNamed(step.operation);
    const used = fieldsUsedFrom(steps, step.name);
    const isShort = operation.recordColumns?.length === 1;
    const shown = operation.returns.filter((it) => !it.many || it.single || isShort || used.has(it.name));
    return {
      name: step.name,
      operation,
      results: shown.map((value) => value.name),
      ofRecords: new Set(shown.filter((value) => value.many).map((value) => value.name)),
    };
  });
}

/** The headers of a step's columns: its outcome, then its results. */
function stepHeaders({ name, results }: StepColumns): readonly string[] {
  return ['status', 'code', 'message', ...results].map((header) => `${name}.${header}`);
}

/** Fields of a step that the maps of later steps use. */
export function fieldsUsedFrom(steps: readonly JobStep[], name: string): ReadonlySet<string> {
  const used = new Set<string>();
  const visit = (node: MapNode): void => {
    if (node.kind === 'branch') for (const child of node.fields.values()) visit(child);
    else if (node.kind === 'lookup') for (const child of node.with.values()) visit(child);
    else if (node.kind === 'from') {
      if (node.step === name) used.add(node.field);
      if (node.else) visit(node.else);
    }
  };
  for (const { map } of steps) if (map) visit(map);
  return used;
}

/** The result of a run of several steps (contract section 9): a line per source row with each step's outcome. */
export function stepsForm(
  ledger: Ledger,
  run: Run,
  job: StepsJob,
  steps: readonly StepRun[],
  ends: readonly StepEnd[],
  output: string,
  language: Language,
): ResultForm {
  const records = recordsLocation(output, run.id);
  const columns = stepColumns(job);
  const hasRecords = columns.some((column) => column.operation.recordColumns !== undefined);
  return {
    columns: [...BEFORE_STEPS, ...columns.flatMap(stepHeaders)],
    rows: () => stepsRows(ledger, run, steps, (index) => (columns[index]?.ofRecords.size ?? 0) > 0),
    values: (result: StepsRow) => stepsValues(result, columns, pendingAs(run), language, records),
    records: hasRecords ? recordsOf(ledger, steps, columns) : undefined,
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

/** The sheet `Records`: step by step, with the step's name after the row. Fields with the same name share a column. */
function recordsOf(
  ledger: Ledger,
  steps: readonly StepRun[],
  columns: readonly StepColumns[],
): NonNullable<ResultForm['records']> {
  const fields = [...new Set(columns.flatMap((column) => column.operation.recordColumns ?? []))];
  return {
    columns: ['row', 'step', ...fields],
    lines: (async function* () {
      for (const { run, step, operation } of steps) {
        if (!run || !operation.recordColumns) continue;
        for await (const page of recordLines(ledger, run.id, fields))
          yield page.map(([row, ...values]) => [row, step.name, ...values]);
      }
    })(),
  };
}

/** A block for each step after the totals, with labels like the headers of the result's columns. */
function figuresOf(ends: readonly StepEnd[]): ResultForm['figures'] {
  const sum = (value: (end: StepEnd) => number): number => ends.reduce((total, end) => total + value(end), 0);
  return [
    ['requests', sum((end) => end.requests)],
    ['retries', sum((end) => end.retries)],
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
