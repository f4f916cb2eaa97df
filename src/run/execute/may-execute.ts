import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import { onPlatform, shownPlatform } from '../../ledger/rules/scopes.js';
import type { Connection } from '../../model/connection.js';
import type { JobSafety } from '../../model/job.js';
import type { Operation } from '../../model/operation.js';
import { operationNamed } from '../../platform/operations/catalogue.js';
import { isLoopback } from '../../util/loopback.js';
import { approvalGate } from '../approval/approval-gate.js';
import { needsApproval, policiesOver } from '../approval/needs-approval.js';
import { changedRows } from '../conflicts/changed-since-sent.js';
import { chainWithoutKeys, retryChain, rowsAlreadySent } from '../retry-chain.js';
import { requireRun } from '../run-checks.js';
import type { RunContext, RunServices } from '../run-context.js';
import type { StageEnd } from '../run-end.js';
import type { RunSettings, StepsSettings } from '../settings.js';
import { LOST } from './attempt-outcomes.js';
import { confirmSending, type SendQuestion } from './confirm-sending.js';

/** Resolves what an exited process left, and reports why the plan may not be sent, if so. */
export async function mayExecute(current: RunContext): Promise<StageEnd> {
  const { services, id, kind, settings } = current;
  const { ledger } = services;
  const { job, connection } = settings;
  const operation = operationNamed(job.operation);
  refusePlaceholders(current);
  // Even if nothing more may be sent: what an exited process left must be reported and can be resolved.
  if (kind === 'run') await ledger.execution.recover(id, operation.repeatable, LOST);
  const counts = await ledger.runs.counts(id);
  const orphans = await orphanRefusal(ledger, id);
  if (orphans) return { status: 'invalid', reason: orphans };
  const { items } = await ledger.execution.remaining(id);
  const broken = await brokenLimit(ledger, job.safety, [{ run: id, operation, items }]);
  await warnOfRefusals(current, broken);
  if ((counts.invalid ?? 0) > 0 && job.run.onInvalid === 'abort') return { status: 'invalid' };
  if (job.safety.duplicates === 'abort') {
    const held = await heldKeysRefusal(current);
    if (held) return { status: 'stopped', reason: held };
  }
  if (kind !== 'run' || items === 0) return { status: 'completed' };
  if (broken) return { status: 'stopped', reason: broken };
  const approval = await approvalGate(current);
  if (approval) return approval;
  const may = await mayBeginSending(services, connection);
  if (may.lost) return { status: 'stopped', reason: may.lost };
  const sentByOther = await sentByOtherRetry(current);
  if (sentByOther) return { status: 'stopped', reason: sentByOther };
  const { retry } = settings;
  const uncertain = retry && retry.unknown > 0 ? { run: retry.parent, rows: retry.unknown } : undefined;
  const question = { operation, connection, items, job: job.name, ...may.ask, uncertain };
  const refusal = await confirmSending(services.confirm, question, () =>
    changedRows(ledger, [{ run: id, job }]),
  );
  if (refusal) return { status: 'stopped', reason: refusal };
  may.begin();
  return { status: 'completed' };
}

/**
 * Rejects a step that was only checked: it contains placeholders instead of values from the platform.
 * @throws ProductError internal, before anything is sent
 */
export function refusePlaceholders({ id, settings }: Pick<RunContext, 'id' | 'settings'>): void {
  if (settings.step?.given) throw new ProductError('internal', message('steps.only_given', { run: id }));
}

/** Why nothing of the plan may be sent: it has joined rows without a row in the job's sheet. */
export async function orphanRefusal(
  ledger: RunContext['services']['ledger'],
  run: string,
): Promise<Message | undefined> {
  return (await ledger.plan.warnings(run)).find(({ code }) => code === 'run.orphans');
}

