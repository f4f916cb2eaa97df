import { wholeRunOf } from '../../util/run-id.js';
import type { Lease } from '../contract/execution.js';
import type {
  ChunkAnswer,
  ChunkLease,
  Counted,
  EndingRun,
  EngineOptions,
  FailureTally,
  QueuedRunEvent,
  RunStop,
  ServedEngine,
  Swept,
  WorkerEvent,
} from '../contract/queue.js';
import { stepsLock } from '../rules/run-states.js';
import { unpackId } from '../store/ids.js';
import type { Database } from './database.js';
import type { Engine } from './engine.js';
import { addJobsOf, addJobsOfNext, addMissingJobs, forgetChunks, LINE } from './enqueue.js';
import { sendSignal } from './signals.js';
import { type CloseOpenBatches, freeChunk, giveChunkBack, takeChunk } from './take-chunk.js';

/** No worker processes any of the run: all of it is done, or it was stopped and no chunk has a worker. */
const IS_OVER = `
NOT EXISTS (SELECT 1 FROM chunks WHERE chunks.run = queued_runs.run AND
  CASE WHEN queued_runs.stop_json IS NULL THEN done = 0 ELSE worker IS NOT NULL END)`;

const EXPIRED = `
SELECT id FROM chunks WHERE worker IS NOT NULL AND expires_at <= clock_timestamp()
ORDER BY id FOR UPDATE SKIP LOCKED`;

interface TallyLine {
  readonly failures: number;
  readonly streak: string;
  readonly streak_length: number;
}

/** The workers' side of the queue. All times are by the database's clock. */
export class PostgresWorkStore {
  readonly #db: Database;
  readonly #engine: Engine;
  readonly #closeOpen: CloseOpenBatches;

  constructor(db: Database, engine: Engine, closeOpen: CloseOpenBatches) {
    this.#db = db;
    this.#engine = engine;
    this.#closeOpen = closeOpen;
  }

  /**
   * Starts assigning chunks.
   * @throws when `leaving` is aborted first, or the engine's tables are not accessible
   */
  serve(how: EngineOptions): Promise<ServedEngine> {
    return this.#engine.serve(how);
  }

  /** Takes a chunk's lease. An expired lease is taken over; its open attempts get their outcome in the same transaction. */
  take(chunk: number, worker: string, leaseMs: number): Promise<ChunkAnswer> {
    return this.#db.transaction((tx) => takeChunk(tx, this.#closeOpen, chunk, worker, leaseMs));
  }

