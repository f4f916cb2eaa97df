import { applyPlan as apply } from '../app/apply.js';
import { reconcileJob as reconcile } from '../app/reconcile.js';
import type { comparedData } from '../app/rehearse.js';
import { resumeRun as resume } from '../app/resume.js';
import { retryRun as retry } from '../app/retry.js';
import { revertRun as revert } from '../app/revert.js';
import { runJob as run } from '../app/run.js';
import { submitJob as submit } from '../app/submit.js';
import { waitRun as wait } from '../app/wait.js';
import { carried, contextOf } from './context.js';
import {
  type CommonOptions,
  type CorrectionsOption,
  type OfflineOption,
  type RunOptions,
  refuseNoText,
  refuseUnknownOptions,
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
 * Brings a spreadsheet's rows to the platform as a job file says, and writes the result file.
 * @param jobFile path of the YAML file (contract section 3)
 * @throws LicenseSyncError when nothing was sent because job, connection, input or ledger are at fault
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
 * Carries a job out in a sandbox that is filled from the platform, to see what would come of it: the platform is only
 * read, and nothing stays in the ledger. Every page of the result says REHEARSAL.
 * @throws LicenseSyncError where nothing could be rehearsed, also where something could not be read
 */
export async function rehearseJob(jobFile: string, options: RunOptions = {}): Promise<RunResult> {
  refuseUnknownOptions(options);
  refuseNoText('jobFile', jobFile);
  const { rehearseJob: rehearse } = await import('../app/rehearse.js');
  const yes = options.confirm === true;
  return runResult(
    await carried(options, (context) => rehearse(context, jobFile, { ...options, yes })),
    options,
  );
}

/**
 * What came out otherwise in a run than in the last rehearsal before it, row by row.
 * @param options.jobFile the run must be of this job; its settings say where the ledger is
 * @throws LicenseSyncError (usage) where no rehearsal of what the run carried out is kept
 */
export async function compareRehearsal(
  run: string,
  options: CommonOptions & { readonly jobFile?: string } = {},
): Promise<ReturnType<typeof comparedData>> {
  refuseUnknownOptions(options, ['jobFile']);
  refuseNoText('run', run);
  const app = await import('../app/rehearse.js');
  const differences: Parameters<typeof comparedData>[1][number][] = [];
  const { jobFile } = options;
  const compared = await app.compareRehearsal(contextOf(options), { run, jobFile }, (it) =>
    differences.push(it),
  );
  return app.comparedData(compared, differences);
}

/** A dry run whose plan is kept: look at it, then hand its `plan` to `applyPlan`. */
export function planJob(
  jobFile: string,
  options: RunOptions & OfflineOption & CorrectionsOption = {},
): Promise<RunResult> {
  return start(jobFile, options, 'plan');
}

/**
 * Carries out a kept plan exactly as it was made, and only once.
 * @param plan what `planJob` gave as `plan`
 * @param options.maxAgeMs refuses an older plan; default 24 hours
 * @param options.queue leaves it to workers, in the queue of a ledger on PostgreSQL
 * @throws LicenseSyncError (usage) when it was used or is too old, or when job, input or connection changed since; (safety)
 *   where its connection wants an approval and none holds
 */
export async function applyPlan(
  plan: string,
  options: RunOptions & { readonly maxAgeMs?: number; readonly queue?: boolean } = {},
): Promise<RunResult> {
  refuseUnknownOptions(options, ['maxAgeMs', 'queue']);
  refuseNoText('plan', plan);
  const maxAge = options.maxAgeMs ?? '24h';
  return runResult(
    await carried(options, (context) => apply(context, plan, { ...options, maxAge })),
    options,
  );
}

/**
 * Plans a run and puts it into the queue of a ledger on PostgreSQL; workers carry it out.
 * @param options.wait follows it to its end and writes its result
 * @returns with status `queued` where it wasn't waited for
 * @throws LicenseSyncError as `runJob` does, and (usage) where the ledger is a file
 */
export async function submitJob(
  jobFile: string,
  options: RunOptions & CorrectionsOption & { readonly wait?: boolean } = {},
): Promise<RunResult> {
  refuseUnknownOptions(options, ['wait', 'corrections']);
  refuseNoText('jobFile', jobFile);
  return runResult(await carried(options, (context) => submit(context, jobFile, options)), options);
}

/**
 * Follows a run that workers carry to its end, and writes its result here. `signal` ends the waiting, not the run.
 * @throws LicenseSyncError (usage) for a run that nobody carries, and where the ledger is a file
 */
export async function waitRun(run: string, options: RunOptions = {}): Promise<RunResult> {
  refuseUnknownOptions(options);
  refuseNoText('run', run);
  return runResult(await carried(options, (context) => wait(context, run, options)), options);
}

/**
 * Goes on with a run that was stopped, interrupted or killed, from the ledger alone.
 * @param options.queue leaves it to workers, in the queue of a ledger on PostgreSQL
 */
export async function resumeRun(
  run: string,
  options: RunOptions & { readonly queue?: boolean } = {},
): Promise<RunResult> {
  refuseUnknownOptions(options, ['queue']);
  refuseNoText('run', run);
  return runResult(await carried(options, (context) => resume(context, run, options)), options);
}

/**
 * A new run of the rows of another that failed.
 * @param options.include further statuses whose rows go again: `unknown` (needs a yes), `rejected`, `not_sent`
 * @returns without `run` where no row was to be sent again; `reason` says why
 */
export async function retryRun(
  run: string,
  options: RunOptions & { readonly include?: readonly ('unknown' | 'rejected' | 'not_sent')[] } = {},
): Promise<RetryResult> {
  refuseUnknownOptions(options, ['include']);
  refuseNoText('run', run);
  return retryResult(await carried(options, (context) => retry(context, run, options)), options);
}

/**
 * Makes a plan that takes back what a run got through; nothing is sent until `applyPlan`.
 * @param options.rows only these rows of the run, by their numbers
 * @throws LicenseSyncError (usage) when the run isn't over, or there is no such run or row
 */
export async function revertRun(
  run: string,
  options: RunOptions & { readonly rows?: readonly number[] } = {},
): Promise<RevertResult> {
  refuseUnknownOptions(options, ['rows']);
  refuseNoText('run', run);
  return revertResult(await carried(options, (context) => revert(context, run, options)), options);
}

/**
 * Compares a spreadsheet with what the platform holds (contract section 8). Nothing is changed there without
 * `apply`, which carries out the job's actions as runs of their own and reads again what they touched.
 * @throws LicenseSyncError when the comparison could not begin
 */
export async function reconcileJob(
  jobFile: string,
  options: RunOptions & { readonly apply?: boolean } = {},
): Promise<ReconcileResult> {
  refuseUnknownOptions(options, ['apply']);
  refuseNoText('jobFile', jobFile);
  return reconcileResult(await carried(options, (context) => reconcile(context, jobFile, options)), options);
}

async function start(
  jobFile: string,
  options: RunOptions & OfflineOption & CorrectionsOption,
  kind: 'run' | 'dry_run' | 'plan',
): Promise<RunResult> {
  refuseUnknownOptions(options, ['corrections', ...(kind === 'run' ? [] : ['offline'])]);
  refuseNoText('jobFile', jobFile);
  const end = await carried(options, (context) => run(context, jobFile, { ...options, kind, oneFile: true }));
  return runResult(end, options);
}
