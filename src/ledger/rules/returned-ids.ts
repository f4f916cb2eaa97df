import { type Message, message } from '../../errors/message.js';
import { wholeRunOf } from '../../util/run-id.js';
import type { AttemptEnd } from '../contract/execution.js';

/** The row that has an id; `row` is absent once the run is pruned. */
export interface IdHolder {
  readonly run: string;
  readonly row?: number;
}

/** An id that the platform assigned to an item although another item has it. */
export interface DuplicateId {
  readonly item: number;
  readonly id: string;
  readonly other: IdHolder;
}

/** Ids that one reply assigns to several of its items, as pairs of items. All of these items become unknown. */
export function duplicatesInBatch(end: AttemptEnd): readonly { item: number; id: string; other: number }[] {
  const lines = end.given?.items ?? [];
  if (lines.length < 2) return [];
  const first = new Map<string, number>();
  const found: { item: number; id: string; other: number }[] = [];
  for (const { item, ids } of lines) {
    for (const id of ids) {
      const other = first.get(id);
      if (other === undefined) first.set(id, item);
      else if (other !== item) found.push({ item, id, other }, { item: other, id, other: item });
    }
  }
  return found;
}

/**
 * The end of an attempt, corrected for duplicate ids: items whose id belongs to another item are unknown and have none of the
 * reply's values, so that no later step, retry or reversal uses one.
 */
export function withoutIdsOfOthers(end: AttemptEnd, duplicates: readonly DuplicateId[]): AttemptEnd {
  if (duplicates.length === 0) return end;
  const byItem = new Map([...duplicates].reverse().map((it) => [it.item, it]));
  return {
    ...end,
    outcomes: end.outcomes.map(({ item, outcome }) => {
      const duplicate = byItem.get(item);
      if (!duplicate) return { item, outcome };
      const { code } = outcome;
      const params = { id: shownId(duplicate.id), other: shownHolder(duplicate.other) };
      const text = message('ledger.id_given_twice', params);
      return { item, outcome: { status: 'unknown', ...(code ? { code } : {}), message: text } };
    }),
  };
}

/** @param id with its kind: `order LO-1`, `asset 8600000001`, `enterprise ENT-1` */
function shownId(id: string): Message {
  const at = id.indexOf(' ');
  const value = id.slice(at + 1);
  switch (id.slice(0, at)) {
    case 'asset':
      return message('ledger.given_asset', { value });
    case 'enterprise':
      return message('ledger.given_enterprise', { value });
    default:
      return message('ledger.given_order', { value });
  }
}

function shownHolder({ run, row }: IdHolder): Message {
  const parent = wholeRunOf(run);
  return row === undefined
    ? message('ledger.item_of_run', { run: parent })
    : message('ledger.row_of_run', { run: parent, row });
}
