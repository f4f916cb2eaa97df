import type { ItemOutcome } from '../../model/item.js';
import type { ChunkAnswer } from '../contract/queue.js';
import { type RunNumber, unpackId } from '../store/ids.js';
import type { Queryable } from './transaction.js';

/**
 * Ends the attempts that a dead worker left open in batches between two ids, and sets the outcome of their items.
 * @param lost the outcome of their items; undefined: they are sent again
 * @returns the number of open attempts
 */
export type CloseOpenBatches = (
  tx: Queryable,
  run: RunNumber,
  range: { readonly first: number; readonly end: number },
  lost: ItemOutcome | undefined,
  now: number,
) => Promise<number>;

const CHUNK = `
SELECT chunks.run, chunks.first_batch, chunks.last_batch, chunks.token, chunks.worker, chunks.done,
  coalesce(chunks.expires_at > clock_timestamp(), false) AS held,
  runs.name AS run_name, runs.scope,
  (SELECT stop_json IS NULL FROM queued_runs WHERE queued_runs.run = chunks.run) AS is_active,
  (SELECT n FROM queued_runs WHERE queued_runs.run = chunks.run) AS turn,
  (SELECT lost_json FROM queued_runs WHERE queued_runs.run = chunks.run) AS lost_json,
  (SELECT begun_at IS NOT NULL FROM queued_runs WHERE queued_runs.run = chunks.run) AS begun,
  (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now
FROM chunks JOIN runs ON runs.id = chunks.run WHERE chunks.id = $1 FOR UPDATE OF chunks`;

interface ChunkLine {
  readonly run: number;
  readonly first_batch: number;
  readonly last_batch: number;
  readonly token: number;
  readonly worker: string | null;
  readonly done: number;
  readonly held: boolean;
  readonly run_name: string;
  readonly scope: number;
  /** False when the run was stopped; null when it has left the queue. */
  readonly is_active: boolean | null;
  readonly turn: number | null;
  readonly lost_json: string | null;
  readonly begun: boolean | null;
  readonly now: number;
}

const TAKE = `
UPDATE chunks SET token = token + 1, worker = $2, expires_at = clock_timestamp() + $3 * interval '1 millisecond',
  waits_for = NULL
WHERE id = $1`;

/** The run, and of a step the whole run. */
const BEGUN = `
UPDATE runs SET state = 'executing' WHERE state = 'queued'
  AND (id = $1 OR name = (SELECT parent FROM runs AS step WHERE step.id = $1 AND step.step IS NOT NULL))`;

const ANY_OPEN = 'SELECT 1 FROM attempts WHERE batch BETWEEN $1 AND $2 AND ended_at IS NULL LIMIT 1';

/** Takes a chunk's lease; see `WorkStore.take`. */
export async function takeChunk(
  tx: Queryable,
  closeOpen: CloseOpenBatches,
  chunk: number,
  worker: string,
  leaseMs: number,
): Promise<ChunkAnswer> {
  const line = await tx.get<ChunkLine>(CHUNK, [chunk]);
  if (!line || line.done === 1 || line.is_active !== true || line.turn === null) return { kind: 'over' };
  if (line.worker !== null && line.held) return { kind: 'held' };
  // From here on nothing that another worker began with the previous token can be committed.
  await tx.run(TAKE, [chunk, worker, leaseMs]);
  // A worker that released the chunk may have left an attempt open, if its ledger was unreachable.
  const left = line.worker !== null || (await tx.get(ANY_OPEN, [line.first_batch, line.last_batch]));
  const lost = left ? await closeOpenBatches(tx, closeOpen, line) : 0;
  if (!line.begun) {
    await tx.run(BEGUN, [line.run]);
    await tx.run('UPDATE queued_runs SET begun_at = clock_timestamp() WHERE run = $1 AND begun_at IS NULL', [
      line.run,
    ]);
  }
  const lease = {
    chunk,
    token: line.token + 1,
    run: line.run_name,
    turn: line.turn,
    first: unpackId(line.first_batch),
    last: unpackId(line.last_batch),
  };
  return { kind: 'taken', lease, lost, ...(line.worker === null ? {} : { from: line.worker }) };
}

/** A chunk whose expired lease was removed. */
export interface FreedChunk {
  readonly run: string;
  readonly from: string;
  /** Number of its open attempts. */
  readonly lost: number;
}

/** Releases the chunk, if the token is still valid. */
const GIVE_BACK = `
UPDATE chunks SET worker = NULL, expires_at = NULL, done = CASE WHEN EXISTS (SELECT 1 FROM batches
    WHERE batches.id BETWEEN chunks.first_batch AND chunks.last_batch AND batches.done = 0) THEN 0 ELSE 1 END
WHERE id = $1 AND token = $2 AND worker IS NOT NULL RETURNING run, done`;

/** Sets another chunk that this one waits for, because it contains an earlier batch with the same subject. */
const WAITS_FOR = `
UPDATE chunks SET waits_for = (
  SELECT other.id FROM batch_order
  JOIN batches ON batches.id = batch_order.batch AND batches.done = 0
  JOIN batches AS before ON before.id = batch_order.after_batch AND before.done = 0
  JOIN chunks AS other ON other.run = chunks.run AND before.id BETWEEN other.first_batch AND other.last_batch
  WHERE batch_order.batch BETWEEN chunks.first_batch AND chunks.last_batch AND other.id <> chunks.id
  ORDER BY other.id DESC LIMIT 1)
WHERE id = $1 AND done = 0`;

/**
 * Releases the chunk, unless another worker has taken it over. Locks only the chunk, because many workers end chunks of one
 * run at the same time.
 * @returns its run's number, and whether all of it is done; undefined if another worker has it
 */
export async function giveChunkBack(
  tx: Queryable,
  chunk: number,
  token: number,
): Promise<{ readonly run: number; readonly done: boolean } | undefined> {
  const freed = await tx.get<{ run: number; done: number }>(GIVE_BACK, [chunk, token]);
  if (!freed) return undefined;
  const done = freed.done === 1;
  if (!done) await tx.run(WAITS_FOR, [chunk]);
  return { run: freed.run, done };
}

/** Releases a chunk whose lease has expired; undefined if it hasn't. */
export async function freeChunk(
  tx: Queryable,
  closeOpen: CloseOpenBatches,
  chunk: number,
): Promise<FreedChunk | undefined> {
  const line = await tx.get<ChunkLine>(CHUNK, [chunk]);
  if (!line || line.worker === null || line.held) return undefined;
  const token = line.token + 1;
  await tx.run('UPDATE chunks SET token = $2 WHERE id = $1', [chunk, token]);
  const lost = await closeOpenBatches(tx, closeOpen, line);
  await giveChunkBack(tx, chunk, token);
  return { run: line.run_name, from: line.worker, lost };
}

/** Ends the open attempts of a dead worker: their items become unknown, or are sent again if repeatable. */
function closeOpenBatches(tx: Queryable, closeOpen: CloseOpenBatches, line: ChunkLine): Promise<number> {
  const run: RunNumber = { number: line.run, scope: line.scope };
  const lost = line.lost_json === null ? undefined : (JSON.parse(line.lost_json) as ItemOutcome);
  const range = { first: line.first_batch - 1, end: line.last_batch + 1 };
  return closeOpen(tx, run, range, lost, line.now);
}
