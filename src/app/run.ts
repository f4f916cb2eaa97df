import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { refuseCorrectedPattern } from '../run/corrections/corrections-file.js';
import { startRun } from '../run/start-run.js';
import type { RunChanges, RunCommandResult, WatchedContext } from './context.js';
import { type CorrectionsInput, changedJob, givenCorrections } from './job-input.js';
import { RunFrame } from './run-frame.js';

export interface RunInput extends RunChanges, CorrectionsInput {
  /** `dry_run` only checks, `plan` checks and stores what would be sent. */
  readonly kind: 'run' | 'dry_run' | 'plan';
  /** Number of items sent first; the rest requires a confirmation. */
  readonly canary?: number;
  /** Lookups are not requested; fields that they fill are treated as present. Not allowed for `run`. */
  readonly offline?: boolean;
  /** Refuses a job whose source is a pattern: each of its files would be a run. */
  readonly oneFile?: boolean;
}

/** `run`, `validate` and `plan`: sends the rows of a job's source to the platform, or checks them. */
export function runJob(context: WatchedContext, jobFile: string, input: RunInput): Promise<RunCommandResult> {
  return RunFrame.run(context, input, async (frame) => {
    const { kind, canary } = input;
    const offline = input.offline ? true : undefined;
    if (offline && kind === 'run')
      throw new ProductError('usage', message('lookup.offline_refused', { command: 'run' }));
    const job = await changedJob(context, jobFile, input);
    const { pattern, file } = job.source;
    if (pattern && (kind === 'plan' || input.oneFile))
      throw new ProductError('usage', message('inbox.plan_one', { pattern: file }));
    if (input.corrections !== undefined) refuseCorrectedPattern(job);
    const { connection, location } = await frame.resolvePlace(job, kind === 'run');
    const parts = await frame.openForNewRun(location, kind === 'dry_run' ? 'validate' : kind);
    if (!pattern || kind === 'plan') {
      const corrections = await givenCorrections(context, input, parts.ledger);
      return startRun(parts, job, connection, kind, { canary, offline, corrections });
    }
    const { runInbox } = await import('../inbox/run-inbox.js');
    return runInbox(parts, { job, connection, kind, canary, offline, ended: (run) => frame.fileOver(run) });
  });
}
