import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { isFinished } from '../../ledger/rules/run-states.js';
import { packSettings } from '../../ledger/stored-settings.js';
import { crashPoint } from '../../util/crash-point.js';
import { announceStep } from '../approval/announced-steps.js';
import { finishPlan, planItems } from '../plan/plan.js';
import { countHeld } from '../report/row-results.js';
import { requireRun } from '../run-checks.js';
import { exitCodeOf, type StageEnd } from '../run-end.js';
import { unpackSettings } from '../settings.js';
import { moveWarnings, othersOf } from './check-steps.js';
import { type ActiveStep, activeSteps, reloadStep, type StepsContext } from './step-contexts.js';

export type NextStep =
  /** This step is planned with the results of the steps before it and is to be executed. */
  | { readonly kind: 'execute'; readonly step: ActiveStep }
  | { readonly kind: 'ended'; readonly ended: StageEnd }
  /** All steps are complete. */
  | { readonly kind: 'over' };

/**
 * Advances a run to its next step: the first that is not complete. If that step's turn has just come, it is planned
 * again with the real results of the steps before it. Idempotent: all state is read from the ledger, so a repeated or
 * killed call has the same result.
 * @param continuePartial the user continued although rows failed in a step with `onPartial: stop`
 */
export async function nextStep(context: StepsContext, continuePartial: boolean): Promise<NextStep> {
  const { services, id } = context;
  const { ledger, stop } = services;
  const steps = await activeSteps(context);
  const index = steps.findIndex(({ run }) => !isFinished(run));
  const active = steps[index];
  if (!active) return { kind: 'over' };
  if (active.run.state !== 'planning') return { kind: 'execute', step: active };
  const before = steps[index - 1];
  if (before?.step.onPartial === 'stop' && !continuePartial) {
    const counts = await ledger.runs.counts(before.run.id);
    const { succeeded = 0, skipped = 0 } = counts;
    const left = before.run.rows - succeeded - skipped + (await countHeld(ledger, before.run, counts));
    if (left > 0) {
      const reason = message('steps.partial', { count: left, step: before.step.name, run: id });
      return { kind: 'ended', ended: { status: 'stopped', reason } };
    }
  }
  const planned = await withRealResults(context, active, steps.slice(0, index));
  const rows = await planAgain(planned, {
    whole: context.settings.job,
    others: othersOf(planned, steps, false),
    keep: 'invalid rows',
  });
  if (typeof rows === 'object') return { kind: 'ended', ended: { status: 'stopped', reason: rows } };
  if (rows === undefined || stop.cause) return { kind: 'over' };
  await finishPlan(planned.context, rows);
  await moveWarnings(context, [planned]);
  crashPoint('step-planned');
  return { kind: 'execute', step: await reloadStep(planned) };
}

/** Plans a step again. An error stops the run, which can be resumed, because rows were sent before. */
async function planAgain(
  { context }: ActiveStep,
  among: Parameters<typeof planItems>[1],
): Promise<number | Message | undefined> {
  try {
    return await planItems(context, among);
  } catch (error) {
    // `safety`: its lookups have to wait, or get no reply.
    if (error instanceof ProductError && error.kind !== 'internal') return error.detail;
    throw error;
  }
}

/** Marks the step as planned with real results. The canary belongs to the first step that sends anything. */
async function withRealResults(
  { services: { ledger }, id, settings: { canary } }: StepsContext,
  active: ActiveStep,
  earlier: readonly ActiveStep[],
): Promise<ActiveStep> {
  const settings = unpackSettings((await requireRun(ledger, active.run.id)).settings);
  if (!settings.step) return active;
  if (settings.step.given && (await requireRun(ledger, id)).needsApproval)
    await announceStep(ledger, active.run);
  const isFirst = earlier.every(({ run }) => run.items === 0);
  const step = { ...settings.step, given: false };
  const changed = { ...settings, canary: isFirst ? canary : undefined, step };
  await ledger.runs.patch(active.run.id, { settings: packSettings(changed) });
  return reloadStep(active);
}

/** Records the end of a step in its step run and in the figures of the whole run. */
export async function endStep(context: StepsContext, active: ActiveStep, ended: StageEnd): Promise<void> {
  const { ledger, clock } = context.services;
  const { status, reason } = ended;
  const run = await requireRun(ledger, active.run.id);
  const counts = await ledger.runs.counts(run.id);
  const exitCode = exitCodeOf({ status, counts, heldUnknown: await countHeld(ledger, run, counts) });
  await ledger.runs.patch(run.id, {
    state: status === 'completed' ? 'completed' : status === 'interrupted' ? 'interrupted' : 'stopped',
    endedAt: clock.now(),
    exitCode,
    reason,
  });
  await updateTotals(context);
  crashPoint('step-ended');
}

/** Sets the whole run's figures to the sums over its steps. */
export async function updateTotals(context: StepsContext): Promise<void> {
  const { ledger } = context.services;
  const steps = await activeSteps(context);
  const runs = steps.map(({ run }) => run);
  const sum = (key: 'requests' | 'retries' | 'items'): number => runs.reduce((all, run) => all + run[key], 0);
  await ledger.runs.patch(context.id, {
    requests: sum('requests'),
    retries: sum('retries'),
    items: sum('items'),
  });
}

/** Ends steps that were never started, if the whole run cannot be resumed. */
export async function endSteps(context: StepsContext, { status }: StageEnd): Promise<void> {
  const { services, kind } = context;
  const { ledger, clock } = services;
  const state = status === 'invalid' ? 'invalid' : kind === 'dry_run' ? 'completed' : undefined;
  if (state !== undefined) {
    for (const { run } of await activeSteps(context)) {
      if (!isFinished(run)) await ledger.runs.patch(run.id, { state, endedAt: clock.now() });
    }
  }
  await updateTotals(context);
}
