import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { EndingRun } from '../../ledger/contract/queue.js';
import type { RunState } from '../../ledger/contract/runs.js';
import { EXIT, seriesOfRun } from '../../model/run-outcome.js';
import { lowerRate } from '../../platform/client/inquiry.js';
import { RequestGate } from '../../platform/client/request-gate.js';
import { operationNamed } from '../../platform/operations/catalogue.js';
import { RetryBudget } from '../../util/retry-timing.js';
import { changedRows } from '../conflicts/changed-since-sent.js';
import { conflictsBeforeSending } from '../conflicts/check-conflicts.js';
import { openPlatform } from '../open-platform.js';
import { claimOptions } from '../retry-chain.js';
import { requireRun } from '../run-checks.js';
import type { RunContext } from '../run-context.js';
import { endOfStop, type RunEnd, runEnd, type StageEnd } from '../run-end.js';
import { pauseEvent } from '../run-events.js';
import type { RunSettings, StepsSettings } from '../settings.js';
import { stepNumbers, stepRunsOf } from '../step-runs.js';
import { LOST, revertedOrders } from './attempt-outcomes.js';
import type { BatchSenderParts } from './batch-sender.js';
import { canaryState, confirmAfterCanary } from './canary.js';
import type { SendQuestion } from './confirm-sending.js';
import { refusePlaceholders } from './may-execute.js';
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
  refusePlaceholders(current);
  const { items } = await ledger.execution.remaining(id);
  if (items > 0) {
    const sentItems = (await requireRun(ledger, id)).items - items;
    const { stateFolder, env } = services;
    const platform = await openPlatform(connection, job, stateFolder, env, seriesOfRun(sentItems));
    const startedAt = clock.monotonic();
    try {
      await ledger.runs.patch(id, { state: 'executing' });
      const gate = new RequestGate({
        perSecond: lowerRate(job.run, connection),
        origin: platform.client.origin,
        patienceMs: job.run.patienceMs,
        clock,
        timezone: connection.timezone,
        onPause: (pause) => {
          observer.paused(pause);
          if (pause) services.log?.add(pauseEvent(id, pause, clock.now()));
        },
      });
      const sender = {
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
        log: services.log,
        claim: await claimOptions(ledger, id, settings),
        revertedOrders: await revertedOrders(ledger, id, connection),
      };
      const conflicts = await conflictsBeforeSending(current);
      if (conflicts) return conflicts;
      const refusal = await canaryFirst(current, sender, from);
      if (refusal) return { status: 'stopped', reason: refusal };
      // The confirmation of the rest may have taken hours.
      const since = settings.canary === undefined ? undefined : await conflictsBeforeSending(current);
      if (since) return since;
      await sendBatches(sender, observer);
      // An item that was waiting for a retry may have been executed, so it must not be reported as not sent.
      if (stop.cause && stop.cause.kind !== 'error')
        await ledger.execution.recover(id, operation.repeatable, LOST);
    } finally {
      await platform.close();
      // A failed release must not hide the error that ended the stage. Leftover claims do no harm.
      await ledger.execution.release(id).catch(() => {});
      await ledger.runs.patch(id, { addExecuteMs: Math.round(clock.monotonic() - startedAt) });
    }
  }
  return endOfStop(stop, id);
}

/** Sends the canary if it is not complete. Returns why the rest may not follow; undefined if it may. */
async function canaryFirst(
  current: RunContext,
  sender: BatchSenderParts,
  from: RunState,
): Promise<Message | undefined> {
  const { services, id, settings } = current;
  const { ledger, stop } = services;
  const planned = (await requireRun(ledger, id)).items;
  const canary = await canaryState(ledger, id, planned, settings.canary);
  if (canary.kind === 'none') return undefined;
  if (canary.kind === 'sending') await sendBatches(sender, services.observer, canary.left);
  if (stop.cause) return undefined;
  // Released first, because a confirmation may take hours.
  await ledger.execution.release(id);
  return confirmRest(current, canary.kind === 'waiting' && from === 'stopped');
}

/**
 * Why the rest after the canary may not be sent; undefined if it may.
 * @param reported the outcome of the canary was reported: the run stopped and was not killed
 */
async function confirmRest(current: RunContext, reported: boolean): Promise<Message | undefined> {
  const { services, id, settings } = current;
  const { ledger, confirm } = services;
  const { job, connection } = settings;
  const operation = operationNamed(job.operation);
  const { items } = await ledger.execution.remaining(id);
  const changed = await changedRows(ledger, [{ run: id, job }]);
  const question = {
    ...{ operation, connection, items, job: job.name, changed },
    ...(await allSteps(ledger, settings)),
  };
  return confirmAfterCanary(ledger, id, confirm, question, !reported);
}

/** The remaining items of all steps, for a step run: one confirmation covers all steps. */
async function allSteps(ledger: Ledger, { step }: RunSettings): Promise<Partial<SendQuestion>> {
  if (!step) return {};
  const steps = await stepNumbers(ledger, await stepRunsOf(ledger, await requireRun(ledger, step.parent)));
  return { steps, items: steps.reduce((sum, step) => sum + step.items, 0) };
}

/**
 * Replaces the execute stage: puts the batches into the ledger's queue, after `mayExecute`. Of a run with a canary,
 * only the canary is queued until the rest is confirmed. A run with nothing to send continues to its report.
 * @param from the run's state before
 * @param after the step before it, which leaves the queue by this call
 */
export async function queueStage(current: RunContext, from: RunState, after?: EndingRun): Promise<StageEnd> {
  const { services, id, settings } = current;
  const { ledger } = services;
  const { queue } = ledger;
  refusePlaceholders(current);
  if (!queue) {
    const params = { command: 'submit', location: ledger.location };
    throw new ProductError('usage', message('team.needs_server', params));
  }
  if ((await ledger.execution.remaining(id)).items === 0) return { status: 'completed' };
  const conflicts = await conflictsBeforeSending(current);
  if (conflicts) return conflicts;
  if ((await ledger.execution.remaining(id)).items === 0) return { status: 'completed' };
  const planned = (await requireRun(ledger, id)).items;
  const canary = await canaryState(ledger, id, planned, settings.canary);
  if (canary.kind === 'waiting') {
    const refusal = await confirmRest(current, from === 'stopped');
    if (refusal) return { status: 'stopped', reason: refusal };
  }
  const { repeatable } = operationNamed(settings.job.operation);
  await queue.enqueue(id, {
    lost: repeatable ? 'sent_again' : LOST,
    upTo: canary.kind === 'sending' ? canary.left : undefined,
    after,
  });
  return { status: 'queued' };
}

/** The result of a run that workers process from now on. */
export async function queuedEnd({
  services: { ledger },
  id,
  settings,
}: RunContext<RunSettings | StepsSettings>): Promise<RunEnd> {
  const end = { status: 'queued', counts: await ledger.runs.counts(id), exitCode: EXIT.ok } as const;
  const reason = message('team.queued', { run: id });
  return runEnd(await requireRun(ledger, id), settings.connection.sandbox, { ...end, reason });
}
