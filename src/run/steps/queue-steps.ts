import type { EndingRun } from '../../ledger/contract/queue.js';
import type { RunState } from '../../ledger/contract/run.js';
import { queueStage } from '../execute/queue-stage.js';
import { endOfStop, type StageEnd } from '../run-end.js';
import { endStep, nextStep } from './advance.js';
import { mayBegin, ofWhole } from './carry-steps.js';
import type { StepsContext } from './step-contexts.js';

/**
 * In place of carrying the steps here: puts the next one that has anything to send into the ledger's queue. Whoever concludes
 * it calls this again.
 * @param from the run's state before
 * @param after the step that was concluded, whose place in the line the next one takes
 * @throws TurnPassed where another worker has `after` by now
 */
export async function queueSteps(
  context: StepsContext,
  from: RunState,
  after?: EndingRun,
): Promise<StageEnd> {
  const { services, id, settings } = context;
  let goOn = from === 'stopped';
  let told = settings.canary === undefined;
  for (;;) {
    const next = await nextStep(context, goOn);
    if (services.stop.cause || next.kind === 'over') return endOfStop(services.stop, id);
    if (next.kind === 'ended') return next.ended;
    const { step } = next;
    const refusal = await mayBegin(context, from, told);
    if (refusal) return { status: 'stopped', reason: refusal };
    told ||= step.context.settings.canary === undefined;
    // Of a step that was about to begin, the canary was told when the whole run stopped.
    const state = step.run.state === 'planned' && from === 'stopped' ? from : step.run.state;
    const ended = ofWhole(await queueStage({ ...step.context, queue: true }, state, after), step.run.id, id);
    if (ended.status === 'queued') return ended;
    await endStep(context, step, ended);
    if (ended.status !== 'completed') return ended;
    goOn = false;
  }
}
