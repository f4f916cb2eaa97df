import { cutText } from '../../util/text.js';
import type { AttemptEnd } from '../contract/execution.js';
import { isUncertain, REPLY_BYTES } from '../rules/attempts.js';
import { RELEASES_KEY } from '../rules/keys.js';
import { packId, type RunNumber } from '../store/ids.js';
import { itemsOf, sqlList } from '../store/item-state.js';
import { outcomeArrays, WRITE_OUTCOMES } from './outcomes.js';
import type { Queryable } from './transaction.js';

/*
 * Ends of many attempts, in one statement. An attempt is closed if it is open and has the nonce of the end. Everything else
 * follows from the closed attempts: outcomes, records, finished batches, and released keys. Of any other end nothing is written
 * here (late-replies.ts).
 *
 * All parts of the statement see the tables as they were before it, so its own writes must be joined with what it reads.
 * OFFSET 0 has the same reason as in intents.ts.
 */

export interface CompletionRequest {
  /** Replaced once its ids are registered (returned-ids.ts). */
  end: AttemptEnd;
  readonly run: RunNumber;
}

/** Items of the closed batches, each with its new status, and whether an attempt may have taken effect. */
const AFTERWARDS = `
afterwards AS MATERIALIZED (
  SELECT closed.batch, closed.has_outcomes, items.id AS item, items.item_key, closed.scope,
    coalesce(written.status, outcomes.status, 'not_sent') AS status,
    closed.doubtful = 1 OR EXISTS (
      SELECT 1 FROM attempts WHERE attempts.batch = closed.batch AND attempts.doubtful = 1 OFFSET 0) AS doubtful
  FROM closed
  CROSS JOIN LATERAL (${itemsOf('closed')}) AS items
  LEFT JOIN LATERAL (SELECT status FROM outcomes WHERE outcomes.item = items.id OFFSET 0) AS outcomes ON true
  LEFT JOIN written ON written.item = items.id
)`;

/**
 * Keys to release: their items had no effect, or are pending and no attempt may have taken effect. Each is locked first,
 * because another process may just be setting its `prior_item`.
 */
const RELEASED = `
released AS MATERIALIZED (
  SELECT scope, item_key, item FROM afterwards
  WHERE item_key IS NOT NULL AND (status IN (${sqlList(RELEASES_KEY)}) OR (status = 'not_sent' AND NOT doubtful))
), locked AS MATERIALIZED (
  SELECT released.scope, released.item_key, released.item, held.prior_item
  FROM (SELECT * FROM released ORDER BY scope, item_key) AS released
  CROSS JOIN LATERAL (
    SELECT prior_item FROM item_keys
    WHERE item_keys.scope = released.scope AND item_keys.item_key = released.item_key AND item_keys.item = released.item
    FOR UPDATE) AS held
), put_back AS (
  UPDATE item_keys SET item = item_keys.prior_item, kept_json = prior_kept_json, prior_item = NULL, prior_kept_json = NULL
  FROM locked
  WHERE item_keys.scope = locked.scope AND item_keys.item_key = locked.item_key AND locked.prior_item IS NOT NULL
), let_go AS (
  DELETE FROM item_keys USING locked
  WHERE item_keys.scope = locked.scope AND item_keys.item_key = locked.item_key AND locked.prior_item IS NULL
)`;

const END = `
WITH asked AS MATERIALIZED (
  SELECT * FROM unnest($1::bigint[], $2::int[], $3::text[], $4::bigint[], $5::int[], $6::text[], $7::smallint[],
    $8::smallint[], $9::text[], $10::bigint[], $11::bool[]) WITH ORDINALITY
    AS asked (batch, attempt, nonce, ended_at, http_status, event, sent, doubtful, reply, scope, has_outcomes, n)
), closed AS (
  UPDATE attempts SET ended_at = asked.ended_at, http_status = asked.http_status, event = asked.event,
    sent = asked.sent, doubtful = asked.doubtful, reply = asked.reply
  FROM asked
  WHERE attempts.batch = asked.batch AND attempts.attempt = asked.attempt AND attempts.ended_at IS NULL
    AND (asked.nonce IS NULL OR attempts.nonce = asked.nonce)
  RETURNING asked.n, asked.batch, asked.attempt, asked.doubtful, asked.scope, asked.has_outcomes
), ${WRITE_OUTCOMES(12)}, ${AFTERWARDS}, finished AS (
  UPDATE batches SET done = 1 WHERE id = ANY (ARRAY(
    SELECT batch FROM afterwards WHERE has_outcomes GROUP BY batch HAVING NOT bool_or(status = 'not_sent')))
), ${RELEASED}
SELECT n FROM closed`;

/**
 * Writes the ends of open attempts. Returns those that were closed; the others must be checked.
 * @param all executes the statement, as a separate transaction or within one
 * @param requests no two of one batch
 */
export async function endAttempts(
  all: Queryable['all'],
  requests: readonly CompletionRequest[],
): Promise<ReadonlySet<CompletionRequest>> {
  const lines = await all<{ n: number }>(END, [
    requests.map(({ run, end }) => packId(run.number, end.batch)),
    requests.map(({ end }) => end.attempt),
    requests.map(({ end }) => end.nonce ?? null),
    requests.map(({ end }) => end.endedAt),
    requests.map(({ end }) => end.httpStatus ?? null),
    requests.map(({ end }) => end.event),
    requests.map(({ end }) => (end.sent ? 1 : 0)),
    requests.map(({ end }) => (isUncertain(end) ? 1 : 0)),
    requests.map(({ end }) => (end.reply === undefined ? null : cutText(end.reply, REPLY_BYTES))),
    requests.map(({ run }) => run.scope),
    requests.map(({ end }) => end.outcomes.length > 0),
    ...outcomeArrays(
      requests.flatMap(({ run, end }, index) =>
        end.outcomes.map(({ item, outcome }) => ({
          n: index + 1,
          item: packId(run.number, item),
          attempts: end.attempt,
          outcome,
        })),
      ),
    ),
  ]);
  return new Set(lines.map(({ n }) => requests[n - 1]!));
}
