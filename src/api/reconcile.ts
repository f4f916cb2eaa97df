import path from 'node:path';
import { applyChanges } from '../job/job-changes.js';
import { loadReconcileJob } from '../job/load.js';
import { COMPARISONS } from '../platform/comparisons/index.js';
import { CATALOGUE_SHAPES } from '../platform/operations/index.js';
import { reconcile } from '../reconcile/reconcile.js';
import { locatePlatform, openPlatform } from '../run/open-platform.js';
import { runActions } from '../run/run-actions.js';
import { connectionFor, cwdOf, withLedger } from './open.js';
import { type RunOptions, refuseUnknownOptions } from './options.js';
import { type ReconcileResult, reconcileResult } from './result.js';

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
  const cwd = cwdOf(options);
  const loaded = await loadReconcileJob(path.resolve(cwd, jobFile), {
    env: options.env ?? process.env,
    operations: CATALOGUE_SHAPES,
    comparisons: COMPARISONS,
    set: options.set ?? [],
    cwd,
  });
  const job = applyChanges(loaded, options, cwd);
  return withLedger(job.file, options, async (opened) => {
    const { parts } = opened;
    const { stateFolder, language } = parts;
    // One platform for the comparison and its actions: a sandbox of this process would forget between them.
    const platform = await locatePlatform(connectionFor(opened, job, options), stateFolder);
    const { connection } = platform;
    try {
      const openClient = () => openPlatform(connection, job, stateFolder, parts.env);
      const wish = { job, connection, apply: options.apply === true };
      return reconcileResult(
        await reconcile({ ...parts, openClient, runActions: runActions(parts, connection) }, wish),
        language,
      );
    } finally {
      await platform.close();
    }
  });
}
