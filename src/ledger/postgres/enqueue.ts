import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { ItemOutcome } from '../../model/item.js';
import type { EndingRun } from '../contract/queue.js';
import type { RunState } from '../contract/runs.js';
import { FINISHED, mayFollow, TurnPassed } from '../rules/run-states.js';
import { idRange } from '../store/ids.js';
import { sqlList } from '../store/item-state.js';
import { type Engine, taskSql } from './engine.js';
import type { Queryable } from './transaction.js';

/** Pending batches, each with the number of items before it. */
const PENDING = `
SELECT batches.id, row_number() OVER (ORDER BY batches.id) AS n,
  coalesce(sum(counted.items) OVER (ORDER BY batches.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
FROM batches CROSS JOIN LATERAL (SELECT count(*) AS items FROM batch_items WHERE batch = batches.id) AS counted
WHERE batches.id > $1 AND batches.id < $2 AND done = 0`;

/** All pending batches, without counting items. */
const ALL_PENDING = `
SELECT id, row_number() OVER (ORDER BY id) AS n, 0 AS before FROM batches WHERE id > $1 AND id < $2 AND done = 0`;

/** A batch waits for the previous batch that shares a subject: a chain for each subject. */
const ORDER = `
INSERT INTO batch_order (batch, after_batch)
SELECT DISTINCT batch, before FROM (
  SELECT batch_items.batch,
    lag(batch_items.batch) OVER (PARTITION BY touched.name ORDER BY batch_items.batch) AS before
  FROM items JOIN batch_items ON batch_items.item = items.id
    CROSS JOIN LATERAL unnest(string_to_array(items.subject, ' ')) AS touched (name)
  WHERE items.id > $1 AND items.id < $2 AND items.subject IS NOT NULL
) AS pairs WHERE before <> batch`;

/** The run, and for a step the whole run unless it is already executing. */
const QUEUED = `
UPDATE runs SET state = CASE WHEN id <> $1 AND state = 'executing' THEN state ELSE 'queued' END, ended_at = NULL,
  exit_code = NULL, reason_json = NULL
WHERE id = $1 OR (state NOT IN (${sqlList(FINISHED)})
  AND name = (SELECT parent FROM runs AS step WHERE step.id = $1 AND step.step IS NOT NULL))`;

/** Queues the pending batches of a run; see `QueueStore.enqueue`. Runs inside a transaction. */
export async function enqueueRun(
  tx: Queryable,
  engine: Engine,
  name: string,
  {
    upTo,
    lost,
    after,
  }: {
    readonly upTo?: number;
    readonly lost: ItemOutcome | 'sent_again';
    readonly after?: EndingRun | undefined;
  },
): Promise<{ readonly batches: number; readonly chunks: number }> {
  const run = await tx.get<{ id: number; state: RunState }>(
    'SELECT id, state FROM runs WHERE name = $1 FOR UPDATE',
    [name],
  );
  const waits = run && (await tx.get('SELECT 1 FROM queued_runs WHERE run = $1', [run.id]));
  if (!run || waits || !mayFollow(run.state, 'queued'))
    throw new ProductError('usage', message('team.carried', { run: name }));
  const { first, end } = idRange(run.id);
  await forgetChunks(tx, engine, run.id);
  const pending = upTo === undefined ? ALL_PENDING : PENDING;
  const items = upTo ?? 1;
  const { batches } = (await tx.get<{ batches: number }>(
    `SELECT count(*) AS batches FROM (${pending}) AS pending WHERE before < $3`,
    [first, end, items],
  ))!;
  if (batches === 0) return { batches: 0, chunks: 0 };
  const place = after && (await leaveTo(tx, engine, after));
  const starts = chunkStarts(batches);
  await tx.run(
    `INSERT INTO chunks (run, first_batch, last_batch)
     SELECT $5, min(id), max(id) FROM (${pending}) AS pending WHERE before < $3
     GROUP BY width_bucket(n, $4::bigint[]) ORDER BY min(id)`,
    [first, end, items, starts, run.id],
  );
  await tx.run(ORDER, [first, end]);
  const lostJson = lost === 'sent_again' ? null : JSON.stringify(lost);
  if (place) {
    const line = [run.id, lostJson, place.n, place.stop_json];
    await tx.run('INSERT INTO queued_runs (run, lost_json, n, stop_json) VALUES ($1, $2, $3, $4)', line);
  } else await tx.run('INSERT INTO queued_runs (run, lost_json) VALUES ($1, $2)', [run.id, lostJson]);
  await tx.run(QUEUED, [run.id]);
  // If it is not the first in line, its jobs are added when it is.
  await addJobs(tx, engine, await tx.all(`${OPEN_CHUNKS} AND chunks.run = $1 ORDER BY chunks.id`, [run.id]));
  return { batches, chunks: starts.length };
}

