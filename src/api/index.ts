/**
 * license-sync as a library: the same runs as the commands, without printing, exiting or asking on a terminal.
 *
 * @example
 * import { runJob, runRows } from 'license-sync';
 *
 * const result = await runJob('jobs/new-buy.yaml', { connection: 'sandbox' });
 * for (const row of await runRows(result.run)) console.log(row.row, row.status, row.licenseOrderId);
 *
 * @module
 */

export type { RowOutcome } from '../app/export.js';
export type { ResolveInput } from '../app/resolve.js';
export type { RunListing } from '../app/runs.js';
export { type Sandbox, startSandbox } from '../app/sandbox.js';
export type { Language } from '../errors/message.js';
/** An error before anything is sent: `code` is the kind of problem, `exitCode` the exit code of the command. */
export { ProductError as LicenseSyncError } from '../errors/product-error.js';
export type { DriftStatus } from '../model/comparison.js';
export type { ActionEnd, RunCounts, StepEnd } from '../model/run-outcome.js';
export type { Status } from '../model/status.js';
export {
  type ExplainedRow,
  explainRow,
  exportRun,
  listRuns,
  listWorkers,
  pruneRuns,
  type ResolvedRows,
  resolveRun,
  runRows,
  type ShownRun,
  showRun,
  stopRun,
} from './manage-runs.js';
export type {
  CommonOptions,
  CorrectionsOption,
  OfflineOption,
  Question,
  ReportedProgress,
  RunOptions,
} from './options.js';
export type { ReconcileResult, RetryResult, RevertResult, RunResult } from './result.js';
export {
  applyPlan,
  compareRehearsal,
  type PullResult,
  planJob,
  pullRecords,
  reconcileJob,
  rehearseJob,
  resumeRun,
  retryRun,
  revertRun,
  runJob,
  submitJob,
  validateJob,
  waitRun,
} from './runs.js';
export {
  doctor,
  type Examination,
  type GuessedJobFile,
  guessJob,
  initFolder,
  type ShownJob,
  showJob,
  writeTemplate,
} from './setup.js';
