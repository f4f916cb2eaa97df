import { refuseUnfit } from '../job/job-changes.js';
import { readPlanFiles } from '../run/plan/plan-refusal.js';
import { applyPlan as applyKept } from '../run/run-job.js';
import { ageMs } from './age.js';
import type { CarriedRun, RunChanges, WatchedContext } from './context.js';
import { runNamed } from './open.js';
import { changing } from './resume.js';
import { inRunFrame } from './run-frame.js';

/** `apply`: carries out a kept plan exactly as it was made, once. `maxAge`: in milliseconds, or as `24h`. */
export function applyPlan(
  context: WatchedContext,
  id: string,
  input: RunChanges & { readonly maxAge: number | string },
): Promise<CarriedRun> {
  return inRunFrame(context, input, async (frame) => {
    const maxAgeMs = ageMs(input.maxAge);
    refuseUnfit('maxAgeMs', maxAgeMs, 0);
    return frame.continueRun(
      (ledger) => runNamed(ledger, id),
      { act: 'apply', run: id, connection: input.connection, notifies: true },
      async (parts, plan, connection) =>
        applyKept(parts, plan, await readPlanFiles(plan, connection, maxAgeMs), changing(context, input)),
    );
  });
}
