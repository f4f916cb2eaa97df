import type { PullInput, pulledData } from '../app/pull.js';
import type { comparedData } from '../app/rehearse.js';
import { contextOf, runUseCase, watched } from './context.js';
import {
  type CommonOptions,
  type CorrectionsOption,
  checkCall,
  type OfflineOption,
  type RunOptions,
} from './options.js';
import {
  type ReconcileResult,
  type RetryResult,
  type RevertResult,
  type RunResult,
  reconcileResult,
  retryResult,
  revertResult,
  runResult,
} from './result.js';

/**
 * Sends a spreadsheet's rows to the platform as described by a job file, and writes the result file.
 * @param jobFile path of the YAML file (contract section 3)
 * @throws LicenseSyncError if nothing was sent because of an error in job, connection, input or ledger
 */
export function runJob(jobFile: string, options: RunOptions & CorrectionsOption = {}): Promise<RunResult> {
  return start(jobFile, options, 'run');
}

/** Checks every row and writes the result file, without sending anything: rows that would be sent are `valid`. */
export function validateJob(
  jobFile: string,
  options: RunOptions & OfflineOption & CorrectionsOption = {},
): Promise<RunResult> {
  return start(jobFile, options, 'dry_run');
}

/**
 * Runs a job in a sandbox that is filled from the platform. The platform is only read, and the ledger records only an audit
 * entry. Every page of the result is marked REHEARSAL.
 * @throws LicenseSyncError if the job cannot be rehearsed, or something could not be read
 */
export async function rehearseJob(jobFile: string, options: RunOptions = {}): Promise<RunResult> {
  checkCall(options, { jobFile });
  const yes = options.confirm === true;
  return runResult(await runUseCase(options, 'rehearse', jobFile, { ...options, yes }), options);
}

/**
 * The differences between a run and the last rehearsal before it, row by row.
 * @param options.jobFile the run must be of this job; its settings locate the ledger
 * @throws LicenseSyncError (usage) if no rehearsal of what the run executed is stored
 */
export async function compareRehearsal(
  run: string,
  options: CommonOptions & { readonly jobFile?: string } = {},
): Promise<ReturnType<typeof comparedData>> {
  checkCall(options, { run }, ['jobFile']);
  const app = await import('../app/rehearse.js');
  const differences: Parameters<typeof comparedData>[1][number][] = [];
  const { jobFile } = options;
  const compared = await app.compareRehearsal(contextOf(options), { run, jobFile }, (it) =>
    differences.push(it),
  );
  return app.comparedData(compared, differences);
}

/** A dry run that stores its plan. Review it, then pass `plan` to `applyPlan`. */
export function planJob(
  jobFile: string,
  options: RunOptions & OfflineOption & CorrectionsOption = {},
): Promise<RunResult> {
  return start(jobFile, options, 'plan');
}

/**
 * Executes a stored plan exactly as it was created, once.
 * @param plan `plan` of the result of `planJob`
 * @param options.maxAgeMs refuses an older plan; default 24 hours
 * @param options.queue leaves it to workers, in the queue of a ledger on PostgreSQL
 * @throws LicenseSyncError (usage) if it was used or is too old, or if job, input or connection changed since; (safety) if
 *   its connection requires an approval and none is valid
 */
export async function applyPlan(
  plan: string,
  options: RunOptions & { readonly maxAgeMs?: number; readonly queue?: boolean } = {},
): Promise<RunResult> {
  checkCall(options, { plan }, ['maxAgeMs', 'queue']);
  const maxAge = options.maxAgeMs ?? '24h';
  return runResult(await runUseCase(options, 'apply', plan, { ...options, maxAge }), options);
}

/**
 * Plans a run and puts it into the queue of a ledger on PostgreSQL; workers execute it.
 * @param options.wait follows it to its end and writes its result
 * @returns with status `queued` unless `wait` is set
 * @throws LicenseSyncError as `runJob`, and (usage) if the ledger is a file
 */
export async function submitJob(
  jobFile: string,
  options: RunOptions & CorrectionsOption & { readonly wait?: boolean } = {},
): Promise<RunResult> {
  checkCall(options, { jobFile }, ['wait', 'corrections']);
  return runResult(await runUseCase(options, 'submit', jobFile, options), options);
}

