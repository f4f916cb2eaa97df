import type { Intent, Refusal } from '../contract/execution.js';
import { isRetry } from '../rules/attempts.js';
import { packId, type RunNumber } from '../store/ids.js';
import { itemsOf, TO_BE_SENT } from '../store/item-state.js';
import { sqlState } from './failures.js';
import type { HeldLock } from './run-lock.js';
import type { Queryable } from './transaction.js';

/*
 * Intents of many batches, in one statement. Each has a separate result: it is begun; or it is refused, and nothing of it was
 * written; or it must be checked in full (intent-writer.ts).
 *
 * - The process's right to send is locked first: the lease of its chunk, or its run's lock. A takeover changes that row first.
 *   So either this statement finds another token, or the takeover finds the attempts that are begun here.
 * - Only simple cases by the statement's snapshot are begun: the ledger isn't closed, the batch isn't done and was never tried,
 *   and each of its keys is free. Keys are claimed in order, so that two such statements cannot deadlock.
 * - The snapshot may be stale by then. Danger: two processes send the same. Each key and each attempt's number is in a unique
 *   index. A key that another process has taken since rolls back the whole statement (`isContested`), so that no key of a
 *   batch that isn't begun stays claimed; an attempt that exists already isn't begun. For a further attempt more may have
 *   changed, because the unknown items of the previous one may have been resolved: it is checked with its batch locked.
 * - The server keeps the plan that it made when the tables were nearly empty. OFFSET 0 keeps each lookup separate, so that it
 *   uses its index for each row. A plan with joins would scan all outcomes of a run for every few intents.
 */

/** An intent with all that the statement needs. */
export interface IntentRequest {
  readonly intent: Intent;
  readonly run: RunNumber;
  /** Other scopes whose keys apply to its run. */
  readonly related: readonly number[];
  /** The run's lock, if this process has it. */
  readonly lock: HeldLock | undefined;
}

export type IntentAnswer = 'begun' | 'look' | { readonly refused: Refusal };

/** The right to send each intent, and whether an earlier batch must be done first. The batch is `asked.batch`. */
const PLACED = `
asked AS MATERIALIZED (
  SELECT * FROM unnest($1::bigint[], $2::int[], $3::text[], $4::bigint[], $5::smallint[], $6::bigint[], $7::bigint[],
    $8::bigint[], $9::int[]) WITH ORDINALITY
    AS asked (batch, attempt, nonce, started_at, retry, scope, chunk, token, lock, n)
), leases AS MATERIALIZED (
  SELECT id, token FROM chunks WHERE id = ANY ($7) AND expires_at > clock_timestamp() ORDER BY id FOR SHARE
), held AS MATERIALIZED (
  SELECT mine.n FROM unnest($10::text[], $11::text[], $12::bigint[]) WITH ORDINALITY AS mine (job, connection, token, n)
  JOIN run_locks ON run_locks.job = mine.job AND run_locks.connection = mine.connection AND run_locks.token = mine.token
  ORDER BY mine.n FOR SHARE OF run_locks
), placed AS MATERIALIZED (
  SELECT asked.*, CASE
    WHEN asked.lock IS NOT NULL AND NOT EXISTS (SELECT 1 FROM held WHERE held.n = asked.lock) THEN 'lease_lost'
    WHEN asked.chunk IS NULL THEN NULL
    WHEN NOT EXISTS (SELECT 1 FROM leases WHERE leases.id = asked.chunk AND leases.token = asked.token) THEN 'lease_lost'
    WHEN EXISTS (SELECT 1 FROM queued_runs WHERE run = asked.batch / ${packId(1, 0)} AND stop_json IS NOT NULL)
      THEN 'stopped'
    WHEN EXISTS (SELECT 1 FROM batch_order JOIN batches AS earlier ON earlier.id = batch_order.after_batch
      WHERE batch_order.batch = asked.batch AND earlier.done = 0 OFFSET 0) THEN 'must_wait'
  END AS refused FROM asked
)`;

/** Whether the intents may be sent, without beginning any. */
const MAY_BE_SENT = `WITH ${PLACED} SELECT n, refused FROM placed`;

const HELD_ELSEWHERE = `EXISTS (
  SELECT 1 FROM unnest($15::bigint[], $16::bigint[]) AS related (scope, other)
  JOIN item_keys AS theirs ON theirs.scope = related.other AND theirs.item_key = items.item_key
  WHERE related.scope = candidates.scope)`;

