import { type Message, message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { JobSafety } from '../../model/job.js';
import { approvalGate } from '../approval/approval-gate.js';
import { changedRows } from '../conflicts/changed-since-sent.js';
import { LOST } from '../execute/attempt-outcomes.js';
import { confirmSending } from '../execute/confirm-sending.js';
import {
  brokenLimit,
  heldKeysRefusal,
  mayBeginSending,
  orphanRefusal,
  warnOfRefusals,
} from '../execute/may-execute.js';
import { refuseWithoutAppKey } from '../run-checks.js';
import type { StageEnd } from '../run-end.js';
import { stepNumbers } from '../step-runs.js';
import { type ActiveStep, activeSteps, type StepsContext } from './step-contexts.js';

/**
 * All checks between a plan of several steps and its first request: what an exited process left, limits, the server,
 * the approval if the connection requires one, and one confirmation for all steps. Every process that sends such a run
 * calls this once.
 */
export async function maySendSteps(context: StepsContext): Promise<StageEnd> {
  const { services, id, kind, settings } = context;
  const { ledger } = services;
  const { job, connection } = settings;
  const steps = await activeSteps(context);
  // Even if nothing more may be sent: what an exited process left must be reported and can be resolved.
  if (kind === 'run') {
    for (const { run, operation } of startedSteps(steps))
      await ledger.execution.recover(run.id, operation.repeatable, LOST);
    for (const { operation } of steps) refuseWithoutAppKey({ operation: operation.name }, connection);
  }
  const counts = await ledger.runs.counts(id);
  const nothingSent = startedSteps(steps).length === 0;
  const orphans = nothingSent ? await orphanRefusal(ledger, id) : undefined;
  if (orphans) return { status: 'invalid', reason: orphans };
  const broken = await brokenLimitOfSteps(ledger, job.safety, steps);
  await warnOfRefusals(context, broken);
  if ((counts.invalid ?? 0) > 0 && job.run.onInvalid === 'abort' && nothingSent) return { status: 'invalid' };
  if (job.safety.duplicates === 'abort') {
    for (const active of steps) {
      const held = await heldKeysRefusal(active.context);
      if (held) return { status: 'stopped', reason: held };
    }
  }
  const numbers = await stepNumbers(ledger, steps);
  const items = numbers.reduce((sum, step) => sum + step.items, 0);
  if (kind !== 'run' || items === 0) return { status: 'completed' };
  if (broken) return { status: 'stopped', reason: broken };
  const approval = await approvalGate(context);
  if (approval) return approval;
  const may = await mayBeginSending(services, connection);
  if (may.lost) return { status: 'stopped', reason: may.lost };
  const { retry } = settings;
  const uncertain = retry && retry.unknown > 0 ? { run: retry.parent, rows: retry.unknown } : undefined;
  const question = {
    connection,
    items,
    job: job.name,
    steps: numbers,
    operation: operationToConfirm(steps),
    uncertain,
    ...may.ask,
  };
  const parts = steps.map(({ run, context }) => ({ run: run.id, job: context.settings.job }));
  const refusal = await confirmSending(services.confirm, question, () => changedRows(ledger, parts));
  if (refusal) return { status: 'stopped', reason: refusal };
  may.begin();
  return { status: 'completed' };
}

/** The operation that the confirmation names: the first that deletes, otherwise the first step's. */
export function operationToConfirm(steps: readonly ActiveStep[]): ActiveStep['operation'] {
  return (steps.find(({ operation }) => operation.revokes) ?? steps[0]!).operation;
}

/** Steps that may have sent something. */
function startedSteps(steps: readonly ActiveStep[]): readonly ActiveStep[] {
  return steps.filter(
    ({ run }) => run.state !== 'planning' && run.state !== 'planned' && run.state !== 'invalid',
  );
}

/** `maxItems` applies to each step, `maxDeletes` to all of them together (contract section 9). */
export async function brokenLimitOfSteps(
  ledger: Ledger,
  { maxItems, maxDeletes }: Pick<JobSafety, 'maxItems' | 'maxDeletes'>,
  steps: readonly ActiveStep[],
): Promise<Message | undefined> {
  const plans: { run: string; operation: ActiveStep['operation']; items: number }[] = [];
  for (const [index, { items }] of (await stepNumbers(ledger, steps)).entries()) {
    const { run, operation, step } = steps[index]!;
    const why = await brokenLimit(ledger, { maxItems, maxDeletes: Number.POSITIVE_INFINITY }, [
      { run: run.id, operation, items },
    ]);
    if (why) return message('steps.max_items', { step: step.name, why });
    plans.push({ run: run.id, operation, items });
  }
  return brokenLimit(ledger, { maxItems: Number.POSITIVE_INFINITY, maxDeletes }, plans);
}
