import path from 'node:path';
import { applyChanges } from '../job/job-changes.js';
import { loadReconcileJob } from '../job/load.js';
import { reconcile } from '../reconcile/reconcile.js';
import { locatePlatform, openPlatform } from '../run/open-platform.js';
import { runActions } from '../run/run-actions.js';
import type { CarriedRun, RunChanges, WatchedContext } from './context.js';
import { jobReading } from './job-reading.js';
import { inRunFrame } from './run-frame.js';

export interface ReconcileInput extends RunChanges {
  /** As `--set`: `run.retries=2`. */
  readonly set?: readonly string[];
  /** Carry out the job's actions, or keep what each would send as a plan; else they are only proposed. */
  readonly apply?: boolean | 'plan';
}

/** `reconcile`: compares a job's source with the platform, and carries out its actions where that is wanted. */
export function reconcileJob(
  context: WatchedContext,
  jobFile: string,
  input: ReconcileInput,
): Promise<CarriedRun> {
  return inRunFrame(context, input, async (frame) => {
    const { cwd } = context;
    const loaded = await loadReconcileJob(path.resolve(cwd, jobFile), jobReading(context, input.set));
    const job = applyChanges(loaded, input, cwd);
    const { connection: configured, location } = await frame.resolvePlace(job);
    return frame.withLedgerForNewRun(location, 'reconcile', async (parts) => {
      const { stateFolder, env } = parts;
      // One platform for the comparison and its actions: a sandbox of this process would forget between them.
      const platform = await locatePlatform(configured, stateFolder);
      try {
        const { connection } = platform;
        const openClient = () => openPlatform(connection, job, stateFolder, env);
        const wish = { job, connection, apply: input.apply !== undefined && input.apply !== false };
        const found = await reconcile(
          { ...parts, openClient, runActions: runActions(parts, connection, input.apply === 'plan') },
          wish,
        );
        const { drift, ...end } = found;
        frame.compared(end.run, { applied: wish.apply, problems: drift, warnings: end.warnings });
        return { ...end, drift, items: 0, executeMs: 0, kind: 'reconcile' as const };
      } finally {
        await platform.close();
      }
    });
  });
}
