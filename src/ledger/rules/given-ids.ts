import { type Message, message } from '../../errors/message.js';
import { wholeRunOf } from '../../util/run-id.js';
import type { AttemptEnd } from '../contract/attempt.js';

/** Whose an id is: `row` is absent once the run is pruned. */
export interface IdHolder {
  readonly run: string;
  readonly row?: number;
}

/** An id that an item was given and that another one has. */
export interface GivenTwice {
  readonly item: number;
  readonly id: string;
  readonly other: IdHolder;
}

/** Ids that one reply gives to several of its items: none of them is believed. Pairs of items, each naming another. */
export function givenTwiceAtOnce(end: AttemptEnd): readonly { item: number; id: string; other: number }[] {
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
 * The end of an attempt without what cannot be true: items that were given an id of another one are unknown, and have
 * none of the reply's values, so that no later step, retry or reversal takes one.
 */
export function withoutIdsOfOthers(end: AttemptEnd, twice: readonly GivenTwice[]): AttemptEnd {
  if (twice.length === 0) return end;
  const by = new Map([...twice].reverse().map((it) => [it.item, it]));
  return {
    ...end,
    outcomes: end.outcomes.map((it) => {
      const found = by.get(it.item);
      if (!found) return it;
      const { code } = it.outcome;
      const params = { id: shownId(found.id), other: shownHolder(found.other) };
      const said = message('ledger.id_given_twice', params);
      return { item: it.item, outcome: { status: 'unknown', ...(code ? { code } : {}), message: said } };
    }),
  };
}

/** By the kind that is written before it: `order LO-1`, `asset 8600000001`. */
function shownId(id: string): Message {
  const at = id.indexOf(' ');
  const value = id.slice(at + 1);
  return id.startsWith('asset ')
    ? message('ledger.given_asset', { value })
    : message('ledger.given_order', { value });
}

function shownHolder({ run, row }: IdHolder): Message {
  const whole = wholeRunOf(run);
  return row === undefined
    ? message('ledger.item_of_run', { run: whole })
    : message('ledger.row_of_run', { run: whole, row });
}
