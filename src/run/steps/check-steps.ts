import { crashPoint } from '../../util/crash-point.js';
import { distinctMessages } from '../../util/distinct-messages.js';
import { OtherSteps } from '../plan/other-steps.js';
import { closePlan, planItems, warnOfCutOff } from '../plan/plan.js';
import { holdBackInvalidRows } from './invalid-rows.js';
import { type StepInHand, type StepsContext, stepsInHand } from './step-contexts.js';

/**
 * The plan stage of a run of several steps: plans them all over the whole file, the first as it will be sent, the others with
 * given values in place of what comes from steps before. What is invalid in one is sent in none. Interrupted, it leaves the
 * run in state `planning`, to be planned again.
 * @throws ProductError as `planItems`
 */
export async function checkSteps(context: StepsContext): Promise<void> {
  const { services, id, settings } = context;
  const { ledger, stop, observer } = services;
  const steps = await stepsInHand(context);
  const rows: number[] = [];
  try {
    for (const it of steps) {
      const planned = await planItems(it.context, { whole: settings.job, others: othersOf(it, steps, true) });
      if (planned === undefined) return;
      rows.push(planned);
      crashPoint('step-checked');
    }
    await holdBackInvalidRows(ledger, steps);
    for (const [at, it] of steps.entries()) await closePlan(it.context, rows[at]!);
  } catch (error) {
    // How the whole run ended is told by whoever carries it.
    for (const { run } of steps) await ledger.runs.patch(run.id, { state: 'invalid' }).catch(() => {});
    throw error;
  }
  if (stop.cause) return;
  await warnOfCutOff(services, id, settings);
  await takeWarnings(context, steps);
  for (const warning of await ledger.plan.warnings(id)) observer.warn(warning);
  const items = await Promise.all(steps.map(async ({ run }) => (await ledger.runs.get(run.id))?.items ?? 0));
  await ledger.runs.patch(id, {
    state: 'planned',
    rows: Math.max(0, ...rows),
    items: items.reduce((sum, it) => sum + it, 0),
  });
}

/** How the other steps stand to one that is planned: afresh for each reading of the sheet. */
export function othersOf(it: StepInHand, all: readonly StepInHand[], given: boolean): () => OtherSteps {
  const named = (steps: readonly StepInHand[]) =>
    steps.map(({ step, run }) => ({ name: step.name, run: run.id }));
  const earlier = named(all.filter(({ index }) => index < it.index));
  // While all are checked, those that come later haven't been.
  const later = given ? [] : named(all.filter(({ index }) => index > it.index));
  return () => new OtherSteps(it.context.services.ledger, { earlier, later }, given);
}

/** What planning a step warned of is told once, as the whole run's. */
export async function takeWarnings(
  { services: { ledger }, id }: StepsContext,
  steps: readonly StepInHand[],
): Promise<void> {
  const known = distinctMessages(await ledger.plan.warnings(id));
  const all = [...known];
  for (const { run } of steps) all.push(...(await ledger.plan.warnings(run.id)));
  const more = distinctMessages(all).slice(known.length);
  if (more.length > 0) await ledger.plan.addWarnings(id, more);
}
