import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { loadConnections } from '../job/connections.js';
import { applyChanges } from '../job/job-changes.js';
import type { JobBase } from '../model/job.js';
import { reportIfLate, waitForRun } from '../run/follow-run.js';
import { refusePruned } from '../run/run-checks.js';
import type { RunSettings, StepsSettings } from '../run/settings.js';
import { startRun } from '../run/start-run.js';
import type { RunChanges, RunCommandResult, WatchedContext } from './context.js';
import { type CorrectionsInput, changedJob, givenCorrections } from './job-input.js';
import { RunFrame } from './run-frame.js';
import { ledgerLocation, refuseFile } from './with-ledger.js';

export interface SubmitInput extends RunChanges, CorrectionsInput {
  /** Number of items queued first; the rest by `resume --queue`. */
  readonly canary?: number;
  /** Follows the run to its end and writes its result. */
  readonly wait?: boolean;
}

/** `submit`: plans here with the same confirmations as `run`, and puts the requests into the ledger's queue. */
export function submitJob(
  context: WatchedContext,
  jobFile: string,
  input: SubmitInput,
): Promise<RunCommandResult> {
  return RunFrame.run(context, input, async (frame) => {
    const { canary, wait } = input;
    const job = await changedJob(context, jobFile, input);
    const { connection, location } = await frame.resolvePlace(job);
    await refuseFile('submit', location);
    if (job.source.pattern)
      throw new ProductError('usage', message('team.submit_one', { pattern: job.source.file }));
    const parts = await frame.openForNewRun(location, 'submit');
    const corrections = await givenCorrections(context, input, parts.ledger);
    const end = await startRun(parts, job, connection, 'run', { canary, queue: true, corrections });
    if (end.status !== 'queued') return end;
    // The worker that ends the run notifies the connection's recipients.
    frame.reportToJobsOnly();
    return wait ? waitForRun(parts, end.run, (it) => it) : end;
  });
}

export type WaitInput = Pick<RunChanges, 'output' | 'report' | 'logFile'>;

/** `wait`: follows a run that workers execute, and writes its result here. */
export function waitRun(context: WatchedContext, id: string, input: WaitInput): Promise<RunCommandResult> {
  return RunFrame.run(context, input, async (frame) => {
    await refuseFile('wait', await ledgerLocation(context));
    const home = await resultsHome(context);
    const { parts, run } = await frame.watchRun(id);
    refusePruned(run);
    const warnings = await reportIfLate(parts, parts.ledger.plan.warnings(id));
    for (const warning of warnings) parts.observer.warn(warning);
    return waitForRun(parts, id, (settings) => placedHere(settings, input, context.cwd, home));
  });
}

/** The folder for results of runs that were planned on another machine, whose folders may not exist here. */
async function resultsHome({ env, cwd }: WatchedContext): Promise<string> {
  const { configFile } = await loadConnections(undefined, { env, cwd });
  return path.join(configFile === undefined ? cwd : path.dirname(configFile), 'results');
}

/** Whether a folder of the planning machine exists here. It may be missing, even on a machine with the same name. */
function isThere({ file, output }: Pick<JobBase, 'file' | 'output'>): boolean {
  return [file, output.file].some((it) => existsSync(path.dirname(it)));
}

function placedHere<S extends RunSettings | StepsSettings>(
  settings: S,
  input: WaitInput,
  cwd: string,
  home: string,
): S {
  const { job, begunBy } = settings;
  if (input.output !== undefined)
    return { ...settings, job: applyChanges(job, { output: input.output }, cwd) };
  if (begunBy?.host === hostname() && isThere(job)) return settings;
  return { ...settings, job: { ...job, output: { file: path.join(home, path.basename(job.output.file)) } } };
}
