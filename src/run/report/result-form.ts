import { type Language, type Message, render } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { LookupCounts } from '../../ledger/contract/plan.js';
import type { RowResult } from '../../ledger/contract/report.js';
import type { Run } from '../../ledger/contract/runs.js';
import type { JsonObject } from '../../model/json.js';
import type { Operation } from '../../model/operation.js';
import { STATUSES, type Status } from '../../model/status.js';
import { recordValues } from '../../platform/operations/shared/records.js';
import { displayedFile } from '../../source/source.js';
import { distinctMessages } from '../../util/error-detail.js';
import type { ResultTable, ResultValue } from '../../workbook/result-line.js';
import type { RunSettings, StepsSettings } from '../settings.js';
import { recordsLocation, resultMessage } from './result-message.js';
import { pendingAs } from './row-results.js';

/** The columns that a result adds to the source's own, and its rows. */
export interface ResultForm {
  /** Names of the result columns. */
  readonly columns: readonly string[];
  /** By ascending row. */
  rows(): AsyncIterable<readonly RowResult[]>;
  /** Aligned with the columns, for a row from `rows`. */
  values(result: RowResult): ResultValue[];
  readonly records?: ResultTable['records'];
  /** Requests and steps on the sheet `Summary`. */
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
  const records = recordsLocation(output, run.id);
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

/** Records of a run as lines of the sheet `Records`: the row, then the columns. */
export async function* recordLines(
  ledger: Pick<Ledger, 'report'>,
  run: string,
  columns: readonly string[],
): AsyncGenerator<readonly (readonly ResultValue[])[]> {
  for await (const page of ledger.report.records(run))
    yield page.map(({ row, record }) => [row, ...recordValues(record as JsonObject, columns)]);
}

interface Summarised {
  readonly run: Run;
  readonly settings: RunSettings | StepsSettings;
  readonly form: Pick<ResultForm, 'figures'>;
  readonly lookups: LookupCounts;
  readonly language: Language;
  readonly counts: Readonly<Partial<Record<Status, number>>>;
  readonly warnings: readonly Message[];
}

/** Modes on the sheet `Summary`. Programs read them, so they are the same in every language. */
const MODE: Readonly<Record<Run['kind'], string>> = {
  run: 'run',
  dry_run: 'dry run',
  plan: 'plan',
  reconcile: 'reconcile',
};

function roleOf({ step }: Run, { retry }: Summarised['settings']): string {
  if (step !== undefined) return 'step of';
  return retry ? 'retry of' : 'action of';
}

function lookupFigures({ asked, unanswered, requests }: LookupCounts): (readonly [string, number])[] {
  return [
    ['lookups', asked],
    ['lookup requests', requests],
    ...(unanswered === 0 ? [] : [['lookups without a valid reply', unanswered] as const]),
  ];
}

/** Labels and values of the sheet `Summary`. */
export function summaryLines({
  run,
  settings,
  form,
  lookups,
  language,
  counts,
  warnings,
}: Summarised): (readonly [string, string | number])[] {
  const iso = (time: number | undefined): string => (time === undefined ? '' : new Date(time).toISOString());
  return [
    ['job', run.job],
    ['run', run.id],
    ['operation', run.operation],
    ['connection', settings.connection.sandbox ? `${run.connection} (SANDBOX)` : run.connection],
    ...(run.parent === undefined ? [] : [[roleOf(run, settings), run.parent] as const]),
    ['mode', settings.rehearsal ? 'rehearsal' : MODE[run.kind]],
    ...(settings.job.undoes ? [['reverts', settings.job.undoes.run] as const] : []),
    ['input file', displayedFile(run.inputFile)],
    ['input SHA-256', run.inputSha256],
    ...(settings.corrections
      ? [
          ['corrected cells', settings.corrections.cells] as const,
          ['corrections SHA-256', settings.corrections.sha256] as const,
        ]
      : []),
    ['start', iso(run.startedAt)],
    ...(run.appliedAt === undefined ? [] : [['applied', iso(run.appliedAt)] as const]),
    ['end', iso(run.endedAt)],
    ['rows', Object.values(counts).reduce((sum, rows) => sum + rows, 0)],
    ...STATUSES.filter((it) => counts[it] !== undefined).map((it) => [it, counts[it] ?? 0] as const),
    ...form.figures,
    ...(lookups.asked === 0 ? [] : lookupFigures(lookups)),
    ...(run.reason ? [['stopped because', render(run.reason, language)] as const] : []),
    ...distinctMessages(warnings).map((warning) => ['warning', render(warning, language)] as const),
  ];
}
