import type { ItemOutcome } from '../../model/item.js';
import { endOfDead } from '../rules/attempts.js';
import { releasesKey } from '../rules/keys.js';
import { releaseKey } from '../store/claims.js';
import type { RunNumber } from '../store/ids.js';
import { TO_BE_SENT } from '../store/item-state.js';
import { executeStore } from './execute-store.js';
import { finishBatches, writeOutcomes } from './outcomes.js';
import type { Queryable } from './transaction.js';

/** In the order of batches, like every statement that locks several of them. */
const END_OPEN = `
WITH open AS MATERIALIZED (
  SELECT batch, attempt FROM attempts WHERE ended_at IS NULL AND batch > $1 AND batch < $2 ORDER BY batch FOR UPDATE
)
UPDATE attempts SET ended_at = $3, event = $4, sent = $5, doubtful = $6
FROM open WHERE attempts.batch = open.batch AND attempts.attempt = open.attempt`;

/** Items of batches that wait to be sent again although an attempt may have taken effect. */
const UNCERTAIN = `
SELECT waiting.batch, waiting.attempt, batch_items.item, items.item_key AS key
FROM (
  SELECT batches.id AS batch, max(attempts.attempt) AS attempt
  FROM attempts JOIN batches ON batches.id = attempts.batch
  WHERE attempts.doubtful = 1 AND batches.done = 0 AND attempts.batch > $1 AND attempts.batch < $2
  GROUP BY batches.id) AS waiting
JOIN batch_items ON batch_items.batch = waiting.batch
JOIN items ON items.id = batch_items.item
LEFT JOIN outcomes ON outcomes.item = batch_items.item
WHERE ${TO_BE_SENT} ORDER BY batch_items.item`;

interface UncertainBatchLine {
  readonly batch: number;
  readonly attempt: number;
  readonly item: number;
  readonly key: string | null;
}

/**
 * Ends the attempts that a dead process left open in batches between two ids. Runs inside a transaction in which an earlier
 * statement has taken that process's lease or lock.
 * @param range `event`: the event of the ended attempts, if their process may still be running
 * @param lost the outcome of the items of open attempts; undefined: they are sent again
 * @returns the number of open attempts found
 */
export async function recoverBatches(
  tx: Queryable,
  { scope }: RunNumber,
  { first, end, ...how }: { readonly first: number; readonly end: number; readonly event?: string },
  lost: ItemOutcome | undefined,
  now: number,
): Promise<number> {
  const { event, sent, uncertain } = { ...endOfDead(lost === undefined), ...how };
  const open = await tx.run(END_OPEN, [first, end, now, event, sent ? 1 : 0, uncertain ? 1 : 0]);
  if (!lost) return open;
  const items = await tx.all<UncertainBatchLine>(UNCERTAIN, [first, end]);
  const written = await writeOutcomes(
    tx,
    items.map(({ item, attempt }) => ({ item, attempts: attempt, outcome: lost })),
  );
  await finishBatches(tx, [...new Set(items.map((it) => it.batch))]);
  if (!releasesKey(lost.status)) return open;
  for (const { item, key } of items) {
    if (key !== null && written.has(item)) await executeStore(tx, releaseKey({ scope, key, item }));
  }
  return open;
}
