import path from 'node:path';
import { applyChanges } from '../job/job-changes.js';
import { loadReconcileJob } from '../job/load.js';
import { reconcile } from '../reconcile/reconcile.js';
import { locatePlatform, openPlatform } from '../run/open-platform.js';
import { runActions } from '../run/run-actions.js';
import type { RunChanges, RunCommandResult, WatchedContext } from './context.js';
import { jobReading } from './job-input.js';
import { RunFrame } from './run-frame.js';

export interface ReconcileInput extends RunChanges {
  /** Run the job's actions, or store what each would send as a plan; otherwise they are only proposed. */
  readonly apply?: boolean | 'plan';
}

/** `reconcile`: compares a job's source with the platform, and runs its actions if `apply` is given. */
export function reconcileJob(
  context: WatchedContext,
  jobFile: string,
  input: ReconcileInput,
): Promise<RunCommandResult> {
  return RunFrame.run(context, input, async (frame) => {
    const { cwd } = context;
    const loaded = await loadReconcileJob(path.resolve(cwd, jobFile), jobReading(context, input.set));
    const job = applyChanges(loaded, input, cwd);
    const { connection: configured, location } = await frame.resolvePlace(job);
    const parts = await frame.openForNewRun(location, 'reconcile');
    const { stateFolder, env } = parts;
    // One platform for the comparison and its actions: a sandbox of this process would lose its state between them.
    const platform = await locatePlatform(configured, stateFolder);
    try {
      const { connection } = platform;
      const applied = input.apply !== undefined && input.apply !== false;
      const openClient = () => openPlatform(connection, job, stateFolder, env);
      const actions = runActions(parts, connection, input.apply === 'plan');
      const found = await reconcile(
        { ...parts, openClient, runActions: actions },
        { job, connection, apply: applied },
      );
      const { drift, ...end } = found;
      frame.compared(end.run, { applied, problems: drift, warnings: end.warnings });
      return { ...end, drift, items: 0, executeMs: 0, kind: 'reconcile' as const };
    } finally {
      await platform.close();
    }
  });
}
