import { explain, explainedData } from '../app/explain.js';
import { exportRun as exportResult, type RowOutcome, rowsOf } from '../app/export.js';
import { pruneRuns as prune } from '../app/prune.js';
import { stopRun as stop, listWorkers as workers, workersData } from '../app/queued-runs.js';
import { type ResolveInput, resolveRun as resolve, resolvedData } from '../app/resolve.js';
import { listRuns as list, type RunListing, resolutionData, showRun as show } from '../app/runs.js';
import { render } from '../errors/message.js';
import type { StepEnd } from '../model/run-outcome.js';
import { contextOf } from './context.js';
import { type CommonOptions, checkCall } from './options.js';

/** One row's history: its cells, its requests with each attempt, and the safe next step. */
export type ExplainedRow = ReturnType<typeof explainedData>;
/** The result of resolving rows: the resolved rows, and those left with the reason. */
export type ResolvedRows = ReturnType<typeof resolvedData>;
/** A run, its steps if it has several, and its resolutions. */
export type ShownRun = RunListing & {
  readonly steps?: readonly StepEnd[];
  readonly resolved: readonly ReturnType<typeof resolutionData>[];
};

/** The runs of the ledger, newest first. Without a ledger the list is empty, and `onWarning` is called. */
export async function listRuns(
  options: CommonOptions & { readonly limit?: number } = {},
): Promise<readonly RunListing[]> {
  checkCall(options, {}, ['limit']);
  const found = await list(contextOf(options), options.limit);
  if ('runs' in found) return found.runs;
  options.onWarning?.(render(found.none, options.language));
  return [];
}

/**
 * Stops a run that workers process, on all machines. It can be resumed.
 * @returns the run's current state
 * @throws LicenseSyncError (usage) if no worker processes the run, or the ledger is a file
 */
export async function stopRun(run: string, options: CommonOptions = {}): Promise<string> {
  checkCall(options, { run });
  return (await stop(contextOf(options), run)).run.state;
}

/**
 * The workers of the ledger, their runs and last heartbeats.
 * @throws LicenseSyncError (usage) if the ledger is a file
 */
export async function listWorkers(options: CommonOptions = {}): Promise<ReturnType<typeof workersData>> {
  checkCall(options);
  return workersData(await workers(contextOf(options)));
}

/** @throws LicenseSyncError (usage) if there is no such run */
export async function showRun(run: string, options: CommonOptions = {}): Promise<ShownRun> {
  checkCall(options, { run });
  const shown = await show(contextOf(options), run);
  const steps = shown.steps.length > 0 ? { steps: shown.steps } : {};
  return {
    ...shown.run,
    ...steps,
    resolved: shown.resolved.map((it) => resolutionData(it, options.language ?? 'en')),
  };
}

/**
 * The rows of a run from the ledger by ascending row, also of a stopped or killed run.
 * @throws LicenseSyncError (usage) if there is no such run
 */
export async function runRows(run: string, options: CommonOptions = {}): Promise<readonly RowOutcome[]> {
  checkCall(options, { run });
  return rowsOf(contextOf(options), run);
}

/**
 * @param row as Excel numbers it
 * @throws LicenseSyncError (usage) if there is no such run or row
 */
export async function explainRow(
  run: string,
  row: number,
  options: CommonOptions = {},
): Promise<ExplainedRow> {
  checkCall(options, { run });
  return explainedData(await explain(contextOf(options), run, row), options.language ?? 'en');
}

/**
 * Resolves unknown rows: with outcomes that a person knows (`row` or `rows` with `as`, or the file `from`), or by querying
 * the platform (`verify`). Recorded in the audit.
 * @throws LicenseSyncError (usage) for rows that are not unknown, and if the platform cannot be queried
 */
export async function resolveRun(run: string, options: CommonOptions & ResolveInput): Promise<ResolvedRows> {
  checkCall(options, { run }, ['row', 'rows', 'from', 'as', 'licenseOrderId', 'note', 'verify', 'who']);
  return resolvedData(await resolve(contextOf(options), run, options), options.language ?? 'en');
}

/** Writes the result of a run again (.xlsx, .csv, .ndjson). Returns the path written. */
export async function exportRun(run: string, output: string, options: CommonOptions = {}): Promise<string> {
  checkCall(options, { run });
  return exportResult(contextOf(options), run, output);
}

/**
 * Removes the personal data of old runs, except those with unknown or unsent rows, which are returned with the reason.
 * @param olderThan milliseconds, or as `90d`
 */
export async function pruneRuns(olderThan: number | string, options: CommonOptions = {}) {
  checkCall(options);
  const { none, kept, ...pruned } = await prune(contextOf(options), olderThan);
  if (none) options.onWarning?.(render(none, options.language));
  return { ...pruned, kept: kept.map(({ run, why }) => ({ run, why: render(why, options.language) })) };
}