/** Removes a concluded step from the queue. Returns its position for the next step, and a stop received in the meantime. */
async function leaveTo(
  tx: Queryable,
  engine: Engine,
  { run, turn, worker }: EndingRun,
): Promise<{ readonly n: number; readonly stop_json: string | null }> {
  const place = await tx.get<{ run: number; n: number; stop_json: string | null }>(
    `DELETE FROM queued_runs WHERE run = (SELECT id FROM runs WHERE name = $1) AND n = $2 AND ending_by = $3
     RETURNING run, n, stop_json`,
    [run, turn, worker],
  );
  if (!place) throw new TurnPassed();
  await forgetChunks(tx, engine, place.run);
  return place;
}

export async function forgetChunks(tx: Queryable, engine: Engine, run: number): Promise<void> {
  const { first, end } = idRange(run);
  const removed = await tx.all<{ id: number }>('DELETE FROM chunks WHERE run = $1 RETURNING id', [run]);
  await tx.run('DELETE FROM batch_order WHERE batch > $1 AND batch < $2', [first, end]);
  await engine.remove(
    tx,
    removed.map((it) => it.id),
  );
}

/** No run of the same job and platform is queued before it. */
export const FIRST_IN_LINE = `NOT EXISTS (
  SELECT 1 FROM queued_runs AS earlier JOIN runs AS other ON other.id = earlier.run
  WHERE earlier.n < queued_runs.n AND other.job = runs.job AND other.scope = runs.scope)`;

/** The connection and platform that workers select by, from `runs` joined with `scopes`; as written by `lineOf`. */
export const LINE = "(runs.connection || ' ' || scopes.name)";

/** Chunks to be assigned to workers. */
const OPEN_CHUNKS = `
SELECT chunks.id, ${LINE} AS scope
FROM chunks JOIN queued_runs ON queued_runs.run = chunks.run JOIN runs ON runs.id = chunks.run
  JOIN scopes ON scopes.id = runs.scope
WHERE chunks.done = 0 AND chunks.worker IS NULL AND queued_runs.stop_json IS NULL
  AND NOT EXISTS (SELECT 1 FROM chunks AS other WHERE other.id = chunks.waits_for AND other.done = 0)
  AND ${FIRST_IN_LINE}`;

/** Adds the jobs of chunks, by scope. */
async function addJobs(
  tx: Queryable,
  engine: Engine,
  chunks: readonly { readonly id: number; readonly scope: string }[],
): Promise<void> {
  const scopes = new Map<string, number[]>();
  for (const { id, scope } of chunks) scopes.set(scope, [...(scopes.get(scope) ?? []), id]);
  for (const [scope, ids] of scopes) await engine.add(tx, ids, scope);
}

/** Adds the jobs of those of the chunks that are to be assigned. */
export async function addJobsOf(tx: Queryable, engine: Engine, chunks: readonly number[]): Promise<void> {
  if (chunks.length === 0) return;
  await addJobs(
    tx,
    engine,
    await tx.all(`${OPEN_CHUNKS} AND chunks.id = ANY($1::bigint[]) ORDER BY chunks.id`, [chunks]),
  );
}

/** Adds the jobs of the next run in a line, after a run has left it. */
export async function addJobsOfNext(
  tx: Queryable,
  engine: Engine,
  line: { readonly job: string; readonly scope: number },
): Promise<void> {
  await addJobs(
    tx,
    engine,
    await tx.all(
      `${OPEN_CHUNKS} AND queued_runs.begun_at IS NULL AND runs.job = $1 AND runs.scope = $2 ORDER BY chunks.id`,
      [line.job, line.scope],
    ),
  );
}

/**
 * Adds a job for every chunk that is to be assigned and has none. A job that was assigned long ago, but whose chunk was not
 * taken, is considered lost. A job with a task of an earlier version is replaced.
 * @returns the number of jobs added
 */
export async function addMissingJobs(tx: Queryable, engine: Engine, longMs: number): Promise<number> {
  const missing = await tx.all<{ id: number; scope: string }>(
    `${OPEN_CHUNKS} AND NOT EXISTS (
       SELECT 1 FROM ${engine.schema}._private_jobs AS jobs WHERE jobs.key = 'chunk:' || chunks.id
       AND (jobs.locked_at > clock_timestamp() - $1 * interval '1 millisecond'
         OR jobs.locked_at IS NULL AND jobs.attempts < jobs.max_attempts AND jobs.task_id = (
          SELECT id FROM ${engine.schema}._private_tasks WHERE identifier = ${taskSql(LINE)})))
     ORDER BY chunks.id`,
    [longMs],
  );
  await addJobs(tx, engine, missing);
  return missing.length;
}

/** Maximum number of batches in a chunk, which wait when their worker dies. */
const LARGEST = 100;
/** A chunk has this fraction of the remaining batches, so that every slot of every worker has work until the end. */
const CHUNKS_OF_THE_REST = 64;

/**
 * Divides a run's batches into chunks: the position of each chunk's first batch, from 1. Chunks get smaller towards the end,
 * so that the last one does not take long.
 */
export function chunkStarts(batches: number): readonly number[] {
  const starts: number[] = [];
  for (let next = 1; next <= batches; ) {
    starts.push(next);
    next += Math.min(LARGEST, Math.ceil((batches - next + 1) / CHUNKS_OF_THE_REST));
  }
  return starts;
}
