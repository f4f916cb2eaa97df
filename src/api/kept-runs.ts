import { explain, explainedData } from '../app/explain.js';
import { exportRun as exportResult } from '../app/export.js';
import { pruneRuns as prune } from '../app/prune.js';
import { resolutionData } from '../app/resolution-data.js';
import { type ResolveInput, resolveRun as resolve, resolvedData } from '../app/resolve.js';
import { type RowOutcome, rowsOf } from '../app/rows.js';
import { listRuns as list, type RunListing, showRun as show } from '../app/runs.js';
import { stopRun as stop } from '../app/stop.js';
import { listWorkers as workers, workersData } from '../app/workers.js';
import { render } from '../errors/message.js';
import type { StepEnd } from '../model/run-outcome.js';
import { contextOf } from './context.js';
import { type CommonOptions, refuseNoText, refuseUnknownOptions } from './options.js';

/** One row's story: its cells, the requests that carry it, each attempt, and what is safe to do next. */
export type ExplainedRow = ReturnType<typeof explainedData>;
/** What came of settling rows: which were settled, and which are left with the reason. */
export type ResolvedRows = ReturnType<typeof resolvedData>;
/** A run, its steps if it has several, and what was settled of it afterwards. */
export type ShownRun = RunListing & {
  readonly steps?: readonly StepEnd[];
  readonly resolved: readonly ReturnType<typeof resolutionData>[];
};

/** The runs of the ledger, newest first; none where there is no ledger yet, which `onWarning` is told. */
export async function listRuns(
  options: CommonOptions & { readonly limit?: number } = {},
): Promise<readonly RunListing[]> {
  refuseUnknownOptions(options, ['limit']);
  const found = await list(contextOf(options), options.limit);
  if ('runs' in found) return found.runs;
  options.onWarning?.(render(found.none, options.language));
  return [];
}

/**
 * Stops a run that workers carry: no more of it is sent, anywhere; it can be resumed.
 * @returns the run's state now
 * @throws LicenseSyncError (usage) for a run that no worker carries, and where the ledger is a file
 */
export async function stopRun(run: string, options: CommonOptions = {}): Promise<string> {
  refuseUnknownOptions(options);
  refuseNoText('run', run);
  return (await stop(contextOf(options), run)).run.state;
}

/**
 * The workers of the ledger, what they carry, and when they were last heard of.
 * @throws LicenseSyncError (usage) where the ledger is a file
 */
export async function listWorkers(options: CommonOptions = {}): Promise<ReturnType<typeof workersData>> {
  refuseUnknownOptions(options);
  return workersData(await workers(contextOf(options)));
}

/** @throws LicenseSyncError (usage) when there is no such run */
export async function showRun(run: string, options: CommonOptions = {}): Promise<ShownRun> {
  refuseUnknownOptions(options);
  refuseNoText('run', run);
  const shown = await show(contextOf(options), run);
  const steps = shown.steps.length > 0 ? { steps: shown.steps } : {};
  return {
    ...shown.run,
    ...steps,
    resolved: shown.resolved.map((it) => resolutionData(it, options.language ?? 'en')),
  };
}

/**
 * The rows of a run from the ledger, by ascending row, also of one that was stopped or killed.
 * @throws LicenseSyncError (usage) when there is no such run
 */
export async function runRows(run: string, options: CommonOptions = {}): Promise<readonly RowOutcome[]> {
  refuseUnknownOptions(options);
  refuseNoText('run', run);
  return rowsOf(contextOf(options), run);
}

/**
 * @param row as Excel numbers it
 * @throws LicenseSyncError (usage) when there is no such run or row
 */
export async function explainRow(
  run: string,
  row: number,
  options: CommonOptions = {},
): Promise<ExplainedRow> {
  refuseUnknownOptions(options);
  refuseNoText('run', run);
  return explainedData(await explain(contextOf(options), run, row), options.language ?? 'en');
}

/**
 * Resolves unknown rows: as a person says (`row` or `rows` with `as`, or the file `from`), or by asking the platform
 * (`verify`). Audited.
 * @throws LicenseSyncError (usage) for rows that aren't unknown, and when the platform can't be asked
 */
export async function resolveRun(run: string, options: CommonOptions & ResolveInput): Promise<ResolvedRows> {
  refuseUnknownOptions(options, ['row', 'rows', 'from', 'as', 'licenseOrderId', 'note', 'verify', 'who']);
  refuseNoText('run', run);
  return resolvedData(await resolve(contextOf(options), run, options), options.language ?? 'en');
}

/** Writes the result of a run again, elsewhere (.xlsx, .csv, .ndjson). Gives the path written. */
export async function exportRun(run: string, output: string, options: CommonOptions = {}): Promise<string> {
  refuseUnknownOptions(options);
  refuseNoText('run', run);
  return exportResult(contextOf(options), run, output);
}

/**
 * Removes the personal data of old runs; those with unknown or unsent rows are kept, each with the reason.
 * @param olderThan milliseconds, or as `90d`
 */
export async function pruneRuns(olderThan: number | string, options: CommonOptions = {}) {
  refuseUnknownOptions(options);
  const { none, kept, ...pruned } = await prune(contextOf(options), olderThan);
  if (none) options.onWarning?.(render(none, options.language));
  return { ...pruned, kept: kept.map(({ run, why }) => ({ run, why: render(why, options.language) })) };
}
