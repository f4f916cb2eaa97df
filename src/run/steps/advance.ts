import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { packSettings } from '../../ledger/kept-settings.js';
import { isFinished } from '../../ledger/rules/run-states.js';
import { crashPoint } from '../../util/crash-point.js';
import { closePlan, planItems } from '../plan/plan.js';
import { countHeld } from '../report/held-rows.js';
import { requireRun } from '../run-checks.js';
import { exitCodeOf, type StageEnd } from '../run-end.js';
import { unpackSettings } from '../settings.js';
import { othersOf, takeWarnings } from './check-steps.js';
import { renewed, type StepInHand, type StepsContext, stepsInHand } from './step-contexts.js';

/** What comes next in a run of several steps. */
export type NextStep =
  /** This step is planned with what the steps before it returned: it is to be carried out. */
  | { readonly kind: 'carry'; readonly step: StepInHand }
  | { readonly kind: 'ended'; readonly ended: StageEnd }
  /** All steps are through. */
  | { readonly kind: 'over' };

/**
 * Takes a run to its next step: the first that isn't through. If its turn has just come, it is planned again, with the real
 * results of the steps before it. Done twice, or after a kill at any moment, it comes to the same, from the ledger alone.
 * @param goOn a person said to go on although rows didn't get through a step that says `onPartial: stop`
 */
export async function nextStep(context: StepsContext, goOn: boolean): Promise<NextStep> {
  const { services, id } = context;
  const { ledger, stop } = services;
  const steps = await stepsInHand(context);
  const at = steps.findIndex(({ run }) => !isFinished(run));
  const it = steps[at];
  if (!it) return { kind: 'over' };
  if (it.run.state !== 'planning') return { kind: 'carry', step: it };
  const before = steps[at - 1];
  if (before?.step.onPartial === 'stop' && !goOn) {
    const counts = await ledger.runs.counts(before.run.id);
    const { succeeded = 0, skipped = 0 } = counts;
    const left = before.run.rows - succeeded - skipped + (await countHeld(ledger, before.run, counts));
    if (left > 0) {
      const reason = message('steps.partial', { count: left, step: before.step.name, run: id });
      return { kind: 'ended', ended: { status: 'stopped', reason } };
    }
  }
  const own = await withRealResults(context, it, steps.slice(0, at));
  const rows = await planOnceMore(own, {
    whole: context.settings.job,
    others: othersOf(own, steps, false),
    kept: 'invalid rows',
  });
  if (typeof rows === 'object') return { kind: 'ended', ended: { status: 'stopped', reason: rows } };
  if (rows === undefined || stop.cause) return { kind: 'over' };
  await closePlan(own.context, rows);
  await takeWarnings(context, [own]);
  crashPoint('step-planned');
  return { kind: 'carry', step: await renewed(own) };
}

/** What stands against planning at this moment stops the run: something was sent by now, and it can be gone on with. */
async function planOnceMore(
  { context }: StepInHand,
  among: Parameters<typeof planItems>[1],
): Promise<number | Message | undefined> {
  try {
    return await planItems(context, among);
  } catch (error) {
    // `safety`: its look-ups have to wait, or nobody answers them.
    if (error instanceof ProductError && error.kind !== 'internal') return error.detail;
    throw error;
  }
}

/** From here on the step is planned with what earlier steps returned. The canary is of the first step that sends anything. */
async function withRealResults(
  { services: { ledger }, settings: { canary } }: StepsContext,
  it: StepInHand,
  earlier: readonly StepInHand[],
): Promise<StepInHand> {
  const kept = unpackSettings((await requireRun(ledger, it.run.id)).settings);
  if (!kept.step) return it;
  const { canary: _, ...others } = kept;
  const isFirst = canary !== undefined && earlier.every(({ run }) => run.items === 0);
  const settings = {
    ...others,
    ...(isFirst ? { canary } : {}),
    step: { ...kept.step, given: false },
  };
  await ledger.runs.patch(it.run.id, { settings: packSettings(settings) });
  return renewed(it);
}

/** A step has ended so: written down with its step run and with the whole run. */
export async function endStep(context: StepsContext, it: StepInHand, ended: StageEnd): Promise<void> {
  const { ledger, clock } = context.services;
  const { status, reason } = ended;
  const run = await requireRun(ledger, it.run.id);
  const counts = await ledger.runs.counts(run.id);
  const exitCode = exitCodeOf({ status, counts, heldUnknown: await countHeld(ledger, run, counts) });
  await ledger.runs.patch(run.id, {
    state: status === 'completed' ? 'completed' : status === 'interrupted' ? 'interrupted' : 'stopped',
    endedAt: clock.now(),
    exitCode,
    reason,
  });
  await addUp(context);
  crashPoint('step-ended');
}

/** The whole run's figures are the sums of its steps'. */
export async function addUp(context: StepsContext): Promise<void> {
  const { ledger } = context.services;
  const steps = await stepsInHand(context);
  const runs = steps.map(({ run }) => run);
  const sum = (of: 'requests' | 'retries' | 'items'): number => runs.reduce((all, it) => all + it[of], 0);
  await ledger.runs.patch(context.id, {
    requests: sum('requests'),
    retries: sum('retries'),
    items: sum('items'),
  });
}

/** Steps that never had their turn end with the whole run, where it can't be gone on with. */
export async function endSteps(context: StepsContext, { status }: StageEnd): Promise<void> {
  const { services, kind } = context;
  const { ledger, clock } = services;
  const state = status === 'invalid' ? 'invalid' : kind === 'dry_run' ? 'completed' : undefined;
  if (state !== undefined) {
    for (const { run } of await stepsInHand(context)) {
      if (!isFinished(run)) await ledger.runs.patch(run.id, { state, endedAt: clock.now() });
    }
  }
  await addUp(context);
}
