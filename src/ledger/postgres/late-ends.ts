import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { ItemOutcome } from '../../model/outcome.js';
import { cutText } from '../../util/cut-text.js';
import { type AttemptClosed, type AttemptEnd, ENDED } from '../contract/attempt.js';
import { endedUnheard, isDoubtful, REPLY_BYTES } from '../rules/attempts.js';
import { releasesKey } from '../rules/keys.js';
import { packId } from '../shared/ids.js';
import { appendAudit } from './audit.js';
import { type Claims, lockKindred } from './claims.js';
import { type AskedEnd, endAttempts } from './ends.js';
import { writeOutcomes } from './outcomes.js';
import type { Queryable } from './transaction.js';

/** How an attempt ended whose reply came after its batch was taken over. */
const LATE = 'late_reply';

const ATTEMPT = `
SELECT attempts.nonce, attempts.event, attempts.ended_at FROM batches
JOIN attempts ON attempts.batch = batches.id AND attempts.attempt = $2
WHERE batches.id = $1 FOR UPDATE OF batches`;

const KEEP = `
UPDATE attempts SET ended_at = $3, http_status = $4, event = $5, reply = $6, doubtful = $7, sent = $8
WHERE batch = $1 AND attempt = $2`;

/** Nothing where the batch is gone, too, or is on its way by another attempt. */
const RESTORE = `
INSERT INTO attempts (batch, attempt, nonce, started_at) SELECT id, $2, $3, $4 FROM batches WHERE id = $1
ON CONFLICT DO NOTHING`;

const COUNT = `
INSERT INTO run_sums (run, slot, requests, retries) VALUES ($1, 0, 1, $2)
ON CONFLICT (run, slot) DO UPDATE SET requests = run_sums.requests + 1, retries = run_sums.retries + excluded.retries`;

const KEYS = `
SELECT items.id AS item, items.item_key AS key FROM batch_items JOIN items ON items.id = batch_items.item
WHERE batch_items.batch = $1 AND items.item_key IS NOT NULL ORDER BY items.item_key, items.id`;

/** What the takeover left unknown of this attempt's items, and nobody has settled since. */
const UNKNOWN = `
SELECT outcomes.item, items.item_key AS key FROM batch_items
JOIN items ON items.id = batch_items.item
JOIN outcomes ON outcomes.item = batch_items.item
WHERE batch_items.batch = $1 AND outcomes.status = 'unknown' AND outcomes.attempts = $2
  AND NOT EXISTS (SELECT 1 FROM resolutions WHERE resolutions.item = outcomes.item)
ORDER BY items.item_key, outcomes.item`;

/** An attempt beside this one may have had an effect. */
const DOUBTED = 'SELECT 1 FROM attempts WHERE batch = $1 AND attempt <> $2 AND doubtful = 1 LIMIT 1';

const OPEN_AGAIN = 'DELETE FROM outcomes WHERE item = ANY ($1::bigint[])';

const TELL = `
INSERT INTO resolutions (item, n, at, who, how, from_status, to_status, license_order_id)
SELECT $1, coalesce(max(n), 0) + 1, $2, $3, '${LATE}', 'unknown', $4, $5 FROM resolutions WHERE item = $1`;

/**
 * Looks at an end whose attempt isn't open: it was written before and its answer lost, or the attempt was ended as that of
 * a dead process. Then the reply is kept as evidence, and settles what is unknown by that alone. An attempt that the server
 * has lost is written anew. Runs inside a transaction.
 * @param who signs for it in the audit
 * @throws ProductError internal when nothing was sent by it and there is no such attempt, or another one has its place
 */
