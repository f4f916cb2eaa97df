import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { ItemOutcome } from '../../model/item.js';
import { cutText } from '../../util/text.js';
import { type AttemptClosed, type AttemptEnd, ENDED } from '../contract/execution.js';
import { endedUnreported, isUncertain, REPLY_BYTES } from '../rules/attempts.js';
import { releasesKey } from '../rules/keys.js';
import { appendAudit } from '../store/audit.js';
import { giveUpKey, keepKey, lockRelatedScopes } from '../store/claims.js';
import { packId } from '../store/ids.js';
import { type CompletionRequest, endAttempts } from './completions.js';
import { executeStore } from './execute-store.js';
import { writeOutcomes } from './outcomes.js';
import type { Queryable } from './transaction.js';

/** Event of an attempt whose reply arrived after its batch was taken over. */
const LATE = 'late_reply';

const ATTEMPT = `
SELECT attempts.nonce, attempts.event, attempts.ended_at FROM batches
JOIN attempts ON attempts.batch = batches.id AND attempts.attempt = $2
WHERE batches.id = $1 FOR UPDATE OF batches`;

const KEEP = `
UPDATE attempts SET ended_at = $3, http_status = $4, event = $5, reply = $6, doubtful = $7, sent = $8
WHERE batch = $1 AND attempt = $2`;

/** Inserts nothing if the batch is missing too, or is in flight with another attempt. */
const RESTORE = `
INSERT INTO attempts (batch, attempt, nonce, started_at) SELECT id, $2, $3, $4 FROM batches WHERE id = $1
ON CONFLICT DO NOTHING`;

const COUNT = `
INSERT INTO run_sums (run, slot, requests, retries) VALUES ($1, 0, 1, $2)
ON CONFLICT (run, slot) DO UPDATE SET requests = run_sums.requests + 1, retries = run_sums.retries + excluded.retries`;

const KEYS = `
SELECT items.id AS item, items.item_key AS key FROM batch_items JOIN items ON items.id = batch_items.item
WHERE batch_items.batch = $1 AND items.item_key IS NOT NULL ORDER BY items.item_key, items.id`;

/** Items of this attempt that the takeover left unknown and that were not resolved since. */
const UNKNOWN = `
SELECT outcomes.item, items.item_key AS key FROM batch_items
JOIN items ON items.id = batch_items.item
JOIN outcomes ON outcomes.item = batch_items.item
WHERE batch_items.batch = $1 AND outcomes.status = 'unknown' AND outcomes.attempts = $2
  AND NOT EXISTS (SELECT 1 FROM resolutions WHERE resolutions.item = outcomes.item)
ORDER BY items.item_key, outcomes.item`;

/** Another attempt of the batch may have taken effect. */
const OTHER_UNCERTAIN = 'SELECT 1 FROM attempts WHERE batch = $1 AND attempt <> $2 AND doubtful = 1 LIMIT 1';

const OPEN_AGAIN = 'DELETE FROM outcomes WHERE item = ANY ($1::bigint[])';

const RECORD = `
INSERT INTO resolutions (item, n, at, who, how, from_status, to_status, license_order_id)
SELECT $1, coalesce(max(n), 0) + 1, $2, $3, '${LATE}', 'unknown', $4, $5 FROM resolutions WHERE item = $1`;

/**
 * Handles an end whose attempt isn't open. Either it was written before and its confirmation was lost, or the attempt was
 * ended as that of a dead process: then the reply is kept as evidence and resolves items that are unknown only because of that.
 * An attempt that the server has lost is written again. Runs inside a transaction.
 * @param who recorded in the audit
 * @throws ProductError internal when there is no such attempt and nothing was sent, or another attempt has its number
 */
