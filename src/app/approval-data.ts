import type { ApprovalLine } from '../ledger/contract/approvals.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run } from '../ledger/contract/run.js';
import { isRefusedPlan } from '../ledger/rules/run-states.js';
import { approvalStanding, awaitsStepApproval, makersOf } from '../run/approval/standing.js';

/** What was said of a plan, and how far it has come by that. */
export type ApprovalTold = NonNullable<Awaited<ReturnType<typeof approvalData>>>;

/** As listings and programs are told it; undefined of what needs no approval. */
export async function approvalData(ledger: Pick<Ledger, 'approvals'>, run: Run, now = Date.now()) {
  const isStarted = awaitsStepApproval(run);
  if (!run.needsApproval && !isStarted) return undefined;
  const lines = await ledger.approvals.list(run.id);
  // One that was refused before its first request waits as before.
  const applied = isRefusedPlan(run) || isStarted ? undefined : await ledger.approvals.application(run.id);
  // What was applied was approved then, whatever the time is now.
  const standing = approvalStanding(lines, applied?.at ?? now);
  return {
    state: applied ? ('applied' as const) : standing.state,
    ...('line' in standing ? lineData(standing.line) : {}),
    ...(applied ? { appliedBy: applied.by.who, appliedAt: new Date(applied.at).toISOString() } : {}),
    makers: (await makersOf(ledger, run)).map(({ who, did }) => ({ who, did })),
    lines: lines.map((it) => ({ act: it.act, ...lineData(it) })),
  };
}

function lineData({ by, at, comment, expiresAt }: ApprovalLine) {
  return {
    by: by.who,
    at: new Date(at).toISOString(),
    ...(comment === undefined ? {} : { comment }),
    ...(expiresAt === undefined ? {} : { until: new Date(expiresAt).toISOString() }),
  };
}
