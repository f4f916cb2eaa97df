import { message, renderText } from '../../errors/message.js';
import type { AttemptEnd, PendingBatch, ReturnedIds } from '../../ledger/contract/execution.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RevertedBy } from '../../ledger/contract/reversals.js';
import type { Connection } from '../../model/connection.js';
import type { ItemOutcome } from '../../model/item.js';
import type { Job } from '../../model/job.js';
import type { Operation } from '../../model/operation.js';
import type { Verdict } from '../../platform/client/verdict.js';
import { wholeRunOf } from '../../util/run-id.js';
import { plainText } from '../../util/text.js';

/** The outcome of items whose process exited, if a repeat could do harm. */
export const LOST = { status: 'unknown', message: message('run.died') } as const;

type Items = PendingBatch['items'];

/** Outcomes that record why items are still waiting to be sent. */
export function deferredOutcomes(
  outcome: ItemOutcome,
  items: Items,
): { item: number; outcome: ItemOutcome }[] {
  return outcome.status === 'not_sent' ? items.map(({ item }) => ({ item, outcome })) : [];
}

export function without(items: Items, excluded: readonly { readonly item: number }[]): Items {
  if (excluded.length === 0) return items;
  const removed = new Set(excluded.map((item) => item.item));
  return items.filter((item) => !removed.has(item.item));
}

/** True if any process may send the remaining items: nothing took effect, or a repeat is safe. */
export function isRepeatSafe(operation: Operation, verdict: Verdict): boolean {
  return operation.repeatable || (verdict.kind === 'retry' && !verdict.uncertain);
}

/** This attempt was not sent, but an earlier one was, so `not sent` would be wrong for the row. */
export function reclassifySent(verdict: Verdict, cause: string): Verdict {
  const detail = plainText(cause, 500) || '-';
  const withDetail = (outcome: ItemOutcome): ItemOutcome => ({
    ...outcome,
    message: message('run.unsent_later', { detail }),
  });
  if (verdict.kind === 'retry') return { ...verdict, otherwise: withDetail(verdict.otherwise) };
  if (verdict.kind === 'stop') return verdict;
  return { ...verdict, outcomes: verdict.outcomes.map((outcome) => outcome && withDetail(outcome)) };
}

/** An earlier attempt may have been executed, so a definite failure of this one decides nothing. */
export function reclassifyUncertain(verdict: Verdict): Verdict {
  const asUnknown = (outcome: ItemOutcome): ItemOutcome => {
    if (outcome.status === 'failed' || outcome.status === 'not_sent')
      return { ...outcome, status: 'unknown', message: message('run.doubted') };
    // It may have been rejected because its channelOrderId is repeated.
    if (outcome.status !== 'rejected') return outcome;
    const reason = outcome.message ?? '';
    const text = renderText(reason);
    return { ...outcome, status: 'unknown', message: message('run.doubted_refusal', { text }) };
  };
  if (verdict.kind === 'retry')
    return { ...verdict, otherwise: asUnknown(verdict.otherwise), uncertain: true };
  if (verdict.kind === 'stop') return { ...verdict, outcome: asUnknown(verdict.outcome) };
  return { ...verdict, outcomes: verdict.outcomes.map((outcome) => outcome && asUnknown(outcome)) };
}

/**
 * A platform that recognises an order by its number may reply with the licence order that it created for it before. If
 * that licence order was reverted since, the reply proves that nothing new exists: the customer would have no licence.
 */
export function reclassifyResolved(
  verdict: Verdict,
  { reversal }: Operation,
  reverted: ReadonlyMap<string, RevertedBy>,
): Verdict {
  if (verdict.kind !== 'settled' || reversal.kind === 'none' || reverted.size === 0) return verdict;
  const asUnknown = (outcome: ItemOutcome | undefined): ItemOutcome | undefined => {
    const revertedBy =
      outcome?.licenseOrderId === undefined ? undefined : reverted.get(outcome.licenseOrderId);
    if (!outcome || !revertedBy) return outcome;
    const params = {
      order: outcome.licenseOrderId ?? '',
      other: wholeRunOf(revertedBy.run),
      row: revertedBy.row,
    };
    return { status: 'unknown', code: outcome.code, message: message('run.answered_undone', params) };
  };
  return { ...verdict, outcomes: verdict.outcomes.map(asUnknown) };
}

/** Empty for a sandbox that the process starts: its orders are numbered from 1 each time and prove nothing. */
export async function revertedOrders(
  ledger: Pick<Ledger, 'reversals'>,
  run: string,
  { sandbox, baseUrl }: Connection,
): Promise<ReadonlyMap<string, RevertedBy>> {
  return sandbox && baseUrl === undefined ? new Map() : ledger.reversals.orders(run);
}

export function outcomesOf(verdict: Verdict, items: Items): { item: number; outcome: ItemOutcome }[] {
  if (verdict.kind === 'retry') return [];
  const settled: { item: number; outcome: ItemOutcome }[] = [];
  items.forEach((item, index) => {
    const outcome = verdict.kind === 'stop' ? verdict.outcome : verdict.outcomes[index];
    if (outcome) settled.push({ item: item.item, outcome });
  });
  return settled;
}

type Outcomes = AttemptEnd['outcomes'];

interface Compared {
  readonly operation: Operation;
  readonly connection: Connection;
  readonly job: Job;
}

/** True if ids are also compared with those of earlier runs. */
export function comparedAcrossRuns({ operation: { gives }, connection, job }: Compared): boolean {
  return gives?.acrossRuns === true && !connection.sandbox && job.safety.duplicates !== 'send';
}

/**
 * The ids that a reply gave to items, for the ledger to compare. Only ids of this run are compared if the connection is
 * a sandbox (it may number from the beginning at every start) or the job sends duplicates on purpose.
 */
export function returnedIds(outcomes: Outcomes, context: Compared): ReturnedIds | undefined {
  const { gives } = context.operation;
  if (!gives) return undefined;
  const items = outcomes.flatMap(({ item, outcome }) => {
    const ids = gives.ids(outcome);
    return ids.length > 0 ? [{ item, ids }] : [];
  });
  if (items.length === 0) return undefined;
  return { items, acrossRuns: comparedAcrossRuns(context) };
}