export async function keepLateEnd(
  tx: Queryable,
  claims: Claims,
  { end, run }: AskedEnd,
  who: string,
): Promise<AttemptClosed> {
  const batch = packId(run.number, end.batch);
  await tx.get(ATTEMPT, [batch, end.attempt]);
  // Once more, as whoever had the batch locked may have ended the attempt.
  const found = await tx.get<{ nonce: string; event: string | null; ended_at: number | null }>(ATTEMPT, [
    batch,
    end.attempt,
  ]);
  if (end.nonce === undefined || (found && found.nonce !== end.nonce)) throw notOpen(end);
  if (!found) {
    await restore(tx, claims, { end, run });
    return ENDED;
  }
  if (!endedUnheard(found.event)) return ENDED;
  const reply = end.reply === undefined ? null : cutText(end.reply, REPLY_BYTES);
  const doubtful = isDoubtful(end) ? 1 : 0;
  await tx.run(KEEP, [
    batch,
    end.attempt,
    end.endedAt,
    end.httpStatus ?? null,
    LATE,
    reply,
    doubtful,
    end.sent ? 1 : 0,
  ]);
  const settled = await settleUnknown(tx, claims, { end, run }, who);
  const detail = { batch: end.batch, attempt: end.attempt, settled };
  await appendAudit(tx, { who: `os:${who}`, act: LATE, run: end.run, detail }, end.endedAt);
  return { kind: 'late', settled };
}

/**
 * A standby that took the server's place may have missed the attempt's beginning. What was sent was sent all the same:
 * the batch would be pending again, and go out twice.
 */
async function restore(tx: Queryable, claims: Claims, { end, run }: AskedEnd): Promise<void> {
  const batch = packId(run.number, end.batch);
  if (!end.sent || end.nonce === undefined) throw notOpen(end);
  // When it began is known to nobody any more.
  const begun = await tx.run(RESTORE, [batch, end.attempt, end.nonce, end.endedAt]);
  if (begun === 0) throw notOpen(end);
  await tx.run(COUNT, [run.number, end.attempt > 1 ? 1 : 0]);
  // The run may have been counted without it.
  await tx.run('UPDATE runs SET sums_json = NULL WHERE id = $1', [run.number]);
  await lockKindred(tx, run);
  for (const { item, key } of await tx.all<{ item: number; key: string }>(KEYS, [batch])) {
    await claims.keep(tx, { scope: run.scope, key, item });
  }
  const asked = { end, run };
  if (!(await endAttempts((sql, params) => tx.all(sql, params), [asked])).has(asked)) throw notOpen(end);
}

async function settleUnknown(
  tx: Queryable,
  claims: Claims,
  { end, run }: AskedEnd,
  who: string,
): Promise<number> {
  const batch = packId(run.number, end.batch);
  const outcomes = new Map(end.outcomes.map(({ item, outcome }) => [packId(run.number, item), outcome]));
  const unknown = await tx.all<{ item: number; key: string | null }>(UNKNOWN, [batch, end.attempt]);
  const doubted = (await tx.get(DOUBTED, [batch, end.attempt])) !== undefined;
  const settled = unknown.flatMap(({ item, key }) => {
    const outcome = lateOutcome(end, outcomes.get(item), doubted);
    return outcome ? [{ item, key, outcome }] : [];
  });
  await tx.run(OPEN_AGAIN, [settled.map((it) => it.item)]);
  await writeOutcomes(
    tx,
    settled.map(({ item, outcome }) => ({ item, attempts: end.attempt, outcome })),
  );
  for (const { item, key, outcome } of settled) {
    await tx.run(TELL, [item, end.endedAt, who, outcome.status, outcome.licenseOrderId ?? null]);
    if (key !== null && releasesKey(outcome.status)) await claims.giveUp(tx, { scope: run.scope, key, item });
  }
  return settled.length;
}

/**
 * What an item is settled as; undefined: it stays unknown. It isn't sent again by itself, as its run may have ended: what
 * certainly did nothing has failed, and may be retried.
 * @param doubted another attempt may have had an effect: that this one did nothing tells nothing then
 */
function lateOutcome(
  end: AttemptEnd,
  outcome: ItemOutcome | undefined,
  doubted: boolean,
): ItemOutcome | undefined {
  if (outcome?.status === 'unknown') return undefined;
  if (outcome && outcome.status !== 'not_sent') return outcome;
  if (doubted || isDoubtful(end)) return undefined;
  return { message: message('ledger.late_did_nothing'), ...outcome, status: 'failed' };
}

function notOpen({ run, batch, attempt }: AttemptEnd): ProductError {
  return new ProductError('internal', message('ledger.attempt_not_open', { run, batch, attempt }));
}
