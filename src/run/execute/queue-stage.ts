import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { EndingRun } from '../../ledger/contract/queue.js';
import type { RunState } from '../../ledger/contract/run.js';
import { EXIT } from '../../model/exit-code.js';
import { operationNamed } from '../../platform/operations/index.js';
import { conflictsBeforeSending } from '../conflicts/before-sending.js';
import { requireRun } from '../run-checks.js';
import type { RunContext } from '../run-context.js';
import { type RunEnd, runEnd, type StageEnd } from '../run-end.js';
import type { RunSettings, StepsSettings } from '../settings.js';
import { LOST } from './attempt-outcomes.js';
import { canaryStand } from './canary.js';
import { restConsent } from './execute-stage.js';
import { refuseGiven } from './may-execute.js';

/**
 * In place of the execute stage: puts what is to be sent into the ledger's queue, after `mayExecute`. Of a run with a
 * canary only that one, until there is a yes for the rest. A run with nothing to send goes on to its report.
 * @param from the run's state before
 * @param after the step before it, which leaves the queue by this
 */
export async function queueStage(current: RunContext, from: RunState, after?: EndingRun): Promise<StageEnd> {
  const { services, id, settings } = current;
  const { ledger } = services;
  const { queue } = ledger;
  refuseGiven(current);
  if (!queue) {
    const params = { command: 'submit', location: ledger.location };
    throw new ProductError('usage', message('team.needs_server', params));
  }
  if ((await ledger.execution.remaining(id)).items === 0) return { status: 'completed' };
  const conflicts = await conflictsBeforeSending(current);
  if (conflicts) return conflicts;
  if ((await ledger.execution.remaining(id)).items === 0) return { status: 'completed' };
  const planned = (await requireRun(ledger, id)).items;
  const stand = await canaryStand(ledger, id, planned, settings.canary);
  if (stand.kind === 'waiting') {
    const waits = await restConsent(current, from === 'stopped');
    if (waits) return { status: 'stopped', reason: waits };
  }
  const { repeatable } = operationNamed(settings.job.operation);
  await queue.enqueue(id, {
    lost: repeatable ? 'sent_again' : LOST,
    ...(stand.kind === 'sending' ? { upTo: stand.left } : {}),
    after,
  });
  return { status: 'queued' };
}

/** How a run is told that workers carry from here on. */
export async function queuedEnd({
  services: { ledger },
  id,
  settings,
}: RunContext<RunSettings | StepsSettings>): Promise<RunEnd> {
  const end = { status: 'queued', counts: await ledger.runs.counts(id), exitCode: EXIT.ok } as const;
  const reason = message('team.queued', { run: id });
  return runEnd(await requireRun(ledger, id), settings.connection.sandbox, { ...end, reason });
}
