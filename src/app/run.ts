import path from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { applyChanges } from '../job/job-changes.js';
import { loadSendingJob } from '../job/load.js';
import { refuseCorrectedPattern } from '../run/corrections/given-corrections.js';
import { startRun } from '../run/run-job.js';
import type { CarriedRun, RunChanges, WatchedContext } from './context.js';
import { type CorrectionsInput, givenCorrections } from './corrections.js';
import { jobReading } from './job-reading.js';
import { inRunFrame } from './run-frame.js';

export interface RunInput extends RunChanges, CorrectionsInput {
  /** `dry_run` only checks, `plan` checks and keeps what would be sent. */
  readonly kind: 'run' | 'dry_run' | 'plan';
  /** As `--set`: `run.retries=2`. */
  readonly set?: readonly string[];
  /** The first so many items are sent by themselves, before a yes is wanted for the rest. */
  readonly canary?: number;
  /** Look-ups are not asked: what they fill counts as given. Only for what sends nothing. */
  readonly offline?: boolean;
  /** Refuses a job whose source is a pattern: each of its files would be a run. */
  readonly oneFile?: boolean;
}

/** `run`, `validate` and `plan`: brings the rows of a job's source to the platform, or checks them. */
export function runJob(context: WatchedContext, jobFile: string, input: RunInput): Promise<CarriedRun> {
  return inRunFrame(context, input, async (frame) => {
    const { kind, canary } = input;
    const offline = input.offline ? true : undefined;
    if (offline && kind === 'run')
      throw new ProductError('usage', message('lookup.offline_refused', { command: 'run' }));
    const { cwd } = context;
    const job = applyChanges(
      await loadSendingJob(path.resolve(cwd, jobFile), jobReading(context, input.set)),
      input,
      cwd,
    );
    const { pattern, file } = job.source;
    if (pattern && (kind === 'plan' || input.oneFile))
      throw new ProductError('usage', message('inbox.plan_one', { pattern: file }));
    if (input.corrections !== undefined) refuseCorrectedPattern(job);
    const { connection, location } = await frame.resolvePlace(job, kind === 'run');
    const act = kind === 'dry_run' ? 'validate' : kind;
    return frame.withLedgerForNewRun(location, act, async (parts) => {
      if (!pattern || kind === 'plan') {
        const corrections = await givenCorrections(context, input, parts.ledger);
        return startRun(parts, job, connection, kind, { canary, offline, corrections });
      }
      const { runInbox } = await import('../inbox/run-inbox.js');
      return runInbox(parts, { job, connection, kind, canary, offline, ended: (run) => frame.fileOver(run) });
    });
  });
}
