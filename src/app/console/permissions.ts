import path from 'node:path';
import { type Message, message, render } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/runs.js';
import { isRefusedApply, isRefusedPlan } from '../../ledger/rules/run-states.js';
import { isUnderWay, type RunCounts } from '../../model/run-outcome.js';
import { type Act, identify, mayDo } from '../../people/identity.js';
import { operationNamed } from '../../platform/operations/catalogue.js';
import { isRehearsable } from '../../rehearse/stored-rehearsals.js';
import { makersOf } from '../../run/approval/approval-state.js';
import { nothingToRetry, nothingToRevert } from '../../run/eligibility.js';
import type { LiveState } from '../../run/live-state.js';
import { planRefusal, readPlanFiles } from '../../run/plan/plan-refusal.js';
import { operationOf } from '../../run/run-checks.js';
import { connectionOfRun } from '../../run/run-connection.js';
import { hasSteps, stepRunsOf } from '../../run/step-runs.js';
import { systemClock } from '../../util/clock.js';
import { type AppContext, wordsOf } from '../context.js';
import { approvalData } from '../runs.js';
import { runNamed, withLedger } from '../with-ledger.js';

/** Actions on a run: true, or why the action is not possible. Actions that do not apply are absent. */
export type AllowedActions = Readonly<Record<string, true | string>>;

/** Limits of the search for items and rows to process. Beyond them the action is offered, and checks all itself. */
const ITEMS_SEARCHED = 2000;
const ROWS_SEARCHED = 100;

/** Actions that a run's page offers. The use cases check permissions themselves. */
export async function runPermissions(
  context: AppContext,
  ledger: Ledger,
  run: Run,
  { state, counts }: { readonly state: LiveState; readonly counts: RunCounts },
): Promise<AllowedActions> {
  const { kind } = run;
  const may = await rolesOf(context, ledger);
  const isGone = run.prunedAt !== undefined;
  const isActive = isUnderWay(state, kind);
  const isLeft = state === 'cut off' || state === 'stopped' || state === 'interrupted';
  const actions: Record<string, true | string | undefined> = {};
  if (isActive) actions.stop = may('stop');
  // A refused plan is sent from the plan's page.
  const isRefused = isRefusedPlan(run);
  const waits = run.awaitsApproval ? await approvalActs(context, ledger, run) : undefined;
  if (kind === 'run' && isLeft && !isGone && !isRefused)
    actions.resume = waits && may('resume') ? (waits.missing ?? true) : may('resume');
  Object.assign(actions, waits?.acts);
  const isOver = kind === 'run' && !isActive && state !== 'cut off' && !isGone;
  const unlessNothing = async (act: Act, why: () => Promise<Message | undefined>) => {
    if (!may(act)) return undefined;
    const nothing = await why();
    return nothing ? render(nothing, wordsOf(context)) : true;
  };
  if (isOver && (counts.failed ?? 0) > 0)
    actions.retry = await unlessNothing('retry', () => nothingToRetry(ledger, run, ROWS_SEARCHED));
  if (isOver && (counts.succeeded ?? 0) + (counts.accepted ?? 0) > 0)
    actions.revert = await unlessNothing('revert', () => nothingToRevert(ledger, run, ITEMS_SEARCHED));
  if (kind === 'run' && !isActive && (counts.unknown ?? 0) > 0 && !isGone) actions.resolve = may('resolve');
  if (kind !== 'reconcile' && state !== 'planning') {
    const prunedNote = isGone && render(message('run.pruned', { run: run.id }), wordsOf(context));
    actions.result = prunedNote || true;
    actions.report = prunedNote || true;
  }
  return offered(actions);
}

/** Refusals that apply to every user: limits of the job that a plan exceeds. */
export const LIMITS: ReadonlySet<string> = new Set([
  'run.max_items',
  'run.max_deletes',
  'steps.max_items',
  // The warnings of a plan.
  'plan.max_items',
  'plan.max_deletes',
]);

/** Maximum age of a plan that was not approved, as on the command line. */
export const MAX_PLAN_AGE_MS = 24 * 3_600_000;

/** Why `apply` would refuse the plan: its files, its connection or its age. */
async function outdated({ env, cwd }: AppContext, plan: Run): Promise<Message | undefined> {
  try {
    const connection = await connectionOfRun(plan, { env, cwd });
    const why = planRefusal(plan, await readPlanFiles(plan, connection, MAX_PLAN_AGE_MS), systemClock.now());
    if (!why) return undefined;
    // A page names files without the folders of this machine.
    const { what, file, ...params } = why.params as Readonly<Record<string, string>>;
    const names = { ...(what && { what: path.basename(what) }), ...(file && { file: path.basename(file) }) };
    return { ...why, params: { ...params, ...names } };
  } catch (error) {
    if (error instanceof ProductError) return error.detail;
    throw error;
  }
}

