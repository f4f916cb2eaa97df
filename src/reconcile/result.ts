import { type Message, render } from '../errors/message.js';
import { DRIFT_STATUSES } from '../model/drift.js';
import type { ActionRun, RunCounts } from '../model/run-outcome.js';
import { distinctMessages } from '../util/distinct-messages.js';
import { writeResult } from '../workbook/write.js';
import type { ReconcileOptions } from './contract.js';
import type { DriftRows } from './drift-rows.js';
import { fieldColumns } from './field-columns.js';
import { RECONCILE_COLUMNS } from './input.js';
import { type LineParts, reconcileLines } from './lines.js';

interface ResultAbout {
  readonly run: string;
  readonly options: ReconcileOptions;
  readonly inputSha256: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly counts: RunCounts;
  readonly requests: number;
  readonly retries: number;
  readonly reason?: Message;
  readonly warnings: readonly Message[];
  readonly actions: readonly ActionRun[];
}

/** Writes a reconciliation's result. Gives the path written. */
export function writeReconciliation(
  file: string,
  parts: Omit<LineParts, 'columns'>,
  about: ResultAbout,
  drift: DriftRows,
): Promise<string> {
  const { input } = parts;
  const columns = fieldColumns(about.options.job, input.table.headers);
  return writeResult(file, {
    job: about.options.job.name,
    run: about.run,
    language: parts.language,
    columns: RECONCILE_COLUMNS,
    headers: input.table.headers,
    lines: drift.listen(reconcileLines({ ...parts, columns })),
    summary: () => summaryLines(parts, about),
    copied: [],
    sandbox: about.options.connection.sandbox,
  });
}

function summaryLines(
  { language }: Pick<LineParts, 'language'>,
  about: ResultAbout,
): readonly (readonly [string, string | number])[] {
  const { job, connection, apply } = about.options;
  const { counts } = about;
  return [
    ['job', job.name],
    ['run', about.run],
    ['operation', `reconcile.${job.reconcile}`],
    ['connection', connection.sandbox ? `${connection.name} (SANDBOX)` : connection.name],
    ['mode', apply ? 'reconcile --apply' : 'reconcile'],
    ['input file', job.source.file],
    ['input SHA-256', about.inputSha256],
    ['start', new Date(about.startedAt).toISOString()],
    ['end', new Date(about.endedAt).toISOString()],
    ['rows', Object.values(counts).reduce((sum, it) => sum + it, 0)],
    ...DRIFT_STATUSES.filter((it) => counts[it] !== undefined).map((it) => [it, counts[it] ?? 0] as const),
    ['requests', about.requests],
    ['retries', about.retries],
    ...about.actions.map(
      (it) => ['action', `${it.operation}: run ${it.run}, ${countsText(it.counts)}`] as const,
    ),
    ...(about.reason ? [['stopped because', render(about.reason, language)] as const] : []),
    ...distinctMessages(about.warnings).map((it) => ['warning', render(it, language)] as const),
  ];
}

function countsText(counts: RunCounts): string {
  return Object.entries(counts)
    .map(([status, n]) => `${status} ${n}`)
    .join(', ');
}
