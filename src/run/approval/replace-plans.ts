import { message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/runs.js';
import { RunInProgressError, takeLock } from '../../ledger/take-lock.js';
import { EXIT } from '../../model/run-outcome.js';
import { approvalState } from './approval-state.js';

type Parts = Pick<Ledger, 'runs' | 'approvals' | 'audit' | 'plan' | 'lock' | 'queue'>;

/**
 * Replaces unapproved plans of a schedule's earlier times by the newest one: they can no longer be approved or sent,
 * and both plans report this. Approved plans that are not sent yet stay. Nothing is replaced if the newest run is not a
 * waiting plan.
 * @param earlier the runs of earlier times
 * @returns the plans that were replaced
 */
export async function replacePlans(
  ledger: Parts,
  {
    earlier,
    newest,
    who,
    at,
  }: {
    readonly earlier: readonly string[];
    readonly newest: string;
    readonly who: string;
    readonly at: number;
  },
): Promise<readonly string[]> {
  const [newer] = await waitingPlans(ledger, newest);
  if (!newer) return [];
  const replaced: string[] = [];
  for (const run of earlier) {
    if (run === newest) continue;
    for (const plan of await waitingPlans(ledger, run)) {
      if (await replace(ledger, plan, { by: newer, who, at })) replaced.push(plan.id);
    }
  }
  if (replaced.length > 0)
    await ledger.plan.addWarnings(newer.id, [message('approval.replaces', { plans: replaced.join(', ') })]);
  return replaced;
}

/** The run itself, if it is a stored plan that requires an approval; for a comparison its actions of that kind. */
async function waitingPlans({ runs }: Parts, id: string): Promise<readonly Run[]> {
  const run = await runs.get(id);
  if (run?.kind !== 'reconcile') return run && isWaiting(run) ? [run] : [];
  return (await runs.children(id)).filter(isWaiting);
}

function isWaiting({ kind, state, needsApproval, step, prunedAt }: Run): boolean {
  return (
    kind === 'plan' &&
    state === 'planned' &&
    needsApproval === true &&
    step === undefined &&
    prunedAt === undefined
  );
}

/** Holds the lock of the plan's job, as every process that sends the plan does. */
async function replace(
  ledger: Parts,
  { id, job, scope }: Run,
  { by, who, at }: { readonly by: Run; readonly who: string; readonly at: number },
): Promise<boolean> {
  const lock = await takeLock(ledger, job, scope, id).catch((error: unknown) => {
    if (error instanceof RunInProgressError) return undefined;
    throw error;
  });
  if (!lock) return false;
  try {
    const current = await ledger.runs.get(id);
    if (!current || !isWaiting(current)) return false;
    if ((await approvalState(ledger, current, at)).state === 'approved') return false;
    const reason = message('approval.replaced', { plan: id, by: by.id });
    await ledger.runs.patch(id, { state: 'invalid', endedAt: at, exitCode: EXIT.safety, reason });
    await ledger.audit.append({ who, act: 'withdraw', run: id, detail: { replacedBy: by.id } });
    return true;
  } finally {
    await lock.release();
  }
}
