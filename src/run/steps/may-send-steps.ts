import { type Message, message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { JobSafety } from '../../model/job.js';
import { approvalGate } from '../approval/gate.js';
import { LOST } from '../execute/attempt-outcomes.js';
import { consent } from '../execute/consent.js';
import { mayBeginSending } from '../execute/may-begin-sending.js';
import { heldByOthers, orphanRefusal } from '../execute/may-execute.js';
import { refuseWithoutAppKey } from '../run-checks.js';
import type { StageEnd } from '../run-end.js';
import { brokenLimit } from '../safety-limits.js';
import { stepNumbers } from '../step-runs.js';
import { type StepInHand, type StepsContext, stepsInHand } from './step-contexts.js';

/**
 * All that stands between a plan of several steps and its first request: what a dead process left, limits, the server, and a
 * yes for all of it at once. Every way of sending such a run passes here, once for each process that carries it: an approval, where the connection wants
 * one, is asked for here too.
 */
export async function maySendSteps(context: StepsContext): Promise<StageEnd> {
  const { services, id, kind, settings } = context;
  const { ledger, observer } = services;
  const { job, connection } = settings;
  const steps = await stepsInHand(context);
  // Whether or not more may be sent: what a dead process left must be told, and may be resolved.
  if (kind === 'run') {
    for (const { run, operation } of begun(steps)) {
      await ledger.execution.recover(run.id, operation.repeatable, LOST);
    }
    for (const { operation } of steps) refuseWithoutAppKey({ operation: operation.name }, connection);
  }
  const counts = await ledger.runs.counts(id);
  const nothingSent = begun(steps).length === 0;
  const orphans = nothingSent ? await orphanRefusal(ledger, id) : undefined;
  if (orphans) return { status: 'invalid', reason: orphans };
  if ((counts.invalid ?? 0) > 0 && job.run.onInvalid === 'abort' && nothingSent) return { status: 'invalid' };
  if (job.safety.duplicates === 'abort') {
    for (const it of steps) {
      const held = await heldByOthers(it.context);
      if (held) return { status: 'stopped', reason: held };
    }
  }
  const broken = await brokenLimitOfSteps(ledger, job.safety, steps);
  if (broken && kind !== 'run') observer.warn(broken);
  else if (broken) return { status: 'stopped', reason: broken };
  const numbers = await stepNumbers(ledger, steps);
  const items = numbers.reduce((sum, it) => sum + it.items, 0);
  if (kind !== 'run' || items === 0) return { status: 'completed' };
  const kept = await approvalGate(context);
  if (kept) return kept;
  const may = await mayBeginSending(services, connection);
  if (may.lost) return { status: 'stopped', reason: may.lost };
  const { retry } = settings;
  const doubtful = retry && retry.unknown > 0 ? { run: retry.parent, rows: retry.unknown } : undefined;
  const question = {
    connection,
    items,
    job: job.name,
    steps: numbers,
    operation: asked(steps),
    ...may.ask,
  };
  const refusal = await consent(services.confirm, { ...question, ...(doubtful ? { doubtful } : {}) });
  if (refusal) return { status: 'stopped', reason: refusal };
  may.begin();
  return { status: 'completed' };
}

/** The operation that a question is about, where only one can be named. */
export function asked(steps: readonly StepInHand[]): StepInHand['operation'] {
  return (steps.find(({ operation }) => operation.revokes) ?? steps[0]!).operation;
}

/** Steps of which something may have been sent. */
function begun(steps: readonly StepInHand[]): readonly StepInHand[] {
  return steps.filter(
    ({ run }) => run.state !== 'planning' && run.state !== 'planned' && run.state !== 'invalid',
  );
}

/** `maxItems` holds for each step, `maxDeletes` for all of them together (contract section 9). */
export async function brokenLimitOfSteps(
  ledger: Ledger,
  { maxItems, maxDeletes }: Pick<JobSafety, 'maxItems' | 'maxDeletes'>,
  steps: readonly StepInHand[],
): Promise<Message | undefined> {
  const plans: { run: string; operation: StepInHand['operation']; items: number }[] = [];
  for (const [at, { items }] of (await stepNumbers(ledger, steps)).entries()) {
    const { run, operation, step } = steps[at]!;
    const why = await brokenLimit(ledger, { maxItems, maxDeletes: Number.POSITIVE_INFINITY }, [
      { run: run.id, operation, items },
    ]);
    if (why) return message('steps.max_items', { step: step.name, why });
    plans.push({ run: run.id, operation, items });
  }
  return brokenLimit(ledger, { maxItems: Number.POSITIVE_INFINITY, maxDeletes }, plans);
}
