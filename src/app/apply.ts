import { finishResumed } from '../inbox/finish-file.js';
import { refuseUnfit } from '../job/job-changes.js';
import { readPlanFiles } from '../run/plan/plan-refusal.js';
import { applyPlan as applyKept } from '../run/run-job.js';
import { ageMs } from './age.js';
import type { CarriedRun, RunChanges, WatchedContext } from './context.js';
import { ledgerLocation, runNamed } from './open.js';
import { changing } from './resume.js';
import { inRunFrame } from './run-frame.js';
import { refuseFile } from './team.js';

export interface ApplyInput extends RunChanges {
  /** In milliseconds, or as `24h`; a plan that was approved is as old as its approval lets it be. */
  readonly maxAge: number | string;
  /** So many items are sent first, as whole requests; the rest waits until somebody goes on with the run. */
  readonly canary?: number;
  /** What is to be sent is put into the ledger's queue, for workers. */
  readonly queue?: boolean;
}

/** `apply`: carries out a kept plan exactly as it was made, once. */
export function applyPlan(context: WatchedContext, id: string, input: ApplyInput): Promise<CarriedRun> {
  return inRunFrame(context, input, async (frame) => {
    const { queue, canary } = input;
    refuseUnfit('canary', canary, 1);
    if (queue) refuseFile('apply --queue', await ledgerLocation(context));
    const maxAgeMs = ageMs(input.maxAge);
    refuseUnfit('maxAgeMs', maxAgeMs, 0);
    return frame.continueRun(
      (ledger) => runNamed(ledger, id),
      { act: 'apply', run: id, connection: input.connection, notifies: true },
      async (parts, plan, connection) => {
        const now = await readPlanFiles(plan, connection, maxAgeMs);
        const end = await applyKept(parts, plan, now, changing(context, input), { queue, canary });
        // Whoever ends the run tells those whom the connection names.
        if (end.status === 'queued') frame.tellJobsOnly();
        return { ...end, movedTo: await finishResumed(parts, plan.id) };
      },
    );
  });
}
