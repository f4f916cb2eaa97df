import type { ApplyInput } from '../../app/apply.js';
import type { ReconcileInput } from '../../app/reconcile.js';
import type { ResumeInput } from '../../app/resume.js';
import type { RetryInput } from '../../app/retry.js';
import type { RevertInput } from '../../app/revert.js';
import { type RunInput, runJob } from '../../app/run.js';
import { conductRun, type RunFlags } from '../conduct.js';
import { contextOf } from '../context.js';

// Commands that carry a run. What only one of them needs is loaded there.

/** `run`, `validate` and `plan`. */
export async function run(jobFile: string, flags: RunFlags & RunInput): Promise<void> {
  await telling(flags, (context) => runJob(context, jobFile, flags));
}

/** What was only planned, or compared, is told with what it would change. */
async function telling(
  flags: RunFlags & { readonly all?: boolean },
  ...[work, stopping]: [Parameters<typeof conductRun>[1], Parameters<typeof conductRun>[2]?]
): Promise<void> {
  const carried = await conductRun(flags, work, stopping);
  if (flags.json || flags.quiet) return;
  const { printDifferences } = await import('../difference.js');
  await printDifferences(carried, { all: flags.all, language: contextOf(flags).language });
}

/** `apply PLAN` */
export async function apply(id: string, flags: RunFlags & ApplyInput): Promise<void> {
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
  await telling(flags, (context) => app.revertRun(context, id, flags));
}

/** `reconcile JOB` */
export async function reconcile(jobFile: string, flags: RunFlags & ReconcileInput): Promise<void> {
  const app = await import('../../app/reconcile.js');
  await telling(flags, (context) => app.reconcileJob(context, jobFile, flags), 'listing.stopping_comparison');
}
