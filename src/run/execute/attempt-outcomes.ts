import { message, renderText } from '../../errors/message.js';
import type { PendingBatch } from '../../ledger/contract/execution.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Undoing } from '../../ledger/contract/undoings.js';
import type { Connection } from '../../model/connection.js';
import type { Operation } from '../../model/operation.js';
import type { ItemOutcome } from '../../model/outcome.js';
import type { Verdict } from '../../platform/client/verdict.js';
import { plainText } from '../../util/plain-text.js';
import { wholeRunOf } from '../../util/run-id.js';

/** What becomes of items whose process died, where a repeat could do harm. */
export const LOST = { status: 'unknown', message: message('run.died') } as const;

type Items = PendingBatch['items'];

/** Why items that were told to wait were not sent yet, for as long as they aren't. */
export function putOff(outcome: ItemOutcome, items: Items): { item: number; outcome: ItemOutcome }[] {
  return outcome.status === 'not_sent' ? items.map(({ item }) => ({ item, outcome })) : [];
}

export function without(items: Items, others: readonly { readonly item: number }[]): Items {
  if (others.length === 0) return items;
  const gone = new Set(others.map((it) => it.item));
  return items.filter((it) => !gone.has(it.item));
}

/** Whether items that are still to be sent may be sent by anybody: nothing happened, or a repeat does no harm. */
export function harmless(operation: Operation, verdict: Verdict): boolean {
  return operation.repeatable || (verdict.kind === 'retry' && !verdict.doubtful);
}

/** This attempt never left, but an earlier one did: `not sent` would be untrue of the row. */
export function afterSent(verdict: Verdict, cause: string): Verdict {
  const detail = plainText(cause, 500) || '-';
  const told = (it: ItemOutcome): ItemOutcome => ({
    ...it,
    message: message('run.unsent_later', { detail }),
  });
  if (verdict.kind === 'retry') return { ...verdict, otherwise: told(verdict.otherwise) };
  if (verdict.kind === 'stop') return verdict;
  return { ...verdict, outcomes: verdict.outcomes.map((it) => it && told(it)) };
}

/** An earlier attempt may have been carried out: that this one certainly wasn't settles nothing. */
export function withDoubt(verdict: Verdict): Verdict {
  const doubt = (outcome: ItemOutcome): ItemOutcome => {
    if (outcome.status === 'failed' || outcome.status === 'not_sent') {
      return { ...outcome, status: 'unknown', message: message('run.doubted') };
    }
    // A repeated channelOrderId may be what it was refused for.
    if (outcome.status !== 'rejected') return outcome;
    const said = outcome.message ?? '';
    const text = renderText(said);
    return { ...outcome, status: 'unknown', message: message('run.doubted_refusal', { text }) };
  };
  if (verdict.kind === 'retry') return { ...verdict, otherwise: doubt(verdict.otherwise), doubtful: true };
  if (verdict.kind === 'stop') return { ...verdict, outcome: doubt(verdict.outcome) };
  return { ...verdict, outcomes: verdict.outcomes.map((it) => it && doubt(it)) };
}

/**
 * A platform that knows an order by its number may answer with the licence order that it made of it before. Where that was
 * taken back since, the reply proves that nothing new is there: the customer would be without a licence.
 */
export function doubtUndone(
  verdict: Verdict,
  { wayBack }: Operation,
  undone: ReadonlyMap<string, Undoing>,
): Verdict {
  if (verdict.kind !== 'settled' || wayBack.kind === 'none' || undone.size === 0) return verdict;
  const doubt = (outcome: ItemOutcome | undefined): ItemOutcome | undefined => {
    const by = outcome?.licenseOrderId === undefined ? undefined : undone.get(outcome.licenseOrderId);
    if (!outcome || !by) return outcome;
    const params = { order: outcome.licenseOrderId ?? '', other: wholeRunOf(by.run), row: by.row };
    return { status: 'unknown', code: outcome.code, message: message('run.answered_undone', params) };
  };
  return { ...verdict, outcomes: verdict.outcomes.map(doubt) };
}

/** Of a sandbox that a process starts for itself, orders are numbered from 1 each time: its replies prove nothing. */
export async function undoneOrders(
  ledger: Pick<Ledger, 'undoings'>,
  run: string,
  { sandbox, baseUrl }: Connection,
): Promise<ReadonlyMap<string, Undoing>> {
  return sandbox && baseUrl === undefined ? new Map() : ledger.undoings.orders(run);
}

export function settle(verdict: Verdict, items: Items): { item: number; outcome: ItemOutcome }[] {
  if (verdict.kind === 'retry') return [];
  const settled: { item: number; outcome: ItemOutcome }[] = [];
  items.forEach((it, index) => {
    const outcome = verdict.kind === 'stop' ? verdict.outcome : verdict.outcomes[index];
    if (outcome) settled.push({ item: it.item, outcome });
  });
  return settled;
}
