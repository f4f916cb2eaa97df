import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { operationNamed } from '../../platform/operations/index.js';
import { approvalGate } from '../approval/gate.js';
import { chainWithoutKeys, retryChain, rowsAlreadySent } from '../retry-chain.js';
import { requireRun } from '../run-checks.js';
import type { RunContext } from '../run-context.js';
import type { StageEnd } from '../run-end.js';
import { brokenLimit } from '../safety-limits.js';
import { LOST } from './attempt-outcomes.js';
import { consent } from './consent.js';
import { mayBeginSending } from './may-begin-sending.js';

/** Settles what a dead process left, and tells all that may forbid sending what was planned. */
export async function mayExecute(current: RunContext): Promise<StageEnd> {
  const { services, id, kind, settings } = current;
  const { ledger, observer } = services;
  const { job, connection } = settings;
  const operation = operationNamed(job.operation);
  refuseGiven(current);
  // Whether or not more may be sent: what a dead process left must be told, and may be resolved.
  if (kind === 'run') await ledger.execution.recover(id, operation.repeatable, LOST);
  const counts = await ledger.runs.counts(id);
  const orphans = await orphanRefusal(ledger, id);
  if (orphans) return { status: 'invalid', reason: orphans };
  if ((counts.invalid ?? 0) > 0 && job.run.onInvalid === 'abort') return { status: 'invalid' };
  if (job.safety.duplicates === 'abort') {
    const held = await heldByOthers(current);
    if (held) return { status: 'stopped', reason: held };
  }
  const { items } = await ledger.execution.remaining(id);
  const broken = await brokenLimit(ledger, job.safety, [{ run: id, operation, items }]);
  if (broken && kind !== 'run') observer.warn(broken);
  else if (broken) return { status: 'stopped', reason: broken };
  if (kind !== 'run' || items === 0) return { status: 'completed' };
  const kept = await approvalGate(current);
  if (kept) return kept;
  const may = await mayBeginSending(services, connection);
  if (may.lost) return { status: 'stopped', reason: may.lost };
  const taken = await takenMeanwhile(current);
  if (taken) return { status: 'stopped', reason: taken };
  const { retry } = settings;
  const doubtful = retry && retry.unknown > 0 ? { run: retry.parent, rows: retry.unknown } : undefined;
  const question = {
    operation,
    connection,
    items,
    job: job.name,
    ...may.ask,
    ...(doubtful ? { doubtful } : {}),
  };
  const refusal = await consent(services.confirm, question);
  if (refusal) return { status: 'stopped', reason: refusal };
  may.begin();
  return { status: 'completed' };
}

/**
 * A step that was only checked holds values that no platform ever gave.
 * @throws ProductError internal, before anything is sent
 */
export function refuseGiven({ id, settings }: Pick<RunContext, 'id' | 'settings'>): void {
  if (settings.step?.given) throw new ProductError('internal', message('steps.only_given', { run: id }));
}

/** Why nothing of a plan may be sent that found joined rows without a row of the job's sheet. */
export async function orphanRefusal(
  ledger: RunContext['services']['ledger'],
  run: string,
): Promise<Message | undefined> {
  return (await ledger.plan.warnings(run)).find(({ code }) => code === 'run.orphans');
}

/** Why a job that says `duplicates: abort` may not go on. */
export async function heldByOthers({ services, id }: RunContext): Promise<Message | undefined> {
  let count = 0;
  let first = '';
  for await (const page of services.ledger.report.rows(id, 'not_sent')) {
    for (const { reason } of page.flatMap(({ messages }) => messages)) {
      if (reason?.kind === 'resolved_by_person' || reason?.found !== 'planning') continue;
      count += 1;
      first ||= reason.run;
    }
  }
  return count === 0 ? undefined : message('run.held_abort', { count, run: first });
}

/**
 * A retry that was stopped, or came second, may find rows that another one sent since: where no key holds them back, it
 * must not go on.
 */
async function takenMeanwhile({ services, id, settings }: RunContext): Promise<Message | undefined> {
  const { retry, connection } = settings;
  if (!retry) return undefined;
  const { ledger } = services;
  const run = await requireRun(ledger, id);
  const chain = chainWithoutKeys(run, await retryChain(ledger, run), connection);
  if (chain.length === 0) return undefined;
  const pending = new Set<number>();
  for await (const page of ledger.report.rows(id, 'not_sent')) {
    for (const { row, status } of page) if (status === 'not_sent') pending.add(row);
  }
  const parent = chain.filter((it) => it.id === retry.parent);
  const others = chain.filter((it) => it.id !== retry.parent);
  const through = new Set(['succeeded', 'accepted'] as const);
  const taken = new Map([
    // What the parent left unknown goes again with a yes.
    ...(await rowsAlreadySent(ledger, parent, retry.unknown > 0 ? through : undefined)),
    ...(await rowsAlreadySent(ledger, others)),
  ]);
  const rows = [...taken].filter(([row]) => pending.has(row));
  const [row, other] = rows[0] ?? [];
  if (row === undefined || other === undefined) return undefined;
  return message('retry.taken_meanwhile', { row, count: rows.length, other, run: retry.parent });
}
