import { cutText } from '../../util/cut-text.js';
import type { AttemptEnd } from '../contract/attempt.js';
import { isDoubtful, REPLY_BYTES } from '../rules/attempts.js';
import { RELEASES_KEY } from '../rules/keys.js';
import { packId, type RunNumber } from '../shared/ids.js';
import { itemsOf, sqlList } from '../shared/item-standing.js';
import { outcomeArrays, WRITE_OUTCOMES } from './outcomes.js';
import type { Queryable } from './transaction.js';

/*
 * What many attempts came to, in one statement. An attempt is closed where it is open and has the nonce that the end tells
 * of; all else follows from those that are closed: outcomes, records, batches that are done, and keys let go of. Of any other
 * end nothing is written here (late-ends.ts).
 *
 * All parts of the statement see the tables as they were before it, so what it writes itself is put beside what it reads.
 * OFFSET 0 is there for the same reason as in intents.ts.
 */

export interface AskedEnd {
  /** Replaced once its ids are registered (given-ids.ts). */
  end: AttemptEnd;
  readonly run: RunNumber;
}

/** Items of the batches that were closed, each with what it counts as now, and whether an attempt may have had an effect. */
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
 * Keys that nobody needs any more: nothing came of their items, or these wait and no attempt may have had an effect. Each
 * is locked first: somebody may just be putting another item behind the one that has it.
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
 * Writes the ends of attempts that are open. Gives those that were closed; the others must be looked at.
 * @param all carries the statement out, as a transaction of its own or within one
 * @param asked no two of one batch
 */
export async function endAttempts(
  all: Queryable['all'],
  asked: readonly AskedEnd[],
): Promise<ReadonlySet<AskedEnd>> {
  const lines = await all<{ n: number }>(END, [
    asked.map(({ run, end }) => packId(run.number, end.batch)),
    asked.map(({ end }) => end.attempt),
    asked.map(({ end }) => end.nonce ?? null),
    asked.map(({ end }) => end.endedAt),
    asked.map(({ end }) => end.httpStatus ?? null),
    asked.map(({ end }) => end.event),
    asked.map(({ end }) => (end.sent ? 1 : 0)),
    asked.map(({ end }) => (isDoubtful(end) ? 1 : 0)),
    asked.map(({ end }) => (end.reply === undefined ? null : cutText(end.reply, REPLY_BYTES))),
    asked.map(({ run }) => run.scope),
    asked.map(({ end }) => end.outcomes.length > 0),
    ...outcomeArrays(
      asked.flatMap(({ run, end }, index) =>
        end.outcomes.map(({ item, outcome }) => ({
          n: index + 1,
          item: packId(run.number, item),
          attempts: end.attempt,
          outcome,
        })),
      ),
    ),
  ]);
  return new Set(lines.map(({ n }) => asked[n - 1]!));
}
