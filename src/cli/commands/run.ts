import type { applyPlan } from '../../app/apply.js';
import type { ReconcileInput } from '../../app/reconcile.js';
import type { ResumeInput } from '../../app/resume.js';
import type { RetryInput } from '../../app/retry.js';
import type { RevertInput } from '../../app/revert.js';
import { type RunInput, runJob } from '../../app/run.js';
import { conductRun, type RunFlags } from '../conduct.js';

// Commands that carry a run. What only one of them needs is loaded there.

/** `run`, `validate` and `plan`. */
export async function run(jobFile: string, flags: RunFlags & RunInput): Promise<void> {
  await conductRun(flags, (context) => runJob(context, jobFile, flags));
}

/** `apply PLAN` */
export async function apply(id: string, flags: RunFlags & Parameters<typeof applyPlan>[2]): Promise<void> {
  const app = await import('../../app/apply.js');
  await conductRun(flags, (context) => app.applyPlan(context, id, flags));
}

/** `resume [RUN]`: by default the last run of the ledger. */
export async function resume(id: string | undefined, flags: RunFlags & ResumeInput): Promise<void> {
  const app = await import('../../app/resume.js');
  await conductRun(flags, (context) => app.resumeRun(context, id, flags));
}

/** `retry RUN` */
export async function retry(id: string, flags: RunFlags & RetryInput): Promise<void> {
  const app = await import('../../app/retry.js');
  await conductRun(flags, (context) => app.retryRun(context, id, flags));
}

/** `revert RUN` */
export async function revert(id: string, flags: RunFlags & RevertInput): Promise<void> {
  const app = await import('../../app/revert.js');
  await conductRun(flags, (context) => app.revertRun(context, id, flags));
}

/** `reconcile JOB` */
export async function reconcile(jobFile: string, flags: RunFlags & ReconcileInput): Promise<void> {
  const app = await import('../../app/reconcile.js');
  await conductRun(
    flags,
    (context) => app.reconcileJob(context, jobFile, flags),
    'listing.stopping_comparison',
  );
}
