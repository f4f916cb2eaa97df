import { DRIFT_STATUSES } from '../model/comparison.js';
import type { RunCounts } from '../model/run-outcome.js';
import { STATUSES } from '../model/status.js';
import type { JobTotals } from './notification-types.js';

/*
 * The text is not written by a client library: those count events of their own process and cannot set a counter or a
 * summary's sum to a value from a ledger.
 */

/** The end of a job's last run. Times in milliseconds since 1970. */
export interface LastRun {
  readonly job: string;
  readonly connection: string;
  readonly operation: string;
  readonly endedAt: number;
  readonly durationMs: number;
  readonly exitCode: number;
  readonly counts: RunCounts;
}

interface Measured {
  readonly version: string;
  /** Location of the ledger, for display. */
  readonly ledger: string;
  readonly totals: readonly JobTotals[];
  /** One for each job, connection and operation, even if the ledger has no run of it. */
  readonly last: readonly LastRun[];
}

type Labels = Readonly<Record<string, string | number>>;
/** A sample of a metric, or of a part of it with a suffix (`_sum`). */
export type Sample = readonly [labels: Labels, value: number, suffix?: string];

/**
 * The metrics in Prometheus' text format, as required by the node exporter's textfile collector: HELP and TYPE once for each
 * metric, no time stamps, base units, a line break at the end.
 */
export function metricsText({ version, ledger, totals, last }: Measured): string {
  const perJob = (name: string, help: string, value: (it: JobTotals) => number): string =>
    metric(
      name,
      'counter',
      help,
      totals.map((it) => [labelsOf(it), value(it)]),
    );
  const perLast = (name: string, help: string, value: (it: LastRun) => number): string =>
    metric(
      name,
      'gauge',
      help,
      last.map((it) => [labelsOf(it), value(it)]),
    );
  const successes = new Map(totals.map((it) => [keyOf(it), (it.lastSuccessAt ?? 0) / 1000]));
  const runs = totals.flatMap((it) =>
    [...it.runs].map(([exit_code, count]): Sample => [{ ...labelsOf(it), exit_code }, count]),
  );
  const durations = totals.flatMap((it): Sample[] => [
    [labelsOf(it), it.durationMs / 1000, '_sum'],
    [labelsOf(it), [...it.runs.values()].reduce((sum, count) => sum + count, 0), '_count'],
  ]);
  const build: Sample = [{ version, ledger }, 1];
  const success = 'When a run ended with exit code 0 for the last time; 0 when none did.';
  return [
    metric(
      'build_info',
      'gauge',
      'The version of license-sync that wrote these metrics, and of which ledger.',
      [build],
    ),
    metric('runs_total', 'counter', 'Runs that ended, by the exit code that they ended with.', runs),
    perJob('requests_total', 'Requests sent to the platform.', (it) => it.requests),
    perJob('retries_total', 'Requests that repeated an earlier one.', (it) => it.retries),
    metric('run_duration_seconds', 'summary', 'Time from the start of a run to its end.', durations),
    perLast('last_run_timestamp_seconds', 'When the last run ended.', (it) => it.endedAt / 1000),
    perLast('last_run_success', 'Whether the last run ended with exit code 0.', (it) =>
      it.exitCode === 0 ? 1 : 0,
    ),
    perLast('last_run_duration_seconds', 'Time that the last run took.', (it) => it.durationMs / 1000),
    perLast('last_success_timestamp_seconds', success, (it) => successes.get(keyOf(it)) ?? 0),
    metric('last_run_rows', 'gauge', 'Rows of the last run by status.', last.flatMap(rowsOf)),
  ].join('');
}

/** The key of a job, connection and operation. */
export function keyOf({
  job,
  connection,
  operation,
}: Pick<LastRun, 'job' | 'connection' | 'operation'>): string {
  return JSON.stringify([job, connection, operation]);
}

function labelsOf({ job, connection, operation }: Pick<LastRun, 'job' | 'connection' | 'operation'>): Labels {
  return { job, connection, operation };
}

/** Every status has a line, so that one without rows does not keep its old value. */
function rowsOf(it: LastRun): Sample[] {
  const statuses = it.operation.startsWith('reconcile.') ? DRIFT_STATUSES : STATUSES;
  return statuses.map((status) => [{ ...labelsOf(it), status }, it.counts[status] ?? 0]);
}

/** HELP, TYPE and the lines of one metric; empty if it has no samples. */
export function metric(
  name: string,
  type: 'counter' | 'gauge' | 'summary',
  help: string,
  samples: readonly Sample[],
): string {
  if (samples.length === 0) return '';
  const whole = `license_sync_${name}`;
  const lines = samples.map(
    ([labels, value, suffix = '']) => `${whole}${suffix}{${labelText(labels)}} ${value}`,
  );
  return `# HELP ${whole} ${help}\n# TYPE ${whole} ${type}\n${lines.join('\n')}\n`;
}

function labelText(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(String(value))}"`)
    .join(',');
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