export async function keepLateReply(
  tx: Queryable,
  { end, run }: CompletionRequest,
  who: string,
): Promise<AttemptClosed> {
  const batch = packId(run.number, end.batch);
  await tx.get(ATTEMPT, [batch, end.attempt]);
  // Read again after the lock is acquired: its previous holder may have ended the attempt.
  const found = await tx.get<{ nonce: string; event: string | null; ended_at: number | null }>(ATTEMPT, [
    batch,
    end.attempt,
  ]);
  if (end.nonce === undefined || (found && found.nonce !== end.nonce)) throw notOpen(end);
  if (!found) {
    await restore(tx, { end, run });
    return ENDED;
  }
  if (!endedUnreported(found.event)) return ENDED;
  const reply = end.reply === undefined ? null : cutText(end.reply, REPLY_BYTES);
  const uncertain = isUncertain(end) ? 1 : 0;
  await tx.run(KEEP, [
    batch,
    end.attempt,
    end.endedAt,
    end.httpStatus ?? null,
    LATE,
    reply,
    uncertain,
    end.sent ? 1 : 0,
  ]);
  const settled = await resolveUnknown(tx, { end, run }, who);
  const detail = { batch: end.batch, attempt: end.attempt, settled };
  await executeStore(tx, appendAudit({ who: `os:${who}`, act: LATE, run: end.run, detail }, end.endedAt));
  return { kind: 'late', settled };
}

/**
 * Writes an attempt that a promoted standby has not received. Danger: its request was sent, but the batch is pending again and
 * would be sent twice.
 */
async function restore(tx: Queryable, { end, run }: CompletionRequest): Promise<void> {
  const batch = packId(run.number, end.batch);
  if (!end.sent || end.nonce === undefined) throw notOpen(end);
  // Its start time is lost.
  const begun = await tx.run(RESTORE, [batch, end.attempt, end.nonce, end.endedAt]);
  if (begun === 0) throw notOpen(end);
  await tx.run(COUNT, [run.number, end.attempt > 1 ? 1 : 0]);
  // Totals may have been stored without it.
  await tx.run('UPDATE runs SET sums_json = NULL WHERE id = $1', [run.number]);
  await executeStore(tx, lockRelatedScopes(run));
  for (const { item, key } of await tx.all<{ item: number; key: string }>(KEYS, [batch]))
    await executeStore(tx, keepKey({ scope: run.scope, key, item }));
  const request = { end, run };
  if (!(await endAttempts((sql, params) => tx.all(sql, params), [request])).has(request)) throw notOpen(end);
}

async function resolveUnknown(tx: Queryable, { end, run }: CompletionRequest, who: string): Promise<number> {
  const batch = packId(run.number, end.batch);
  const outcomes = new Map(end.outcomes.map(({ item, outcome }) => [packId(run.number, item), outcome]));
  const unknown = await tx.all<{ item: number; key: string | null }>(UNKNOWN, [batch, end.attempt]);
  const isOtherUncertain = (await tx.get(OTHER_UNCERTAIN, [batch, end.attempt])) !== undefined;
  const settled = unknown.flatMap(({ item, key }) => {
    const outcome = lateOutcome(end, outcomes.get(item), isOtherUncertain);
    return outcome ? [{ item, key, outcome }] : [];
  });
  await tx.run(OPEN_AGAIN, [settled.map((it) => it.item)]);
  await writeOutcomes(
    tx,
    settled.map(({ item, outcome }) => ({ item, attempts: end.attempt, outcome })),
  );
  for (const { item, key, outcome } of settled) {
    await tx.run(RECORD, [item, end.endedAt, who, outcome.status, outcome.licenseOrderId ?? null]);
    if (key !== null && releasesKey(outcome.status))
      await executeStore(tx, giveUpKey({ scope: run.scope, key, item }));
  }
  return settled.length;
}

/**
 * The outcome of an item after a late reply; undefined: it stays unknown. It isn't sent again automatically, because its run
 * may have ended: an item that certainly had no effect has failed and may be retried.
 * @param isOtherUncertain another attempt may have taken effect, so that this one's lack of effect proves nothing
 */
function lateOutcome(
  end: AttemptEnd,
  outcome: ItemOutcome | undefined,
  isOtherUncertain: boolean,
): ItemOutcome | undefined {
  if (outcome?.status === 'unknown') return undefined;
  if (outcome && outcome.status !== 'not_sent') return outcome;
  if (isOtherUncertain || isUncertain(end)) return undefined;
  return { message: message('ledger.late_did_nothing'), ...outcome, status: 'failed' };
}

function notOpen({ run, batch, attempt }: AttemptEnd): ProductError {
  return new ProductError('internal', message('ledger.attempt_not_open', { run, batch, attempt }));
}
