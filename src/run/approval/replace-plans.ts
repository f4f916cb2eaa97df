import { message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import { RunGoingOnError, takeLock } from '../../ledger/take-lock.js';
import { EXIT } from '../../model/exit-code.js';
import { approvalStanding } from './standing.js';

type Parts = Pick<Ledger, 'runs' | 'approvals' | 'audit' | 'plan' | 'lock' | 'queue'>;

/**
 * Plans of earlier times of a schedule that nobody approved give way to the newest one: they can't be approved or sent any
 * more, and both say so. What somebody approved and didn't send yet stays, as does everything where the newest isn't a plan
 * that waits.
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

/** The run itself where it is kept as a plan that wants an approval; of a comparison its actions that are. */
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

/** Under the lock of its job: whoever sends it holds that, too. */
async function replace(
  ledger: Parts,
  { id, job, scope }: Run,
  { by, who, at }: { readonly by: Run; readonly who: string; readonly at: number },
): Promise<boolean> {
  const lock = await takeLock(ledger, job, scope, id).catch((error: unknown) => {
    if (error instanceof RunGoingOnError) return undefined;
    throw error;
  });
  if (!lock) return false;
  try {
    const now = await ledger.runs.get(id);
    if (!now || !isWaiting(now)) return false;
    if (approvalStanding(await ledger.approvals.list(id), at).state === 'approved') return false;
    const reason = message('approval.replaced', { plan: id, by: by.id });
    await ledger.runs.patch(id, { state: 'invalid', endedAt: at, exitCode: EXIT.safety, reason });
    await ledger.audit.append({ who, act: 'withdraw', run: id, detail: { replacedBy: by.id } });
    return true;
  } finally {
    await lock.release();
  }
}
