import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { requireWholeNumber } from '../job/job-changes.js';
import type { NewApproval } from '../ledger/contract/approvals.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run } from '../ledger/contract/runs.js';
import { timezoneOf } from '../ledger/stored-settings.js';
import { sealPlan } from '../run/approval/approval-gate.js';
import { approvalState, checkersOf, makersOf } from '../run/approval/approval-state.js';
import { isOutdated } from '../run/plan/plan-refusal.js';
import { refuseStepRun } from '../run/run-checks.js';
import { currentUser } from '../util/process.js';
import { zonedText } from '../util/zoned-time.js';
import type { AppContext } from './context.js';
import { ageMs } from './input-values.js';
import { runActor } from './permit.js';
import { type ApprovalView, approvalData } from './runs.js';
import { type OpenedLedger, runNamed, withLedger } from './with-ledger.js';

export interface ApprovalInput {
  readonly comment?: string;
  /** Hash of the plan that the user saw. A plan with another hash is refused. */
  readonly planHash?: string;
}

/** A plan after an approval action. */
export interface PlanReviews {
  readonly plan: Run;
  readonly act: NewApproval['act'];
  readonly approval: ApprovalView;
  /** The zone of the plan's connection. */
  readonly timezone: string;
  /** Who may approve or reject it. */
  readonly checkers: Message;
  readonly warning?: Message;
}

/** `request`: requests the approval of a stored plan. */
export function requestApproval(context: AppContext, id: string, input: ApprovalInput): Promise<PlanReviews> {
  return addReview(context, 'request', id, input, async ({ ledger }, plan) => {
    const current = await approvalState(ledger, plan, Date.now());
    if (current.state === 'waiting' || current.state === 'approved') {
      const { by, at } = current.line;
      const params = { plan: id, by: by.who, at: zonedText(at, timezoneOf(plan)) };
      throw new ProductError('usage', message('approval.asked_already', params));
    }
    return { act: 'request', planHash: plan.planHash };
  });
}

/** `approve`: a user other than the plan's makers approves it. `maxAge`: how long that is valid, in milliseconds or as `24h`. */
export async function approvePlan(
  context: AppContext,
  id: string,
  input: ApprovalInput & { readonly maxAge?: number | string },
): Promise<PlanReviews> {
  const maxAgeMs = ageMs(input.maxAge ?? '24h');
  requireWholeNumber('maxAgeMs', maxAgeMs, 1);
  return addReview(context, 'approve', id, { ...input, maxAgeMs }, async (_, { planHash }) => ({
    act: 'approve',
    planHash,
    maxAgeMs,
  }));
}

/** `reject`: rejects a plan with the reason as comment. */
export async function rejectPlan(
  context: AppContext,
  id: string,
  input: ApprovalInput,
): Promise<PlanReviews> {
  if (!input.comment?.trim())
    throw new ProductError('usage', message('approval.comment_required', { plan: id }));
  return addReview(context, 'reject', id, input, async (_, { planHash }) => ({ act: 'reject', planHash }));
}

const REPEATED_WITHIN_MS = 60_000;

type Sealed = Run & { readonly planHash: string };
type ReviewStatement =
  | { readonly act: 'request' | 'reject'; readonly planHash: string }
  | { readonly act: 'approve'; readonly planHash: string; readonly maxAgeMs: number };

async function addReview(
  context: AppContext,
  act: NewApproval['act'],
  id: string,
  { comment, planHash: seen, maxAgeMs }: ApprovalInput & { readonly maxAgeMs?: number },
  statementOf: (opened: OpenedLedger, plan: Sealed) => Promise<ReviewStatement>,
): Promise<PlanReviews> {
  const work = async (opened: OpenedLedger): Promise<PlanReviews> => {
    const { ledger, actor } = opened;
    const plan = await planToApprove(ledger, await runNamed(ledger, id));
    if (seen !== undefined && seen !== plan.planHash)
      throw new ProductError('usage', message('approval.seen_another', { plan: id }));
    const by = runActor(actor, act);
    const text = comment?.trim() || undefined;
    const lines = await ledger.approvals.list(id);
    const before = lines.findLast((it) => it.planHash === plan.planHash);
    const currentReviews = async (): Promise<PlanReviews> => {
      const approval = await approvalData(ledger, plan);
      const checkers = await checkersOf(ledger, plan);
      const user = currentUser();
      const isSame =
        act === 'approve' && !ledger.queue && (await makersOf(ledger, plan)).some((it) => it.user === user);
      const warning = isSame ? { warning: message('approval.same_user', { user }) } : {};
      return { plan, act, approval: approval!, checkers, timezone: timezoneOf(plan), ...warning };
    };
    // A browser repeats a request after a lost response: that is not a second approval.
    const now = Date.now();
    const isAgain =
      before?.act === act &&
      before.by.who === by.who &&
      before.comment === text &&
      now - before.at < REPEATED_WITHIN_MS &&
      // An approval with another duration, or after the last one expired, is a new one.
      (before.expiresAt === undefined ||
        (before.expiresAt > now && before.expiresAt - before.at === maxAgeMs));
    if (isAgain) return currentReviews();
    const statement = await statementOf(opened, plan);
    await ledger.approvals.add(id, { ...statement, by, comment: text }).catch(async (error) => {
      // The user tried to approve their own plan.
      if (error instanceof ProductError && error.kind === 'safety')
        await ledger.audit.append({
          who: by.who,
          act: 'denied',
          run: id,
          detail: { act, why: error.detail.code },
        });
      throw error;
    });
    return currentReviews();
  };
  return withLedger(context, work, { act, run: id });
}

/** @throws ProductError usage if the run is not a plan any more, or needs no approval */
async function planToApprove(ledger: Ledger, run: Run): Promise<Sealed> {
  refuseStepRun(run);
  const outdated = run.awaitsApproval ? undefined : isOutdated(run);
  if (outdated) throw new ProductError('usage', outdated);
  const plan = await sealPlan({ ledger }, run);
  const { id, connection, planHash, needsApproval } = plan;
  if (!needsApproval || planHash === undefined)
    throw new ProductError('usage', message('approval.not_needed', { plan: id, connection }));
  return { ...plan, planHash };
}
