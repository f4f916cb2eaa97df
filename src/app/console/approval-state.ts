import type { ApprovalLine } from '../../ledger/contract/approvals.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import { systemClock } from '../../util/clock.js';

/** What is said of a plan's approval as it is now. The ledger itself refuses what must not be; this only tells. */
export async function approvalState(ledger: Pick<Ledger, 'approvals'>, { id, planHash, needsApproval }: Run) {
  const lines = await ledger.approvals.list(id);
  const last = lines.at(-1);
  const state = stateOf(last, planHash);
  return {
    needed: needsApproval === true,
    state,
    ...(last === undefined ? {} : { by: last.by.who, comment: last.comment }),
    ...(last?.expiresAt === undefined ? {} : { until: new Date(last.expiresAt).toISOString() }),
  };
}

function stateOf(last: ApprovalLine | undefined, planHash: string | undefined) {
  if (!last || last.planHash !== planHash) return 'none' as const;
  if (last.act === 'request') return 'waiting' as const;
  if (last.act === 'reject') return 'rejected' as const;
  return (last.expiresAt ?? 0) > systemClock.now() ? ('approved' as const) : ('expired' as const);
}

/** All that was said of a plan, oldest first. */
export async function approvalLines(ledger: Pick<Ledger, 'approvals'>, { id, planHash }: Run) {
  return (await ledger.approvals.list(id)).map((it) => ({
    act: it.act,
    by: it.by.who,
    at: new Date(it.at).toISOString(),
    ...(it.comment === undefined ? {} : { comment: it.comment }),
    ...(it.expiresAt === undefined ? {} : { until: new Date(it.expiresAt).toISOString() }),
    ...(it.planHash === planHash ? {} : { void: true }),
  }));
}
