import type { Message } from '../errors/message.js';
import type { JsonObject } from '../model/json.js';
import type { Operation } from '../model/operation.js';
import type { Inquiry } from '../platform/client/inquiry.js';
import type { KeyStore, PulledKey } from './key-store.js';

/** What came for one key. */
export type KeyAnswer = { readonly key: PulledKey } & (
  | { readonly kind: 'records'; readonly records: readonly JsonObject[] }
  | { readonly kind: 'none'; readonly detail: Message | string }
);

interface Asking {
  readonly inquiry: Inquiry;
  readonly operation: Operation;
  /** Requests under way at a time, at most. */
  readonly concurrency: number;
  /** True as soon as nothing more is to be asked. */
  readonly over: () => boolean;
}

/**
 * Answers that wait for an earlier one, in requests for each one under way. One slow request doesn't let the others
 * stand still.
 */
const AHEAD = 4;
/** Records that wait at most before nothing more is asked: one reply may have a hundred thousand. */
const RECORDS_AHEAD = 20_000;

/**
 * Asks for every key once and gives the answers in the order of the keys, so that two pulls of the same make the same
 * file. What waits for its turn is bounded, whatever the platform sends.
 */
export async function* answersInOrder(store: KeyStore, asking: Asking): AsyncGenerator<KeyAnswer> {
  const { inquiry, operation, concurrency, over } = asking;
  const waiting: Promise<KeyAnswer>[] = [];
  let last = 0;
  let underWay = 0;
  let records = 0;
  let closed = false;
  const ask = async (key: PulledKey): Promise<KeyAnswer> => {
    underWay += 1;
    try {
      const answer = await inquiry.ask(operation, key.request);
      if (answer.kind === 'records') records += answer.records.length;
      return { key, ...answer };
    } finally {
      underWay -= 1;
      fill();
    }
  };
  const fill = (): void => {
    while (!closed && !over() && underWay < concurrency && waiting.length < concurrency * AHEAD) {
      // The first one is always asked: it is what the others wait for.
      if (records >= RECORDS_AHEAD && waiting.length + underWay > 0) return;
      const next = store.after(last);
      if (!next) return;
      last = next.id;
      const asked = ask(next);
      // Awaited in its turn; until then a failure must not end the process.
      asked.catch(() => {});
      waiting.push(asked);
    }
  };
  try {
    for (;;) {
      fill();
      const first = waiting.shift();
      if (!first) return;
      const answer = await first;
      yield answer;
      if (answer.kind === 'records') records -= answer.records.length;
    }
  } finally {
    closed = true;
  }
}
