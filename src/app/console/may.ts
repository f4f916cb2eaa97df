import { type Message, message, render } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import type { RunCounts } from '../../model/run-outcome.js';
import { identify } from '../../people/identity.js';
import { type Act, mayDo } from '../../people/roles.js';
import type { LiveState } from '../../run/live-state.js';
import { systemClock } from '../../util/clock.js';
import { approvalData } from '../approval-data.js';
import type { AppContext } from '../context.js';

/** What somebody may do to a run now: true, or why not; what nobody would look for isn't named. */
export type MayDo = Readonly<Record<string, true | string>>;

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
  const goesOn = state === 'executing' || state === 'executed' || state === 'queued' || state === 'planning';
  const isLeft = state === 'cut off' || state === 'stopped' || state === 'interrupted';
  const told: Record<string, true | string> = {};
  if (goesOn) told.stop = may('stop');
  if (kind === 'run' && isLeft && !isGone) told.resume = may('resume');
  const isOver = kind === 'run' && !goesOn && state !== 'cut off' && !isGone;
  if (isOver && (counts.failed ?? 0) > 0) told.retry = may('retry');
  if (isOver && (counts.succeeded ?? 0) + (counts.accepted ?? 0) > 0) told.revert = may('revert');
  if (kind === 'run' && !goesOn && (counts.unknown ?? 0) > 0 && !isGone) told.resolve = may('resolve');
  if (kind !== 'reconcile' && state !== 'planning') {
    const gone = isGone && render(message('run.pruned', { run: run.id }), context.language);
    told.result = gone || true;
    told.report = gone || true;
  }
  return told;
}

/** At the plan's page. */
export async function mayAtPlan(
  context: AppContext,
  ledger: Ledger,
  plan: Run,
  state: LiveState,
): Promise<MayDo> {
  if (plan.kind !== 'plan' || plan.prunedAt !== undefined) return {};
  const { language } = context;
  if (state === 'invalid') {
    const { invalid: rows = 0 } = await ledger.runs.counts(plan.id);
    return { send: render(message('send.held_by_invalid', { rows }), language) };
  }
  if (state !== 'planned') return {};
  if (plan.items === 0) return { send: render(message('send.nothing'), language) };
  const may = await rolesOf(context, ledger);
  const approval = await approvalData(ledger, plan);
  const say = (it: Message): string => render(it, language);
  const own = await isOwn(context, ledger, plan);
  if (!approval) return { send: may('apply') };
  const checked = (act: 'approve' | 'reject'): true | string => {
    const allowed = may(act);
    if (allowed !== true) return allowed;
    if (act === 'approve' && own) return say(message('send.own_plan'));
    const { state: word } = approval;
    if (word === 'waiting' || (act === 'reject' && word === 'approved')) return true;
    if (word === 'approved') return say(message('send.is_approved'));
    return say(message(word === 'not_asked' ? 'send.not_asked' : 'send.ask_again'));
  };
  const isApproved = approval.state === 'approved';
  return {
    send: isApproved ? may('apply') : say(message('send.not_approved')),
    request: approval.state === 'waiting' || isApproved ? say(message('send.asked')) : may('request'),
    approve: checked('approve'),
    reject: checked('reject'),
  };
}

async function rolesOf({ as, language }: AppContext, ledger: Ledger): Promise<(act: Act) => true | string> {
  const actor = await identify(ledger, as ?? { kind: 'local' }, systemClock.now());
  const roles = 'roles' in actor ? actor.roles : [];
  return (act) => mayDo(roles, act) || render(message('send.not_your_role', { act }), language);
}

async function isOwn({ as }: AppContext, ledger: Ledger, { by }: Run): Promise<boolean> {
  const actor = await identify(ledger, as ?? { kind: 'local' }, systemClock.now());
  return 'roles' in actor && by !== undefined && actor.who === by;
}
