import { type Message, message, render } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import { isRefusedPlan } from '../../ledger/rules/run-states.js';
import type { RunCounts } from '../../model/run-outcome.js';
import { isUnderWay } from '../../model/under-way.js';
import { identify } from '../../people/identity.js';
import { type Act, mayDo } from '../../people/roles.js';
import { isRehearsable } from '../../rehearse/rehearsable.js';
import { makersOf } from '../../run/approval/standing.js';
import type { LiveState } from '../../run/live-state.js';
import { nothingToRetry } from '../../run/retry/nothing-left.js';
import { nothingToTakeBack } from '../../run/revert/nothing-left.js';
import { systemClock } from '../../util/clock.js';
import { approvalData } from '../approval-data.js';
import { type AppContext, wordsOf } from '../context.js';

/** What somebody may do to a run now: true, or why not; what nobody would look for isn't named. */
export type MayDo = Readonly<Record<string, true | string>>;

/** So many are looked at for whether anything is left to do; beyond them it is offered, and the act itself looks at all. */
const ITEMS_LOOKED_AT = 2000;
const ROWS_LOOKED_AT = 100;

/** At the run's page. The use cases decide for themselves; this is for the page, so that it offers nothing in vain. */
export async function mayAtRun(
  context: AppContext,
  ledger: Ledger,
  run: Run,
  { state, counts }: { readonly state: LiveState; readonly counts: RunCounts },
): Promise<MayDo> {
  const { kind } = run;
  const may = await rolesOf(context, ledger);
  const isGone = run.prunedAt !== undefined;
  const goesOn = isUnderWay(state, kind);
  const isLeft = state === 'cut off' || state === 'stopped' || state === 'interrupted';
  const told: Record<string, true | string | undefined> = {};
  if (goesOn) told.stop = may('stop');
  // One that was refused is sent as the plan that it is, at the plan's page.
  const isRefused = isRefusedPlan(run);
  if (kind === 'run' && isLeft && !isGone && !isRefused) told.resume = may('resume');
  const isOver = kind === 'run' && !goesOn && state !== 'cut off' && !isGone;
  const orNothing = async (act: Act, why: () => Promise<Message | undefined>) => {
    if (!may(act)) return undefined;
    const nothing = await why();
    return nothing ? render(nothing, wordsOf(context)) : true;
  };
  if (isOver && (counts.failed ?? 0) > 0)
    told.retry = await orNothing('retry', () => nothingToRetry(ledger, run, ROWS_LOOKED_AT));
  if (isOver && (counts.succeeded ?? 0) + (counts.accepted ?? 0) > 0)
    told.revert = await orNothing('revert', () => nothingToTakeBack(ledger, run, ITEMS_LOOKED_AT));
  if (kind === 'run' && !goesOn && (counts.unknown ?? 0) > 0 && !isGone) told.resolve = may('resolve');
  if (kind !== 'reconcile' && state !== 'planning') {
    const gone = isGone && render(message('run.pruned', { run: run.id }), wordsOf(context));
    told.result = gone || true;
    told.report = gone || true;
  }
  return offered(told);
}

/** Limits of the job that a plan exceeds, no matter who sends it from a page. */
const LIMITS: ReadonlySet<string> = new Set(['run.max_items', 'run.max_deletes', 'steps.max_items']);

/** At the plan's page. */
export async function mayAtPlan(
  context: AppContext,
  ledger: Ledger,
  plan: Run,
  state: LiveState,
): Promise<MayDo> {
  const isRefused = isRefusedPlan(plan) && state === 'stopped';
  if ((plan.kind !== 'plan' && !isRefused) || plan.prunedAt !== undefined) return {};
  const say = (it: Message): string => render(it, wordsOf(context));
  const may = await rolesOf(context, ledger);
  // Why something can't be done matters to those alone who could do it otherwise.
  const orWhy = (act: Act, why: Message | undefined) => may(act) && (why ? say(why) : true);
  if (plan.reason?.code === 'approval.replaced')
    return offered({ send: orWhy('apply', plan.reason), approve: orWhy('approve', plan.reason) });
  if (state === 'invalid') {
    const { invalid: rows = 0 } = await ledger.runs.counts(plan.id);
    return offered({ send: orWhy('apply', message('send.held_by_invalid', { rows })) });
  }
  if (state !== 'planned' && !isRefused) return {};
  if (isRefused && plan.reason && LIMITS.has(plan.reason.code))
    return offered({ send: orWhy('apply', plan.reason) });
  if (plan.items === 0) return offered({ send: orWhy('apply', message('send.nothing')) });
  const approval = await approvalData(ledger, plan);
  const rehearse = isRehearsable(plan) ? may('rehearse') : undefined;
  if (!approval) return offered({ send: may('apply'), rehearse });
  const own = may('approve') && (await ownWork(context, ledger, plan));
  const checked = (act: 'approve' | 'reject'): true | string | undefined => {
    if (!may(act)) return undefined;
    if (act === 'approve' && own) return say(own);
    const { state: word } = approval;
    if (word === 'waiting' || (act === 'reject' && word === 'approved')) return true;
    if (word === 'approved') return say(message('send.is_approved'));
    return say(message(word === 'not_asked' ? 'send.not_asked' : 'send.ask_again'));
  };
  const isApproved = approval.state === 'approved';
  const isAsked = approval.state === 'waiting' || isApproved;
  return offered({
    send: orWhy('apply', isApproved ? undefined : message('send.not_approved')),
    request: orWhy('request', isAsked ? message('send.asked') : undefined),
    approve: checked('approve'),
    reject: checked('reject'),
    rehearse,
  });
}

/** Without what isn't for this person: nothing is said of acts outside their roles. */
function offered(told: Readonly<Record<string, true | string | undefined>>): MayDo {
  return Object.fromEntries(
    Object.entries(told).filter((it): it is [string, true | string] => it[1] !== undefined),
  );
}

async function rolesOf({ as }: AppContext, ledger: Ledger): Promise<(act: Act) => true | undefined> {
  const actor = await identify(ledger, as ?? { kind: 'local' }, systemClock.now());
  const roles = 'roles' in actor ? actor.roles : [];
  return (act) => mayDo(roles, act) || undefined;
}

/** What of the plan is this person's own, so that another one's word is wanted. */
async function ownWork({ as }: AppContext, ledger: Ledger, plan: Run): Promise<Message | undefined> {
  const actor = await identify(ledger, as ?? { kind: 'local' }, systemClock.now());
  if (!('roles' in actor)) return undefined;
  const isOwn = (await makersOf(ledger, plan)).some((it) => it.who === actor.who);
  return isOwn ? message('send.own_plan') : undefined;
}
