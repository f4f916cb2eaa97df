import path from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { applyChanges, refuseUnfit } from '../job/job-changes.js';
import { loadJob } from '../job/load.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run } from '../ledger/contract/run.js';
import type { Job } from '../model/job.js';
import { CATALOGUE_SHAPES } from '../platform/operations/index.js';
import { readPlanFiles } from '../run/plan/plan-refusal.js';
import { connectionOfRun, refuseOtherConnection } from '../run/run-connection.js';
import { applyPlan as apply, resumeRun as resume, startRun } from '../run/run-job.js';
import { connectionFor, cwdOf, withLedger } from './open.js';
import { type RunOptions, refuseUnknownOptions } from './options.js';
import { type RunResult, runResult } from './result.js';

/**
 * Brings a spreadsheet's rows to the platform as a job file says, and writes the result file.
 * @param jobFile path of the YAML file (contract section 3)
 * @throws LicenseSyncError when nothing was sent because job, connection, input or ledger are at fault
 */
export function runJob(jobFile: string, options: RunOptions = {}): Promise<RunResult> {
  return start(jobFile, options, 'run');
}

/** Checks every row and writes the result file, without sending anything: rows that would be sent are `valid`. */
export function validateJob(jobFile: string, options: RunOptions = {}): Promise<RunResult> {
  return start(jobFile, options, 'dry_run');
}

/** A dry run whose plan is kept: look at it, then hand its `run` to `applyPlan`. */
export function planJob(jobFile: string, options: RunOptions = {}): Promise<RunResult> {
  return start(jobFile, options, 'plan');
}

/**
 * Carries out a kept plan exactly as it was made, and only once.
 * @param plan the `run` of what `planJob` gave
 * @param options.maxAgeMs refuses an older plan; default 24 hours
 * @throws LicenseSyncError (usage) when it was used or is too old, or when job, input or connection changed since
 */
export async function applyPlan(
  plan: string,
  options: RunOptions & { readonly maxAgeMs?: number } = {},
): Promise<RunResult> {
  refuseUnknownOptions(options, ['maxAgeMs']);
  return withLedger(undefined, options, async ({ ledger, parts, here }) => {
    refuseUnfit('maxAgeMs', options.maxAgeMs, 0);
    const kept = await named(ledger, plan);
    const connection = await connectionOfRun(kept, here, options.connection);
    const now = await readPlanFiles(kept, connection, options.maxAgeMs ?? 24 * 3_600_000);
    const end = await apply(parts, kept, now, (it) => ({
      ...it,
      job: applyChanges(it.job, options, cwdOf(options)),
    }));
    return runResult(end, parts.language);
  });
}

/** Goes on with a run that was stopped, interrupted or killed, from the ledger alone. */
export async function resumeRun(run: string, options: RunOptions = {}): Promise<RunResult> {
  refuseUnknownOptions(options);
  return withLedger(undefined, options, async ({ ledger, parts, here }) => {
    const kept = await named(ledger, run);
    refuseOtherConnection(kept, options.connection);
    const connection = await connectionOfRun(kept, here);
    const end = await resume(parts, kept, (it) => ({
      ...it,
      job: applyChanges(it.job, options, cwdOf(options)),
      connection,
    }));
    return runResult(end, parts.language);
  });
}

async function start(
  jobFile: string,
  options: RunOptions,
  kind: 'run' | 'dry_run' | 'plan',
): Promise<RunResult> {
  refuseUnknownOptions(options);
  const job = applyChanges(await load(jobFile, options), options, cwdOf(options));
  if (job.source.pattern)
    throw new ProductError('usage', message('inbox.plan_one', { pattern: job.source.file }));
  return withLedger(job.file, options, async (opened) => {
    const connection = connectionFor(opened, job, options);
    const { canary } = options;
    const end = await startRun(opened.parts, job, connection, kind, canary === undefined ? {} : { canary });
    return runResult(end, opened.parts.language);
  });
}

function load(jobFile: string, options: RunOptions): Promise<Job> {
  const cwd = cwdOf(options);
  return loadJob(path.resolve(cwd, jobFile), {
    env: options.env ?? process.env,
    operations: CATALOGUE_SHAPES,
    set: options.set ?? [],
    cwd,
  });
}

async function named(ledger: Ledger, id: string): Promise<Run> {
  const run = await ledger.runs.get(id);
  if (run) return run;
  throw new ProductError('usage', message('run.no_such_run', { location: ledger.location, run: id }));
}