/** Actions that a plan's page offers. */
export async function planPermissions(
  context: AppContext,
  ledger: Ledger,
  plan: Run,
  state: LiveState,
): Promise<AllowedActions> {
  const isRefused = isRefusedPlan(plan) && state === 'stopped';
  if (plan.awaitsApproval) return offered({ ...(await approvalActs(context, ledger, plan))?.acts });
  if ((plan.kind !== 'plan' && !isRefused) || plan.prunedAt !== undefined) return {};
  const text = (it: Message): string => render(it, wordsOf(context));
  const may = await rolesOf(context, ledger);
  // The reason is shown only to users who have the permission.
  const unlessBlocked = (act: Act, why: Message | undefined) => may(act) && (why ? text(why) : true);
  if (plan.reason?.code === 'approval.replaced')
    return offered({
      send: unlessBlocked('apply', plan.reason),
      approve: unlessBlocked('approve', plan.reason),
    });
  if (state === 'invalid') {
    const { invalid: rows = 0 } = await ledger.runs.counts(plan.id);
    return offered({ send: unlessBlocked('apply', message('send.held_by_invalid', { rows })) });
  }
  if (state !== 'planned' && !isRefused) return {};
  if (isRefused && plan.reason && LIMITS.has(plan.reason.code))
    return offered({ send: unlessBlocked('apply', plan.reason) });
  if (plan.items === 0) return offered({ send: unlessBlocked('apply', message('send.nothing')) });
  const stale = await outdated(context, plan);
  const waits = await approvalActs(context, ledger, plan);
  // What cannot be sent any more need not be approved.
  if (stale)
    return offered({
      send: unlessBlocked('apply', stale),
      ...(waits && { approve: unlessBlocked('approve', stale), reject: waits.acts.reject }),
    });
  const limit = (await ledger.plan.warnings(plan.id)).find(({ code }) => LIMITS.has(code));
  const missing = limit ? text(limit) : waits?.missing;
  const rehearse = isRehearsable(plan) ? may('rehearse') : undefined;
  return offered({ send: may('apply') && (missing ?? true), ...waits?.acts, rehearse });
}

/** Approval actions for a plan, or for a run that stopped before a step; undefined if no approval is needed. */
async function approvalActs(
  context: AppContext,
  ledger: Ledger,
  plan: Run,
): Promise<
  | { readonly missing?: string; readonly acts: Readonly<Record<string, true | string | undefined>> }
  | undefined
> {
  const approval = await approvalData(ledger, plan);
  if (!approval) return undefined;
  const text = (it: Message): string => render(it, wordsOf(context));
  const may = await rolesOf(context, ledger);
  const ownPlan = may('approve') && (await ownWork(context, ledger, plan));
  const checked = (act: 'approve' | 'reject'): true | string | undefined => {
    if (!may(act)) return undefined;
    if (act === 'approve' && ownPlan) return text(ownPlan);
    const { state } = approval;
    if (state === 'waiting' || (act === 'reject' && state === 'approved')) return true;
    if (state === 'approved') return text(message('send.is_approved'));
    return text(message(state === 'not_asked' ? 'send.not_asked' : 'send.ask_again'));
  };
  const isApproved = approval.state === 'approved';
  const isAsked = approval.state === 'waiting' || isApproved;
  return {
    ...(isApproved ? {} : { missing: text(message('send.not_approved')) }),
    acts: {
      request: may('request') && (isAsked ? text(message('send.asked')) : true),
      approve: checked('approve'),
      reject: checked('reject'),
    },
  };
}

/** Removes undefined actions, which the user's roles do not allow. */
function offered(actions: Readonly<Record<string, true | string | undefined>>): AllowedActions {
  return Object.fromEntries(
    Object.entries(actions).filter((it): it is [string, true | string] => it[1] !== undefined),
  );
}

async function rolesOf({ as }: AppContext, ledger: Ledger): Promise<(act: Act) => true | undefined> {
  const actor = await identify(ledger, as ?? { kind: 'local' }, systemClock.now());
  const roles = 'roles' in actor ? actor.roles : [];
  return (act) => mayDo(roles, act) || undefined;
}

/** Set if the caller is one of the plan's makers, so that another user must approve it. */
async function ownWork({ as }: AppContext, ledger: Ledger, plan: Run): Promise<Message | undefined> {
  const actor = await identify(ledger, as ?? { kind: 'local' }, systemClock.now());
  if (!('roles' in actor)) return undefined;
  const isOwn = (await makersOf(ledger, plan)).some((it) => it.who === actor.who);
  return isOwn ? message('send.own_plan') : undefined;
}

/** The plan as shown when the user confirmed. */
export interface SeenPlan {
  readonly items: number;
  readonly connection: string;
  /** The typed number of items, required if the plan deletes. */
  readonly confirmNumber?: number | undefined;
}

/**
 * Refuses a confirmation that does not match the plan: another number of items, another connection, or a plan that deletes
 * without the typed number.
 * @returns `queue`: whether workers execute it
 */
export function checkSeen(
  context: AppContext,
  id: string,
  seen: SeenPlan,
): Promise<{ readonly queue: boolean }> {
  return withLedger(context, async ({ ledger }) => {
    const plan = await runNamed(ledger, id);
    if (plan.kind === 'run' && !isRefusedApply(plan))
      throw new ProductError('usage', message('run.plan_used', { plan: id }));
    const { items, connection } = seen;
    if (items !== plan.items)
      throw new ProductError('usage', message('send.items_differ', { plan: id, items, now: plan.items }));
    if (connection !== plan.connection) {
      const params = { plan: id, connection, now: plan.connection };
      throw new ProductError('usage', message('send.connection_differs', params));
    }
    const operations = hasSteps(plan)
      ? (await stepRunsOf(ledger, plan)).map((it) => operationNamed(it.step.operation))
      : [operationOf(plan)];
    if (operations.some((it) => it.revokes !== undefined) && seen.confirmNumber !== plan.items)
      throw new ProductError('usage', message('send.number_required', { items: plan.items }));
    return { queue: ledger.queue !== undefined };
  });
}
