import type { Message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RunState } from '../../ledger/contract/run.js';
import { type Series, seriesOfRun } from '../../model/series.js';
import { prepareToken } from '../../platform/client/token.js';
import { stepApprovalGate } from '../approval/gate.js';
import { canaryConsent } from '../execute/canary.js';
import { executeStage } from '../execute/execute-stage.js';
import { locatePlatform } from '../open-platform.js';
import { requireRun } from '../run-checks.js';
import { EndUntoldError, endOfStop, type StageEnd } from '../run-end.js';
import { stepNumbers, stepRunsOf } from '../step-runs.js';
import { addUp, endStep, nextStep } from './advance.js';
import { asked, brokenLimitOfSteps } from './may-send-steps.js';
import { type StepInHand, type StepsContext, stepsInHand } from './step-contexts.js';

/**
 * Carries the steps of a run out, one after the other, after `maySendSteps`.
 * @param from the run's state before
 */
export async function carrySteps(context: StepsContext, from: RunState): Promise<StageEnd> {
  const { services, id, settings } = context;
  const { ledger, clock, stop, stateFolder, env } = services;
  // One sandbox for all steps: what one of them makes there, the next one needs.
  const { left, series } = await partsOfSteps(ledger, id);
  const platform = await locatePlatform(settings.connection, stateFolder, series);
  const here: StepsContext = { ...context, settings: { ...settings, connection: platform.connection } };
  const began = clock.monotonic();
  try {
    // What is missing is found out while the run is whole: then it is stopped, and not cut off.
    if (left > 0) await prepareToken(platform.connection, env);
    await ledger.runs.patch(id, { state: 'executing' });
    let goOn = from === 'stopped';
    /** A yes was given for what the canary leaves, or there was no canary. */
    let told = settings.canary === undefined;
    for (;;) {
      const next = await nextStep(here, goOn);
      if (stop.cause || next.kind === 'over') return endOfStop(stop, id);
      if (next.kind === 'ended') return next.ended;
      const { step } = next;
      const refusal = await mayBegin(here, from, told);
      if (refusal) return { status: 'stopped', reason: refusal };
      // Those after the canary's.
      told ||= step.context.settings.canary === undefined;
      const ended = ofWhole(await carryStep(here, step, from), step.run.id, id);
      if (ended.error === undefined) await endStep(here, step, ended);
      else await addUp(here);
      if (ended.status !== 'completed' || ended.error !== undefined) return ended;
      goOn = false;
    }
  } finally {
    await platform.close();
    await ledger.runs.patch(id, { addExecuteMs: Math.round(clock.monotonic() - began) });
  }
}

/** How many items are left to send, and what numbers a sandbox gives them. */
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
 * Why the step whose turn has come may not begin, if so: a canary waits for its yes, or now that the step is planned with
 * what was returned, a limit is broken or an approval is needed.
 * @param told a yes was given for what the canary leaves, or there was no canary
 */
export async function mayBegin(
  context: StepsContext,
  from: RunState,
  told: boolean,
): Promise<Message | undefined> {
  const waits = told ? undefined : await restAfterCanary(context, from);
  if (waits) return waits;
  const { services, settings } = context;
  const broken = await brokenLimitOfSteps(services.ledger, settings.job.safety, await stepsInHand(context));
  if (broken) return broken;
  // What it is about is known by now.
  await addUp(context);
  return stepApprovalGate(context);
}

async function carryStep(
  here: StepsContext,
  { context, run }: StepInHand,
  from: RunState,
): Promise<StageEnd> {
  // Of a step that was about to begin, the canary was told when the whole run stopped.
  const ended = await executeStage(
    { ...context, services: here.services },
    run.state === 'planned' && from === 'stopped' ? from : run.state,
  );
  if (ended.error instanceof EndUntoldError) throw ended.error;
  return ended;
}

/** Why a step ended, said of the run that a person can name. */
export function ofWhole(ended: StageEnd, step: string, whole: string): StageEnd {
  const { reason } = ended;
  if (!reason || reason.params.run !== step) return ended;
  return { ...ended, reason: { ...reason, params: { ...reason.params, run: whole } } as Message };
}

/**
 * Where the canary was all that its step had to send, the steps after it wait for the yes. Gives why they may not follow, if
 * so.
 */
async function restAfterCanary(here: StepsContext, from: RunState): Promise<Message | undefined> {
  const { services, id, settings } = here;
  const { ledger, confirm } = services;
  const steps = await stepsInHand(here);
  const at = steps.findIndex(({ run, context }) => context.settings.canary !== undefined && run.items > 0);
  const first = steps[at];
  if (first === undefined || first.run.state !== 'completed' || (settings.canary ?? 0) < first.run.items)
    return undefined;
  const isBegun = steps.slice(at + 1).some(({ run }) => run.items > 0 && !UNBEGUN.includes(run.state));
  const left = (await stepNumbers(ledger, steps)).filter((it) => it.items > 0);
  if (isBegun || left.length === 0) return undefined;
  const { connection, job } = settings;
  const items = left.reduce((sum, it) => sum + it.items, 0);
  const question = { operation: asked(steps), connection, items, job: job.name, steps: left };
  const waits = await canaryConsent(ledger, first.run.id, confirm, question, from !== 'stopped');
  return waits && ofWhole({ status: 'stopped', reason: waits }, first.run.id, id).reason;
}

const UNBEGUN: readonly RunState[] = ['planning', 'planned'];
