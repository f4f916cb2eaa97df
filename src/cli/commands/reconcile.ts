import { type ReconcileInput, reconcileJob } from '../../app/reconcile.js';
import { conductRun, type RunFlags } from '../conduct.js';

/** `reconcile JOB` */
export async function reconcile(jobFile: string, flags: RunFlags & ReconcileInput): Promise<void> {
  await conductRun(flags, (context) => reconcileJob(context, jobFile, flags), true);
}