/**
 * Follows a run that workers execute to its end, and writes its result here. `signal` ends the waiting, not the run.
 * @throws LicenseSyncError (usage) if no process executes the run, or the ledger is a file
 */
export async function waitRun(run: string, options: RunOptions = {}): Promise<RunResult> {
  checkCall(options, { run });
  return runResult(await runUseCase(options, 'wait', run, options), options);
}

/**
 * Resumes a run that was stopped, interrupted or killed, using only the ledger.
 * @param options.queue leaves it to workers, in the queue of a ledger on PostgreSQL
 */
export async function resumeRun(
  run: string,
  options: RunOptions & { readonly queue?: boolean } = {},
): Promise<RunResult> {
  checkCall(options, { run }, ['queue']);
  return runResult(await runUseCase(options, 'resume', run, options), options);
}

/**
 * A new run of the rows of another that failed.
 * @param options.include further statuses of rows that are sent again: `unknown` (requires confirmation), `rejected`,
 *   `not_sent`
 * @returns without `run` if there was no row to send again, with the `reason`
 */
export async function retryRun(
  run: string,
  options: RunOptions & { readonly include?: readonly ('unknown' | 'rejected' | 'not_sent')[] } = {},
): Promise<RetryResult> {
  checkCall(options, { run }, ['include']);
  return retryResult(await runUseCase(options, 'retry', run, options), options);
}

/**
 * Creates a plan that reverts a run; nothing is sent until `applyPlan`.
 * @param options.rows only these rows of the run, by their numbers
 * @throws LicenseSyncError (usage) if the run has not ended, or there is no such run or row
 */
export async function revertRun(
  run: string,
  options: RunOptions & { readonly rows?: readonly number[] } = {},
): Promise<RevertResult> {
  checkCall(options, { run }, ['rows']);
  return revertResult(await runUseCase(options, 'revert', run, options), options);
}

/**
 * Compares a spreadsheet with the platform's records (contract section 8). Nothing is changed there without `apply`, which
 * runs the job's actions as separate runs and reads the affected records again.
 * @throws LicenseSyncError if the comparison could not start
 */
export async function reconcileJob(
  jobFile: string,
  options: RunOptions & { readonly apply?: boolean } = {},
): Promise<ReconcileResult> {
  checkCall(options, { jobFile }, ['apply']);
  return reconcileResult(await runUseCase(options, 'reconcile', jobFile, options), options);
}

async function start(
  jobFile: string,
  options: RunOptions & OfflineOption & CorrectionsOption,
  kind: 'run' | 'dry_run' | 'plan',
): Promise<RunResult> {
  checkCall(options, { jobFile }, ['corrections', ...(kind === 'run' ? [] : ['offline'])]);
  const end = await runUseCase(options, 'run', jobFile, { ...options, kind, oneFile: true });
  return runResult(end, options);
}

/** The result of a pull. Without `output` if it was stopped, because a partial file could be mistaken for a complete one. */
export interface PullResult extends ReturnType<typeof pulledData> {
  /** The exit code of the command. */
  readonly exitCode: number;
}

/**
 * Exports the platform's records to a sheet whose headers are field names, usable as a job's source (contract section 9).
 * Only reads.
 * @param what `asset`: the assets of enterprises; `enterprise`: the enterprises of channels' customers
 * @param keys the spreadsheet with the enterprises, or the customers
 * @throws LicenseSyncError if no request was possible, or the sheet cannot be written
 */
export async function pullRecords(
  what: 'asset' | 'enterprise',
  keys: string,
  options: CommonOptions & Omit<PullInput, 'keys'>,
): Promise<PullResult> {
  checkCall(options, {}, ['sheet', 'headerRow', 'passwordEnv']);
  const app = await import('../app/pull.js');
  const pulled = await watched(options, (context) => app.pullRecords(context, what, { ...options, keys }));
  return { ...app.pulledData(pulled, options.language ?? 'en'), exitCode: pulled.exitCode };
}