/** Why a job with `duplicates: abort` may not continue. */
export async function heldKeysRefusal({ services, id }: RunContext): Promise<Message | undefined> {
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

/** Rejects a retry if another retry sent some of its rows since and no key prevents a repeat. */
async function sentByOtherRetry({ services, id, settings }: RunContext): Promise<Message | undefined> {
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
  const parent = chain.filter((run) => run.id === retry.parent);
  const others = chain.filter((run) => run.id !== retry.parent);
  const succeeded = new Set(['succeeded', 'accepted'] as const);
  const sentElsewhere = new Map([
    // Rows that the parent left unknown are sent again after a confirmation.
    ...(await rowsAlreadySent(ledger, parent, retry.unknown > 0 ? succeeded : undefined)),
    ...(await rowsAlreadySent(ledger, others)),
  ]);
  const rows = [...sentElsewhere].filter(([row]) => pending.has(row));
  const [row, otherRun] = rows[0] ?? [];
  if (row === undefined || otherRun === undefined) return undefined;
  return message('retry.taken_meanwhile', { row, count: rows.length, other: otherRun, run: retry.parent });
}

/** Why nothing may be sent; otherwise the confirmation that is needed. */
type MayBegin =
  | { readonly lost: Message }
  | {
      readonly lost: undefined;
      readonly ask: Pick<SendQuestion, 'otherLedger'>;
      /** Call this when all confirmations are given: it records that the ledger sends to the platform. */
      readonly begin: () => void;
    };

/** Checks that the ledger has all records that this user has seen in it. Called by every process before it sends. */
export async function mayBeginSending(
  { ledger, observer, env = process.env }: Pick<RunServices, 'ledger' | 'observer' | 'env'>,
  connection: Connection,
): Promise<MayBegin> {
  const { sandbox, baseUrl } = connection;
  const isLocal = baseUrl === undefined || isLoopback(new URL(baseUrl).hostname);
  const platformAddress = sandbox || isLocal ? undefined : onPlatform(connection);
  const sender = { env, sandbox, to: platformAddress };
  const lost = await ledger.guard.beginSending(sender);
  const warning = ledger.guard.takeWarning();
  if (warning) observer.warn(warning);
  if (lost) return { lost };
  const other = await ledger.guard.otherLedger(sender);
  const begin = (): void => (platformAddress ? ledger.guard.sendsTo(platformAddress) : undefined);
  if (other === undefined) return { lost, ask: {}, begin };
  const platform = shownPlatform(connection);
  return { lost, ask: { otherLedger: { location: ledger.location, other, platform } }, begin };
}

interface PlannedRun {
  readonly run: string;
  readonly operation: Operation;
  readonly items: number;
}

/** A check and a plan report in advance, also with invalid rows, what would prevent sending. */
export async function warnOfRefusals(
  {
    services: { ledger, observer },
    id,
    kind,
    settings,
  }: Pick<RunContext<RunSettings | StepsSettings>, 'id' | 'kind' | 'settings'> & {
    readonly services: Pick<RunServices, 'ledger' | 'observer'>;
  },
  broken: Message | undefined,
): Promise<void> {
  if (kind === 'run') return;
  if (broken) observer.warn(limitWarning(broken));
  // A plan reports its approval itself.
  if (kind !== 'dry_run') return;
  const { connection } = settings;
  const policies = await policiesOver(ledger, connection);
  if (await needsApproval(ledger, policies, await requireRun(ledger, id)))
    observer.warn(message('plan.needs_approval', { connection: connection.name }));
}

/** The warning of a check or a plan about an exceeded limit. It stays true if the plan is sent with a higher limit. */
function limitWarning(broken: Message): Message {
  const { code, params } = broken;
  if (code === 'run.max_items') return { code: 'plan.max_items', params };
  if (code === 'run.max_deletes') return { code: 'plan.max_deletes', params };
  if (code === 'steps.max_items')
    return { code, params: { ...params, why: limitWarning(params.why as Message) } };
  return broken;
}

/** The safety limit that the plans exceed together; undefined if none. Nothing may be sent then. */
export async function brokenLimit(
  ledger: Ledger,
  { maxItems, maxDeletes }: Pick<JobSafety, 'maxItems' | 'maxDeletes'>,
  plans: readonly PlannedRun[],
): Promise<Message | undefined> {
  const items = plans.reduce((sum, plan) => sum + plan.items, 0);
  if (items > maxItems) return message('run.max_items', { items, limit: maxItems });
  let count = 0;
  for (const { run, operation } of plans) {
    if (!operation.revokes) continue;
    for await (const { body } of ledger.plan.bodies(run)) count += operation.revokes(body);
  }
  return count > maxDeletes ? message('run.max_deletes', { count, limit: maxDeletes }) : undefined;
}