  /**
   * Records the worker's heartbeat and extends its leases.
   * @returns the leases that the worker no longer has
   * @throws LedgerGone when the wait time is exceeded
   */
  async beat(worker: WorkerEvent, leases: readonly Lease[], leaseMs: number): Promise<readonly Lease[]> {
    const { name, host, process, slots, connections, lines, pool } = worker;
    const served = lines ? { connections, lines } : connections;
    await this.#db.run(
      `INSERT INTO workers (name, host, process, slots, connections_json, started_at, heard_of, pool_id)
       VALUES ($1, $2, $3, $4, $5, clock_timestamp(), clock_timestamp(), $6)
       ON CONFLICT (name) DO UPDATE SET heard_of = clock_timestamp(), pool_id = coalesce($6, workers.pool_id)`,
      [name, host, process, slots, JSON.stringify(served), pool ?? null],
    );
    if (leases.length === 0) return [];
    // An expired lease isn't extended even if it is free: another worker may be about to take it.
    const extended = await this.#db.all<{ id: number }>(
      `UPDATE chunks SET expires_at = clock_timestamp() + $4 * interval '1 millisecond'
       FROM unnest($1::bigint[], $2::bigint[]) AS held (id, token)
       WHERE chunks.id = held.id AND chunks.token = held.token AND worker = $3 AND expires_at > clock_timestamp()
       RETURNING chunks.id`,
      [leases.map((it) => it.chunk), leases.map((it) => it.token), name, leaseMs],
    );
    const kept = new Set(extended.map((it) => it.id));
    return leases.filter((it) => !kept.has(it.chunk));
  }

  /**
   * Releases the chunk.
   * @returns `done`: all of it is done. `over`: no other chunk of the run is being processed, so the run must be concluded
   */
  async giveBack({ chunk, token }: ChunkLease): Promise<{ readonly done: boolean; readonly over: boolean }> {
    const freed = await this.#db.transaction((tx) => giveChunkBack(tx, chunk, token));
    if (!freed) return { done: false, over: false };
    await this.#handOut(chunk);
    const over = await this.#db.get(`SELECT 1 FROM queued_runs WHERE run = $1 AND ${IS_OVER}`, [freed.run]);
    return { done: freed.done, over: over !== undefined };
  }

  /** Batches of the chunk that must wait, each with the unfinished batch that it waits for. */
  async waits(lease: ChunkLease): Promise<readonly { readonly batch: number; readonly after: number }[]> {
    const found = await this.#db.all<{ batch: number; after_batch: number }>(
      `SELECT batch_order.batch, batch_order.after_batch FROM batch_order
       JOIN batches ON batches.id = batch_order.batch AND batches.done = 0
       JOIN batches AS before ON before.id = batch_order.after_batch AND before.done = 0
       WHERE EXISTS (SELECT 1 FROM chunks WHERE chunks.id = $1
         AND batch_order.batch BETWEEN chunks.first_batch AND chunks.last_batch)`,
      [lease.chunk],
    );
    return found.map((it) => ({ batch: unpackId(it.batch), after: unpackId(it.after_batch) }));
  }

  async news(runs: readonly string[]): Promise<readonly QueuedRunEvent[]> {
    const found = await this.#db.all<TallyLine & { name: string; n: number; stop_json: string | null }>(
      `SELECT runs.name, n, stop_json, failures, streak, streak_length
       FROM queued_runs JOIN runs ON runs.id = queued_runs.run WHERE runs.name = ANY($1::text[])`,
      [runs],
    );
    return found.map((it) => ({ run: it.name, turn: it.n, ...stopOf(it.stop_json), tally: tallyOf(it) }));
  }

  /**
   * Adds batches to the tally of all workers and returns the total. All workers are notified when failures begin or end, and
   * of a stop, which applies at once. With a turn: only if the run is still queued for it.
   */
  async tally(run: string, next: (before: FailureTally) => Counted, turn?: number): Promise<FailureTally> {
    return this.#db.transaction(async (tx) => {
      const line = await tx.get<TallyLine & { run: number }>(
        `SELECT run, failures, streak, streak_length FROM queued_runs
         WHERE run = (SELECT id FROM runs WHERE name = $1) AND n = coalesce($2, n) FOR UPDATE`,
        [run, turn ?? null],
      );
      if (!line) return next(tallyOf({ failures: 0, streak: '', streak_length: 0 })).tally;
      const before = tallyOf(line);
      const { tally: after, stop } = next(before);
      await tx.run(
        `UPDATE queued_runs SET failures = $2, streak = $3, streak_length = $4, stop_json = coalesce(stop_json, $5)
         WHERE run = $1`,
        [line.run, after.failures, after.streak, after.streakLength, stop ? JSON.stringify(stop) : null],
      );
      // A notified worker reads the state of its runs. Notifying of every failure would delay the notification of a stop.
      const isNone = (it: FailureTally): boolean => it.failures === 0 && it.streakLength === 0;
      if (stop || isNone(before) !== isNone(after)) await sendSignal(tx, this.#engine.ledgerSchema, { run });
      return after;
    });
  }

  /** Frees chunks of dead workers, releases their engine locks, and queues chunks again that have no job. */
  async sweep(leaseMs: number): Promise<Swept> {
    if (!(await this.#engine.isThere())) return { takenOver: [], queuedAgain: 0, over: [] };
    const takenOver: Swept['takenOver'][number][] = [];
    for (const { id } of await this.#db.all<{ id: number }>(EXPIRED)) {
      const freed = await this.#db.transaction((tx) => freeChunk(tx, this.#closeOpen, id));
      if (!freed) continue;
      await this.#handOut(id);
      takenOver.push({ chunk: id, ...freed });
    }
    await this.#releaseLocks(leaseMs);
    const queuedAgain = await this.#db.transaction(async (tx) => {
      // One process at a time, or two would add the same jobs.
      const alone = await tx.get<{ alone: boolean }>(
        `SELECT pg_try_advisory_xact_lock(hashtext($1), 15) AS alone`,
        [this.#engine.schema],
      );
      return alone?.alone ? addMissingJobs(tx, this.#engine, leaseMs) : 0;
    });
    const over = await this.#db.all<{ name: string }>(
      `SELECT runs.name FROM queued_runs JOIN runs ON runs.id = queued_runs.run WHERE ${IS_OVER}`,
    );
    return { takenOver, queuedAgain, over: over.map((it) => it.name) };
  }

  /**
   * Begins to conclude a run, which one worker at a time may do. undefined when another worker concludes it or still processes
   * part of it.
   * @returns `turn`: the turn that the run was queued for; it may be queued again
   */
  async beginEnd(
    run: string,
    worker: string,
    leaseMs: number,
  ): Promise<{ readonly stop?: RunStop; readonly turn: number; readonly sinceBegunMs: number } | undefined> {
    const found = await this.#db.get<{ stop_json: string | null; n: number; since: number }>(
      `UPDATE queued_runs SET ending_by = $2, ending_until = clock_timestamp() + $3 * interval '1 millisecond'
       WHERE run = (SELECT id FROM runs WHERE name = $1)
         AND (ending_until IS NULL OR ending_until <= clock_timestamp()) AND ${IS_OVER}
       RETURNING stop_json, n,
         coalesce(extract(epoch FROM clock_timestamp() - begun_at) * 1000, 0)::bigint AS since`,
      [run, worker, leaseMs],
    );
    return found && { ...stopOf(found.stop_json), turn: found.n, sinceBegunMs: found.since };
  }

  /** Extends the right to conclude a run; false when another worker may have taken it over. */
  async holdEnd({ run, turn, worker }: EndingRun, leaseMs: number): Promise<boolean> {
    const held = await this.#db.run(
      `UPDATE queued_runs SET ending_until = clock_timestamp() + $4 * interval '1 millisecond'
       WHERE run = (SELECT id FROM runs WHERE name = $1) AND n = $2 AND ending_by = $3`,
      [run, turn, worker, leaseMs],
    );
    return held > 0;
  }

  /** Removes the run from the queue, unless it was queued again since. */
  async ended(run: string, turn: number): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const line = await tx.get<{ id: number; job: string; scope: number }>(
        `DELETE FROM queued_runs USING runs WHERE runs.id = queued_runs.run AND runs.name = $1 AND n = $2
         RETURNING runs.id, runs.job, runs.scope`,
        [run, turn],
      );
      if (!line) return;
      // A worker that was suspended while it planned the next step must not write to a plan that another process creates.
      await tx.run('UPDATE run_locks SET token = token + 1 WHERE job = $1', [stepsLock(wholeRunOf(run))]);
      await forgetChunks(tx, this.#engine, line.id);
      await addJobsOfNext(tx, this.#engine, line);
      await sendSignal(tx, this.#engine.ledgerSchema, { run });
    });
  }

  /** Whether runs of these connections are queued or being processed. */
  async anyLeft(scopes: readonly string[]): Promise<boolean> {
    const found = await this.#db.get(
      `SELECT 1 FROM queued_runs JOIN runs ON runs.id = queued_runs.run JOIN scopes ON scopes.id = runs.scope
       WHERE ${LINE} = ANY($1::text[]) LIMIT 1`,
      [scopes],
    );
    return found !== undefined;
  }

  async leave(worker: string): Promise<void> {
    await this.#db.run('DELETE FROM slots_held WHERE worker = $1', [worker]);
    await this.#db.run('DELETE FROM workers WHERE name = $1', [worker]);
  }

  /**
   * Re-enqueues this chunk, or the chunks waiting for it, after its lease was released. Runs after the release is committed:
   * if two chunks end at the same time and one waits for the other, at least the later call sees both. If the process dies in
   * between, the sweep adds the job.
   */
  async #handOut(chunk: number): Promise<void> {
    const near = await this.#db.all<{ id: number }>(
      `SELECT id FROM chunks WHERE done = 0 AND worker IS NULL AND (id = $1 OR waits_for = $1)`,
      [chunk],
    );
    if (near.length === 0) return;
    await this.#db.transaction((tx) =>
      addJobsOf(
        tx,
        this.#engine,
        near.map((it) => it.id),
      ),
    );
  }

  /**
   * Releases the engine's locks of dead workers, which would last for hours. The jobs are assigned again; their worker then
   * requests the lease. Removes workers without a heartbeat for long.
   */
  async #releaseLocks(leaseMs: number): Promise<void> {
    const dead = await this.#db.all<{ pool: string }>(
      `SELECT DISTINCT jobs.locked_by AS pool FROM ${this.#engine.schema}._private_jobs AS jobs
       WHERE jobs.locked_at < clock_timestamp() - $1 * interval '1 millisecond'
         AND NOT EXISTS (SELECT 1 FROM workers WHERE workers.pool_id = jobs.locked_by
           AND workers.heard_of > clock_timestamp() - $1 * interval '1 millisecond')`,
      [leaseMs],
    );
    if (dead.length > 0) {
      await this.#db.run(`SELECT ${this.#engine.schema}.force_unlock_workers($1::text[])`, [
        dead.map((it) => it.pool),
      ]);
    }
    // A job that was replaced while a dead worker had it can't be assigned any more.
    await this.#db.run(
      `DELETE FROM ${this.#engine.schema}._private_jobs WHERE locked_at IS NULL AND attempts >= max_attempts`,
    );
    await this.#db.run(
      `DELETE FROM workers WHERE heard_of < clock_timestamp() - $1 * interval '1 millisecond'
       AND NOT EXISTS (SELECT 1 FROM chunks WHERE chunks.worker = workers.name)`,
      [leaseMs * FORGOTTEN_LEASES],
    );
  }
}

/** A worker is removed this many lease times after its last heartbeat. */
const FORGOTTEN_LEASES = 4;

function stopOf(json: string | null): { readonly stop?: RunStop } {
  return json === null ? {} : { stop: JSON.parse(json) as RunStop };
}

function tallyOf({ failures, streak, streak_length: streakLength }: TallyLine): FailureTally {
  return { failures, streak, streakLength };
}

/** Without its private members, so that a test can replace it. */
export type WorkStore = Pick<PostgresWorkStore, keyof PostgresWorkStore>;
