import type { ApplyInput, ResumeInput, RetryInput, RevertInput } from '../../app/continue-run.js';
import type { ReconcileInput } from '../../app/reconcile.js';
import { type RunInput, runJob } from '../../app/run.js';
import type { SubmitInput, WaitInput } from '../../app/submit.js';
import { type RunFlags, terminalContext } from '../terminal.js';

// Commands that execute a run. Modules that `run`, `validate` and `plan` do not need are loaded by the other commands.

type ChangesFlags = RunFlags & { readonly all?: boolean };

/** `run`, `validate` and `plan`. */
export async function run(jobFile: string, flags: ChangesFlags & RunInput): Promise<void> {
  await runJob(terminalContext(flags, { changes: flags }), jobFile, flags);
}

/** `apply PLAN` */
export async function apply(id: string, flags: RunFlags & ApplyInput): Promise<void> {
  const { applyPlan } = await import('../../app/continue-run.js');
  await applyPlan(terminalContext(flags), id, flags);
}

/** `resume [RUN]`: by default the last run of the ledger. */
export async function resume(id: string | undefined, flags: RunFlags & ResumeInput): Promise<void> {
  const { resumeRun } = await import('../../app/continue-run.js');
  await resumeRun(terminalContext(flags), id, flags);
}

/** `retry RUN` */
export async function retry(id: string, flags: RunFlags & RetryInput): Promise<void> {
  const { retryRun } = await import('../../app/continue-run.js');
  await retryRun(terminalContext(flags), id, flags);
}

/** `revert RUN` */
export async function revert(id: string, flags: ChangesFlags & RevertInput): Promise<void> {
  const { revertRun } = await import('../../app/continue-run.js');
  await revertRun(terminalContext(flags, { changes: flags }), id, flags);
}

/** `reconcile JOB` */
export async function reconcile(jobFile: string, flags: ChangesFlags & ReconcileInput): Promise<void> {
  const { reconcileJob } = await import('../../app/reconcile.js');
  const context = terminalContext(flags, { stopping: 'listing.stopping_comparison', changes: flags });
  await reconcileJob(context, jobFile, flags);
}

/** `submit JOB` */
export async function submit(jobFile: string, flags: RunFlags & SubmitInput): Promise<void> {
  const { submitJob } = await import('../../app/submit.js');
  await submitJob(terminalContext(flags), jobFile, flags);
}

/** `wait RUN` */
export async function wait(id: string, flags: RunFlags & WaitInput): Promise<void> {
  const { waitRun } = await import('../../app/submit.js');
  await waitRun(terminalContext(flags, { stopping: 'team.waiting_ends' }), id, flags);
}
