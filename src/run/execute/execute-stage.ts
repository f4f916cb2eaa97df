import type { Message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RunState } from '../../ledger/contract/run.js';
import { seriesOfRun } from '../../model/series.js';
import { lowerRate } from '../../platform/client/inquiry.js';
import { RequestGate } from '../../platform/client/request-gate.js';
import { operationNamed } from '../../platform/operations/index.js';
import { RetryBudget } from '../../util/retry-timing.js';
import { conflictsBeforeSending } from '../conflicts/before-sending.js';
import { openPlatform } from '../open-platform.js';
import { claimOptions } from '../retry-chain.js';
import { requireRun } from '../run-checks.js';
import type { RunContext } from '../run-context.js';
import { endOfStop, type StageEnd } from '../run-end.js';
import { pauseEvent } from '../run-events.js';
import type { RunSettings } from '../settings.js';
import { stepNumbers, stepRunsOf } from '../step-runs.js';
import { LOST, undoneOrders } from './attempt-outcomes.js';
import type { CarrierParts } from './batch-carrier.js';
import { canaryConsent, canaryStand } from './canary.js';
import type { SendQuestion } from './consent.js';
import { refuseGiven } from './may-execute.js';
import { sendBatches } from './send-batches.js';

/**
 * The execute stage: sends the planned batches, after `mayExecute`.
 * @param from the run's state before
 */
export async function executeStage(current: RunContext, from: RunState): Promise<StageEnd> {
  const { services, id, settings } = current;
  const { ledger, clock, stop, observer } = services;
  const { job, connection } = settings;
  const operation = operationNamed(job.operation);
  refuseGiven(current);
  const { items } = await ledger.execution.remaining(id);
  if (items > 0) {
    const taken = (await requireRun(ledger, id)).items - items;
    const { stateFolder, env } = services;
    const platform = await openPlatform(connection, job, stateFolder, env, seriesOfRun(taken));
    const began = clock.monotonic();
    try {
      await ledger.runs.patch(id, { state: 'executing' });
      const gate = new RequestGate({
        perSecond: lowerRate(job.run, connection),
        origin: platform.client.origin,
        patienceMs: job.run.patienceMs,
        clock,
        tell: (pause) => {
          observer.paused(pause);
          if (pause) services.log?.add(pauseEvent(id, pause, clock.now()));
        },
      });
      const carrier = {
        run: id,
        job,
        operation,
        connection,
        ledger,
        client: platform.client,
        gate,
        budget: new RetryBudget(),
        clock,
        stop,
        warn: (warning: Message) => observer.warn(warning),
        ...(services.log ? { log: services.log } : {}),
        claim: await claimOptions(ledger, id, settings),
        undoneOrders: await undoneOrders(ledger, id, connection),
      };
      const conflicts = await conflictsBeforeSending(current);
      if (conflicts) return conflicts;
      const waits = await canaryFirst(current, carrier, from);
      if (waits) return { status: 'stopped', reason: waits };
      // A person may have taken hours to confirm the rest.
      const since = settings.canary === undefined ? undefined : await conflictsBeforeSending(current);
      if (since) return since;
      await sendBatches(carrier, observer);
      // What waited for a retry when the run stopped may have been carried out: it must not be told as not sent.
      if (stop.cause && stop.cause.kind !== 'error')
        await ledger.execution.recover(id, operation.repeatable, LOST);
    } finally {
      await platform.close();
      // What stays claimed keeps nobody back, and must not hide what ended the stage.
      await ledger.execution.release(id).catch(() => {});
      await ledger.runs.patch(id, { addExecuteMs: Math.round(clock.monotonic() - began) });
    }
  }
  return endOfStop(stop, id);
}

/** Sends the canary, if the run has one that isn't through; gives why the rest may not follow, if so. */
async function canaryFirst(
  current: RunContext,
  carrier: CarrierParts,
  from: RunState,
): Promise<Message | undefined> {
  const { services, id, settings } = current;
  const { ledger, stop } = services;
  const planned = (await requireRun(ledger, id)).items;
  const stand = await canaryStand(ledger, id, planned, settings.canary);
  if (stand.kind === 'none') return undefined;
  if (stand.kind === 'sending') await sendBatches(carrier, services.observer, stand.left);
  if (stop.cause) return undefined;
  // A person may take hours to answer.
  await ledger.execution.release(id);
  return restConsent(current, stand.kind === 'waiting' && from === 'stopped');
}

/**
 * Whether what the canary leaves may be sent; gives the refusal, or undefined.
 * @param looked it was told before what became of the canary: only a run that stopped has, not one that was killed
 */
export async function restConsent(current: RunContext, looked: boolean): Promise<Message | undefined> {
  const { services, id, settings } = current;
  const { ledger, confirm } = services;
  const { job, connection } = settings;
  const operation = operationNamed(job.operation);
  const { items } = await ledger.execution.remaining(id);
  const question = { operation, connection, items, job: job.name, ...(await ofAllSteps(ledger, settings)) };
  return canaryConsent(ledger, id, confirm, question, !looked);
}

/** What all steps are still to send, of a step run: the yes holds for all of them. */
async function ofAllSteps(ledger: Ledger, { step }: RunSettings): Promise<Partial<SendQuestion>> {
  if (!step) return {};
  const steps = await stepNumbers(ledger, await stepRunsOf(ledger, await requireRun(ledger, step.parent)));
  return { steps, items: steps.reduce((sum, it) => sum + it.items, 0) };
}
