import { type Message, render } from '../errors/message.js';
import { DRIFT_STATUSES } from '../model/drift.js';
import type { ActionRun, RunCounts } from '../model/run-outcome.js';
import { isResultFile } from '../source/result-file.js';
import { distinctMessages } from '../util/distinct-messages.js';
import { isPostgresUrl } from '../util/postgres-url.js';
import type { ResultTable } from '../workbook/contract.js';
import { writeResult } from '../workbook/write.js';
import type { DriftRows } from './drift-rows.js';
import { RECONCILE_COLUMNS } from './input.js';
import { reconcileLines } from './lines.js';
import type { Reconciliation } from './reconciliation.js';

interface ReconciliationEnd {
  readonly endedAt: number;
  readonly counts: RunCounts;
  readonly requests: number;
  readonly retries: number;
  readonly reason?: Message;
  readonly actions: readonly ActionRun[];
}

/** Writes a reconciliation's result. Gives the path written. */
export function writeReconciliation(
  it: Reconciliation,
  end: ReconciliationEnd,
  drift: DriftRows,
): Promise<string> {
  const table: ResultTable = {
    job: it.job.name,
    run: it.run,
    language: it.language,
    columns: RECONCILE_COLUMNS,
    headers: it.input.table.headers,
    lines: drift.listen(reconcileLines(it)),
    summary: () => summaryLines(it, end),
    copied: [],
    sandbox: it.connection.sandbox,
  };
  return writeResult(it.output, table, {
    stateFolder: it.stateFolder,
    isOfServer: isPostgresUrl(it.ledger.location),
    by: it.apply ? 'run' : 'check',
    isResult: isResultFile,
    warn: (warning) => it.observer.warn(warning),
  });
}

function summaryLines(
  { job, connection, apply, ...it }: Reconciliation,
  { counts, ...end }: ReconciliationEnd,
): readonly (readonly [string, string | number])[] {
  return [
    ['job', job.name],
    ['run', it.run],
    ['operation', `reconcile.${job.reconcile}`],
    ['connection', connection.sandbox ? `${connection.name} (SANDBOX)` : connection.name],
    ['mode', apply ? 'reconcile --apply' : 'reconcile'],
    ['input file', job.source.file],
    ['input SHA-256', it.inputSha256],
    ['start', new Date(it.startedAt).toISOString()],
    ['end', new Date(end.endedAt).toISOString()],
    ['rows', Object.values(counts).reduce((sum, count) => sum + count, 0)],
    ...DRIFT_STATUSES.filter((status) => counts[status] !== undefined).map(
      (status) => [status, counts[status] ?? 0] as const,
    ),
    ['requests', end.requests],
    ['retries', end.retries],
    ...end.actions.map(
      ({ operation, run, counts: rows }) =>
        ['action', `${operation}: run ${run}, ${countsText(rows)}`] as const,
    ),
    ...(end.reason ? [['stopped because', render(end.reason, it.language)] as const] : []),
    ...distinctMessages(it.warned).map((warning) => ['warning', render(warning, it.language)] as const),
  ];
}

function countsText(counts: RunCounts): string {
  return Object.entries(counts)
    .map(([status, n]) => `${status} ${n}`)
    .join(', ');
}
