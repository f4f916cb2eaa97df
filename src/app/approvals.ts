import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { refuseUnfit } from '../job/job-changes.js';
import type { NewApproval } from '../ledger/contract/approvals.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run } from '../ledger/contract/run.js';
import { timezoneOf } from '../ledger/kept-settings.js';
import { sealPlan } from '../run/approval/gate.js';
import { approvalStanding, awaitsStepApproval, checkersOf, makersOf } from '../run/approval/standing.js';
import { standsNoMore } from '../run/plan/plan-refusal.js';
import { refuseStepRun } from '../run/run-checks.js';
import { currentUser } from '../util/current-user.js';
import { zonedText } from '../util/zoned-time.js';
import { ageMs } from './age.js';
import { type ApprovalTold, approvalData } from './approval-data.js';
import type { AppContext } from './context.js';
import { type OpenedLedger, runNamed, withLedger } from './open.js';
import { runActor } from './people/permit.js';

export interface ApprovalInput {
  readonly comment?: string;
  /** Of the plan as it was looked at: nothing is said of another one. */
  readonly planHash?: string;
}

/** What was said of a plan, and what it comes to. */
export interface PlanSaid {
  readonly plan: Run;
  readonly act: NewApproval['act'];
  readonly approval: ApprovalTold;
  /** Who may say the next word. */
  readonly checkers: Message;
  readonly warning?: Message;
}

/** `request`: asks for the approval of a kept plan. */
export function requestApproval(context: AppContext, id: string, input: ApprovalInput): Promise<PlanSaid> {
  return say(context, 'request', id, input, async ({ ledger }, plan) => {
    const standing = approvalStanding(await ledger.approvals.list(id), Date.now());
    if (standing.state === 'waiting' || standing.state === 'approved') {
      const { by, at } = standing.line;
      const params = { plan: id, by: by.who, at: zonedText(at, timezoneOf(plan)) };
      throw new ProductError('usage', message('approval.asked_already', params));
    }
    return { act: 'request', planHash: plan.planHash };
  });
}

/** `approve`: somebody else than who made a plan lets it be sent. `maxAge`: for how long, in milliseconds or as `24h`. */
export async function approvePlan(
  context: AppContext,
  id: string,
  input: ApprovalInput & { readonly maxAge?: number | string },
): Promise<PlanSaid> {
  const maxAgeMs = ageMs(input.maxAge ?? '24h');
  refuseUnfit('maxAgeMs', maxAgeMs, 1);
  return say(context, 'approve', id, { ...input, maxAgeMs }, async (_, { planHash }) => ({
    act: 'approve',
    planHash,
    maxAgeMs,
  }));
}

/** `reject`: the plan isn't sent, and why. */
export async function rejectPlan(context: AppContext, id: string, input: ApprovalInput): Promise<PlanSaid> {
  if (!input.comment?.trim())
    throw new ProductError('usage', message('approval.comment_wanted', { plan: id }));
  return say(context, 'reject', id, input, async (_, { planHash }) => ({ act: 'reject', planHash }));
}

const SAID_AGAIN_MS = 60_000;

type Sealed = Run & { readonly planHash: string };
type WhatIsSaid =
  | { readonly act: 'request' | 'reject'; readonly planHash: string }
  | { readonly act: 'approve'; readonly planHash: string; readonly maxAgeMs: number };

async function say(
  context: AppContext,
  act: NewApproval['act'],
  id: string,
  { comment, planHash: seen, maxAgeMs }: ApprovalInput & { readonly maxAgeMs?: number },
  what: (opened: OpenedLedger, plan: Sealed) => Promise<WhatIsSaid>,
): Promise<PlanSaid> {
  const work = async (opened: OpenedLedger): Promise<PlanSaid> => {
    const { ledger, actor } = opened;
    const plan = await planToApprove(ledger, await runNamed(ledger, id));
    if (seen !== undefined && seen !== plan.planHash)
      throw new ProductError('usage', message('approval.seen_another', { plan: id }));
    const by = runActor(actor, act);
    const text = comment?.trim() || undefined;
    const before = (await ledger.approvals.list(id)).at(-1);
    const told = async (): Promise<PlanSaid> => {
      const approval = await approvalData(ledger, plan);
      const checkers = await checkersOf(ledger, plan);
      const user = currentUser();
      const isSame =
        act === 'approve' && !ledger.queue && (await makersOf(ledger, plan)).some((it) => it.user === user);
      const warning = isSame ? { warning: message('approval.same_user', { user }) } : {};
      return { plan, act, approval: approval!, checkers, ...warning };
    };
    // A browser sends a request again whose answer was lost: that is no second word.
    const now = Date.now();
    const isAgain =
      before?.act === act &&
      before.by.who === by.who &&
      before.comment === text &&
      now - before.at < SAID_AGAIN_MS &&
      // An approval for longer than the last one, or after it, is a new one.
      (before.expiresAt === undefined ||
        (before.expiresAt > now && before.expiresAt - before.at === maxAgeMs));
    if (isAgain) return told();
    const said = await what(opened, plan);
    await ledger.approvals.add(id, { ...said, by, comment: text }).catch(async (error) => {
      // Somebody tried to approve what they made.
      if (error instanceof ProductError && error.kind === 'safety')
        await ledger.audit.append({
          who: by.who,
          act: 'denied',
          run: id,
          detail: { act, why: error.detail.code },
        });
      throw error;
    });
    return told();
  };
  return withLedger(context, work, { act, run: id });
}

/** @throws ProductError usage for what is no plan any more, or needs nobody's approval */
async function planToApprove(ledger: Ledger, run: Run): Promise<Sealed> {
  refuseStepRun(run);
  const isStarted = awaitsStepApproval(run);
  const no = isStarted ? undefined : standsNoMore(run);
  if (no) throw new ProductError('usage', no);
  const plan = await sealPlan({ ledger }, run);
  const { id, connection, planHash, needsApproval } = plan;
  if (!(needsApproval || isStarted) || planHash === undefined)
    throw new ProductError('usage', message('approval.not_needed', { plan: id, connection }));
  return { ...plan, planHash };
}
