import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { RETRY_INCLUDES, type RetryInclude, retryRun as retryKept } from '../run/retry/retry.js';
import { nearest } from '../util/nearest.js';
import type { CarriedRun, RunChanges, WatchedContext } from './context.js';
import { runNamed } from './open.js';
import { changing } from './resume.js';
import { inRunFrame } from './run-frame.js';

export interface RetryInput extends RunChanges {
  /** Statuses of rows that go again beside `failed`, each entry one or several with commas. */
  readonly include?: readonly string[];
  /** A kept plan is made of the rows; `apply` sends them. */
  readonly plan?: boolean;
}

/** `retry`: a new run of the rows of another that failed. */
export function retryRun(context: WatchedContext, id: string, input: RetryInput): Promise<CarriedRun> {
  return inRunFrame(context, input, async (frame) => {
    const include = readIncludes(input.include ?? []);
    const find = (ledger: Parameters<typeof runNamed>[0]) => runNamed(ledger, id);
    return frame.continueRun(
      find,
      { act: 'retry', run: id, connection: input.connection, ...(input.plan ? { notifies: false } : {}) },
      (parts, run, connection) =>
        retryKept(parts, run, { include, connection, plan: input.plan, change: changing(context, input) }),
    );
  });
}

function readIncludes(given: readonly string[]): ReadonlySet<RetryInclude> {
  const found = new Set<RetryInclude>();
  for (const word of given.flatMap((it) => it.split(',')).map((it) => it.trim())) {
    const known = RETRY_INCLUDES.find((it) => it === word);
    if (known) found.add(known);
    else if (word !== 'failed') {
      const near = nearest(word, RETRY_INCLUDES);
      const params = { word, known: RETRY_INCLUDES.join(', ') };
      const detail =
        near === undefined
          ? message('retry.unknown_include_far', params)
          : message('retry.unknown_include', { ...params, nearest: near });
      throw new ProductError('usage', detail);
    }
  }
  return found;
}