const BEGIN = `
WITH ${PLACED}, candidates AS MATERIALIZED (
  SELECT placed.* FROM placed
  WHERE placed.refused IS NULL AND placed.attempt = 1 AND (SELECT max(id) FROM scopes) = $13
    AND NOT EXISTS (SELECT 1 FROM ledger_identity WHERE closed_to IS NOT NULL)
    AND EXISTS (SELECT 1 FROM batches WHERE batches.id = placed.batch AND batches.done = 0 OFFSET 0)
    AND NOT EXISTS (SELECT 1 FROM attempts WHERE attempts.batch = placed.batch OFFSET 0)
), standing AS MATERIALIZED (
  SELECT candidates.n, candidates.scope, items.item_key, items.id AS item,
    items.item_key IS NOT NULL AND item_keys.item IS NULL AS wanted,
    coalesce(item_keys.item <> items.id, false)
      OR (item_keys.item IS NULL AND items.item_key IS NOT NULL AND ${HELD_ELSEWHERE}) AS contested
  FROM candidates
  CROSS JOIN LATERAL (${itemsOf('candidates')}) AS items
  LEFT JOIN LATERAL (SELECT status FROM outcomes WHERE outcomes.item = items.id OFFSET 0) AS outcomes ON true
  LEFT JOIN LATERAL (SELECT item FROM item_keys
    WHERE item_keys.scope = candidates.scope AND item_keys.item_key = items.item_key OFFSET 0) AS item_keys ON true
  WHERE ${TO_BE_SENT}
), plain AS MATERIALIZED (
  SELECT n, count(*) FILTER (WHERE wanted) AS wanted FROM standing GROUP BY n HAVING NOT bool_or(contested)
), claimed AS (
  INSERT INTO item_keys (scope, item_key, item)
  SELECT standing.scope, standing.item_key, standing.item FROM standing JOIN plain USING (n) WHERE standing.wanted
  ORDER BY standing.scope, standing.item_key
  ON CONFLICT (scope, item_key) DO NOTHING RETURNING item
), sure AS MATERIALIZED (
  SELECT 1 / CASE WHEN (SELECT count(*) FROM claimed) = (SELECT coalesce(sum(wanted), 0) FROM plain) THEN 1 ELSE 0 END
    AS one -- division by zero: isContested
), begun AS (
  INSERT INTO attempts (batch, attempt, nonce, started_at, lease, token)
  SELECT batch, attempt, nonce, started_at, chunk, token FROM candidates JOIN plain USING (n) CROSS JOIN sure
  WHERE sure.one = 1 ORDER BY batch
  ON CONFLICT DO NOTHING RETURNING batch, nonce
), summed AS (
  INSERT INTO run_sums (run, slot, requests, retries)
  SELECT begun.batch / ${packId(1, 0)}, $14::smallint, count(*), sum(asked.retry)
  FROM begun JOIN asked ON asked.batch = begun.batch AND asked.nonce = begun.nonce GROUP BY 1
  ON CONFLICT (run, slot) DO UPDATE SET requests = run_sums.requests + excluded.requests,
    retries = run_sums.retries + excluded.retries
)
SELECT placed.n, placed.refused, begun.batch IS NOT NULL AS begun
FROM placed LEFT JOIN begun ON begun.batch = placed.batch AND begun.nonce = placed.nonce`;

/** Another process took a key while the statement claimed it; nothing was written. */
export function isContested(error: unknown): boolean {
  return sqlState(error) === '22012';
}

interface Line {
  readonly n: number;
  readonly refused: Refusal | null;
  readonly begun?: boolean;
}

/**
 * Begins the intents that may be begun.
 * @param all executes the statement, as a separate transaction or within one
 * @param newestScope the newest scope that `related` takes into account; with a newer one, every intent must be checked in full
 * @param slot this process's row in the run's totals
 */
export async function beginIntents(
  all: Queryable['all'],
  requests: readonly IntentRequest[],
  { newestScope, slot }: { readonly newestScope: number; readonly slot: number },
): Promise<readonly IntentAnswer[]> {
  const related = new Map(requests.map((it) => [it.run.scope, it.related]));
  const pairs = [...related].flatMap(([scope, others]) => others.map((other) => [scope, other] as const));
  const lines = await all<Line>(BEGIN, [
    ...placeOf(requests),
    newestScope,
    slot,
    pairs.map(([scope]) => scope),
    pairs.map(([, other]) => other),
  ]);
  const answers: IntentAnswer[] = requests.map(() => 'look');
  for (const { n, refused, begun } of lines)
    answers[n - 1] = refused ? { refused } : begun ? 'begun' : 'look';
  return answers;
}

/** Why an intent must not be sent now, if so. Within a transaction the lease or run lock stays locked. */
export async function refusalOf(tx: Queryable, request: IntentRequest): Promise<Refusal | undefined> {
  return (await tx.get<Line>(MAY_BE_SENT, placeOf([request])))?.refused ?? undefined;
}

/** $1 to $12 of PLACED. */
function placeOf(requests: readonly IntentRequest[]): unknown[] {
  const locks = [...new Set(requests.flatMap(({ intent, lock }) => (intent.lease || !lock ? [] : [lock])))];
  const lockOf = ({ intent, lock }: IntentRequest): number | null =>
    intent.lease || !lock ? null : locks.indexOf(lock) + 1;
  return [
    requests.map(({ run, intent }) => packId(run.number, intent.batch)),
    requests.map(({ intent }) => intent.attempt),
    requests.map(({ intent }) => intent.nonce),
    requests.map(({ intent }) => intent.startedAt),
    requests.map(({ intent }) => (isRetry(intent) ? 1 : 0)),
    requests.map(({ run }) => run.scope),
    requests.map(({ intent }) => intent.lease?.chunk ?? null),
    requests.map(({ intent }) => intent.lease?.token ?? null),
    requests.map(lockOf),
    locks.map((it) => it.job),
    locks.map((it) => it.connection),
    locks.map((it) => it.token),
  ];
}
