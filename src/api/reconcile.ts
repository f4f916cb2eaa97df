import { reconcileJob as reconcile } from '../app/reconcile.js';
import { carried } from './context.js';
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
  return reconcileResult(await carried(options, (context) => reconcile(context, jobFile, options)), options);
}
