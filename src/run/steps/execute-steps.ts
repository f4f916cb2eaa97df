import type { Message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { EndingRun } from '../../ledger/contract/queue.js';
import type { RunState } from '../../ledger/contract/runs.js';
import { EndNotReportedError } from '../../ledger/rules/run-states.js';
import { type Series, seriesOfRun } from '../../model/run-outcome.js';
import { prepareToken } from '../../platform/client/token.js';
import { stepApprovalGate } from '../approval/approval-gate.js';
import { changedRows, confirmationRequestedAt } from '../conflicts/changed-since-sent.js';
import { confirmAfterCanary } from '../execute/canary.js';
import { confirmSending } from '../execute/confirm-sending.js';
import { executeStage, queueStage } from '../execute/execute-stage.js';
import { locatePlatform } from '../open-platform.js';
import { requireRun } from '../run-checks.js';
import type { RunStages } from '../run-context.js';
import { endOfStop, type StageEnd } from '../run-end.js';
import type { StepsSettings } from '../settings.js';
import { stepNumbers, stepRunsOf } from '../step-runs.js';
import { endStep, endSteps, nextStep, updateTotals } from './advance.js';
import { checkSteps } from './check-steps.js';
import { brokenLimitOfSteps, maySendSteps, operationToConfirm } from './may-send-steps.js';
import { type ActiveStep, activeSteps, type StepsContext } from './step-contexts.js';

/**
 * Executes the steps of a run in order, after `maySendSteps`.
 * @param from the run's state before
 */
async function executeSteps(context: StepsContext, from: RunState): Promise<StageEnd> {
  const { services, id, settings } = context;
  const { ledger, clock, stateFolder, env } = services;
  // One sandbox for all steps: a step needs what an earlier one created there.
  const { left, series } = await partsOfSteps(ledger, id);
  const platform = await locatePlatform(settings.connection, stateFolder, series);
  const located: StepsContext = { ...context, settings: { ...settings, connection: platform.connection } };
  const startedAt = clock.monotonic();
  try {
    // A missing token is detected before anything is sent: the run is then stopped, not cut off.
    if (left > 0) await prepareToken(platform.connection, env);
    await ledger.runs.patch(id, { state: 'executing' });
    return await takeSteps(located, from, async (step, state) => {
      const ended = await executeStage({ ...step.context, services }, state);
      if (ended.error instanceof EndNotReportedError) throw ended.error;
      return ended;
    });
  } finally {
    await platform.close();
    await ledger.runs.patch(id, { addExecuteMs: Math.round(clock.monotonic() - startedAt) });
  }
}

/**
 * Takes the steps in order, until one is queued or does not complete.
 * @param from the run's state before
 * @param take executes or queues a step; `state`: the state that the step is continued from
 */
async function takeSteps(
  context: StepsContext,
  from: RunState,
  take: (step: ActiveStep, state: RunState) => Promise<StageEnd>,
): Promise<StageEnd> {
  const { services, id, settings } = context;
  let continuePartial = from === 'stopped';
  /** The rest after the canary was confirmed, or there is no canary. */
  let canaryConfirmed = settings.canary === undefined;
  for (;;) {
    const next = await nextStep(context, continuePartial);
    if (services.stop.cause || next.kind === 'over') return endOfStop(services.stop, id);
    if (next.kind === 'ended') return next.ended;
    const { step } = next;
    const refusal = await stepRefusal(context, step, from, canaryConfirmed);
    if (refusal) return { status: 'stopped', reason: refusal };
    // Steps after the canary's step.
    canaryConfirmed ||= step.context.settings.canary === undefined;
    // For a step that was about to begin, the canary was reported when the whole run stopped.
    const state = step.run.state === 'planned' && from === 'stopped' ? from : step.run.state;
    const ended = forWholeRun(await take(step, state), step.run.id, id);
    if (ended.status === 'queued') return ended;
    if (ended.error === undefined) await endStep(context, step, ended);
    else await updateTotals(context);
    if (ended.status !== 'completed' || ended.error !== undefined) return ended;
    continuePartial = false;
  }
}

/** The number of items left to send, and the numbers that a sandbox gives them. */
async function partsOfSteps(
  ledger: Ledger,
  id: string,
): Promise<{ readonly left: number; readonly series: Series }> {
  const steps = await stepRunsOf(ledger, await requireRun(ledger, id));
  const planned = steps.reduce((sum, { run }) => sum + (run?.items ?? 0), 0);
  const left = (await stepNumbers(ledger, steps)).reduce((sum, { items }) => sum + items, 0);
  return { left, series: seriesOfRun(planned - left) };
}

/**
 * Why the next step may not begin; undefined if it may. A canary is not confirmed, or after planning with real results
 * a limit is exceeded or an approval is needed.
 * @param canaryConfirmed the rest after the canary was confirmed, or there is no canary
 */
async function stepRefusal(
  context: StepsContext,
  step: ActiveStep,
  from: RunState,
  canaryConfirmed: boolean,
): Promise<Message | undefined> {
  const refusal = canaryConfirmed ? undefined : await canaryRefusal(context, from);
  if (refusal) return refusal;
  const { services, settings } = context;
  const broken = await brokenLimitOfSteps(services.ledger, settings.job.safety, await activeSteps(context));
  if (broken) return broken;
  // The approval check reads these figures.
  await updateTotals(context);
  return (await stepApprovalGate(context, step)) ?? changedRowsRefusal(context, step);
}

/** Asks about rows whose lock or customer changed since they were sent, unless this was confirmed for all steps. */
async function changedRowsRefusal(
  { services: { ledger, confirm }, id, settings }: StepsContext,
  { run, operation, context }: ActiveStep,
): Promise<Message | undefined> {
  const { job } = context.settings;
  const subject = operation.subject === undefined ? undefined : job.map?.fields.get(operation.subject);
  const isFromSheet = subject?.kind !== 'from' && subject?.kind !== 'expr';
  const confirmedAt = isFromSheet ? await confirmationRequestedAt(ledger, id) : undefined;
  const find = () => changedRows(ledger, [{ run: run.id, job }], confirmedAt);
  if (!(await find())) return undefined;
  const { items } = await ledger.execution.remaining(run.id);
  const { connection } = settings;
  return confirmSending(confirm, { operation, connection, items, job: job.name }, find);
}

/** Replaces the step run's id in the reason with the id of the whole run, which the user knows. */
function forWholeRun(ended: StageEnd, step: string, whole: string): StageEnd {
  const { reason } = ended;
  if (!reason || reason.params.run !== step) return ended;
  return { ...ended, reason: { ...reason, params: { ...reason.params, run: whole } } as Message };
}

/**
 * If the canary was all that its step had to send, the later steps wait for a confirmation.
 * @returns why they may not follow; undefined if they may
 */
async function canaryRefusal(context: StepsContext, from: RunState): Promise<Message | undefined> {
  const { services, id, settings } = context;
  const { ledger, confirm } = services;
  const steps = await activeSteps(context);
  const index = steps.findIndex(({ run, context }) => context.settings.canary !== undefined && run.items > 0);
  const first = steps[index];
  if (first === undefined || first.run.state !== 'completed' || (settings.canary ?? 0) < first.run.items)
    return undefined;
  const isBegun = steps.slice(index + 1).some(({ run }) => run.items > 0 && !UNBEGUN.includes(run.state));
  const left = (await stepNumbers(ledger, steps)).filter((step) => step.items > 0);
  if (isBegun || left.length === 0) return undefined;
  const { connection, job } = settings;
  const items = left.reduce((sum, step) => sum + step.items, 0);
  const question = { operation: operationToConfirm(steps), connection, items, job: job.name, steps: left };
  const refusal = await confirmAfterCanary(ledger, first.run.id, confirm, question, from !== 'stopped');
  return refusal && forWholeRun({ status: 'stopped', reason: refusal }, first.run.id, id).reason;
}

const UNBEGUN: readonly RunState[] = ['planning', 'planned'];

/**
 * Replaces `executeSteps`: puts the next step with anything to send into the ledger's queue. The process that concludes
 * that step calls this again.
 * @param from the run's state before
 * @param after the concluded step, whose position in the queue the next one takes
 * @throws TurnPassed if another worker has `after` now
 */
export async function queueSteps(
  context: StepsContext,
  from: RunState,
  after?: EndingRun,
): Promise<StageEnd> {
  return takeSteps(context, from, (step, state) =>
    queueStage({ ...step.context, queue: true }, state, after),
  );
}

export const STEPS_STAGES: RunStages<StepsSettings> = {
  plan: checkSteps,
  mayExecute: maySendSteps,
  execute: (context, from) => (context.queue ? queueSteps(context, from) : executeSteps(context, from)),
  concluding: endSteps,
};
