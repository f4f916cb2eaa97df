import path from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { applyChanges } from '../job/job-changes.js';
import { loadSendingJob } from '../job/load.js';
import { waitForRun } from '../run/report/wait-for-run.js';
import { startRun } from '../run/run-job.js';
import type { CarriedRun, RunChanges, WatchedContext } from './context.js';
import { type CorrectionsInput, givenCorrections } from './corrections.js';
import { jobReading } from './job-reading.js';
import { inRunFrame } from './run-frame.js';
import { refuseFile } from './team.js';

export interface SubmitInput extends RunChanges, CorrectionsInput {
  /** As `--set`: `run.retries=2`. */
  readonly set?: readonly string[];
  /** Only the first so many items are queued; the rest by a `resume --queue`. */
  readonly canary?: number;
  /** Follows the run to its end and writes its result. */
  readonly wait?: boolean;
}

/** `submit`: plans here, as `run` does, asks what `run` asks, and puts what is to be sent into the ledger's queue. */
export function submitJob(context: WatchedContext, jobFile: string, input: SubmitInput): Promise<CarriedRun> {
  return inRunFrame(context, input, async (frame) => {
    const { canary, set, wait } = input;
    const { cwd } = context;
    const job = applyChanges(
      await loadSendingJob(path.resolve(cwd, jobFile), jobReading(context, set)),
      input,
      cwd,
    );
    const { connection, location } = await frame.resolvePlace(job);
    refuseFile('submit', location);
    if (job.source.pattern)
      throw new ProductError('usage', message('team.submit_one', { pattern: job.source.file }));
    return frame.withLedgerForNewRun(location, 'submit', async (parts) => {
      const corrections = await givenCorrections(context, input, parts.ledger);
      const end = await startRun(parts, job, connection, 'run', { canary, queue: true, corrections });
      if (end.status !== 'queued') return end;
      // Whoever ends the run tells those whom the connection names.
      frame.tellJobsOnly();
      return wait ? waitForRun(parts, end.run, (it) => it) : end;
    });
  });
}
