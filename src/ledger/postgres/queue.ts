import type { ItemOutcome } from '../../model/item.js';
import type { EndingRun, RunStop, WorkerListing } from '../contract/queue.js';
import type { Database } from './database.js';
import { Engine } from './engine.js';
import { enqueueRun } from './enqueue.js';
import { type LimitStore, PostgresLimitStore } from './limits.js';
import type { RunNumbers } from './runner.js';
import { onSignal, sendSignal } from './signals.js';
import type { CloseOpenBatches } from './take-chunk.js';
import { PostgresWorkStore, type WorkStore } from './work.js';

/** A step run is shown as its whole run. */
const WHOLE_RUN = 'CASE WHEN runs.step IS NULL THEN runs.name ELSE runs.parent END';

const WORKERS = `
SELECT name, host, process, slots, connections_json,
  (extract(epoch FROM heard_of) * 1000)::bigint AS heard_of,
  ARRAY(SELECT DISTINCT ${WHOLE_RUN} FROM chunks JOIN runs ON runs.id = chunks.run WHERE chunks.worker = workers.name
    ORDER BY 1) AS runs
FROM workers ORDER BY name`;

interface WorkerLine {
  readonly name: string;
  readonly host: string;
  readonly process: number;
  readonly slots: number;
  readonly connections_json: string;
  readonly heard_of: number;
  readonly runs: readonly string[];
}

/**
 * Runs that workers process. The engine below it assigns chunks. Leases decide who may send what; the statement that writes
 * intents checks them.
 */
export class PostgresQueueStore {
  readonly work: WorkStore;
  readonly limits: LimitStore;
  readonly #db: Database;
  readonly #numbers: RunNumbers;
  readonly #engine: Engine;

  constructor(db: Database, schema: string, numbers: RunNumbers, closeOpen: CloseOpenBatches) {
    this.#db = db;
    this.#numbers = numbers;
    this.#engine = new Engine(db, schema);
    this.work = new PostgresWorkStore(db, this.#engine, closeOpen);
    this.limits = new PostgresLimitStore(db, schema);
  }

  /** Migrates the engine's tables if they exist. */
  async migrate(): Promise<void> {
    if (await this.#engine.isThere()) await this.#engine.ready();
  }

  /**
   * Creates the engine's tables if they are missing. Called before anything is planned for the queue.
   * @throws ProductError usage when this user may not create them
   */
  ready(): Promise<void> {
    return this.#engine.ready();
  }

  /**
   * Puts a planned or stopped run into the queue: state `queued`, its pending batches in chunks, and the engine's jobs,
   * in one transaction.
   * @param how `upTo`: only the batches of this many items, from the first pending one (a canary). `lost`: the outcome of
   *   items that were in flight when their worker died. `after`: a concluded step, which leaves the queue. The run takes its
   *   position in the queue, and a stop of that step applies to the run too
   * @returns what was queued; zero when nothing is pending, and then the run is not changed
   * @throws TurnPassed when another worker now has `after`
   */
  async enqueue(
    run: string,
    how: {
      readonly upTo?: number;
      readonly lost: ItemOutcome | 'sent_again';
      readonly after?: EndingRun | undefined;
    },
  ): Promise<{ readonly batches: number; readonly chunks: number }> {
    await this.#engine.ready();
    return this.#numbers.write(run, (tx) => enqueueRun(tx, this.#engine, run, how));
  }

  /**
   * The runs of a job on a platform that are queued or being processed, in processing order. A step run is named by its whole
   * run.
   */
  async runsInQueue(job: string, scope: string): Promise<readonly string[]> {
    const found = await this.#db.all<{ name: string }>(
      `SELECT ${WHOLE_RUN} AS name FROM queued_runs JOIN runs ON runs.id = queued_runs.run
         JOIN scopes ON scopes.id = runs.scope
       WHERE runs.job = $1 AND scopes.name = $2 ORDER BY queued_runs.n`,
      [job, scope],
    );
    return found.map((it) => it.name);
  }

  /**
   * Stops sending of the run and all its steps on all workers. False when the run isn't in the queue.
   * @param turn only if the run is still queued for this turn, so that a late stop doesn't affect a run that was queued again
   */
  async stop(run: string, stop: RunStop, turn?: number): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      const found = await tx.get<{ run: number }>(
        `UPDATE queued_runs SET stop_json = coalesce(stop_json, $2)
         WHERE run IN (SELECT id FROM runs WHERE name = $1 OR parent = $1 AND step IS NOT NULL)
           AND n = coalesce($3, n) RETURNING run`,
        [run, JSON.stringify(stop), turn ?? null],
      );
      if (found) await sendSignal(tx, this.#engine.ledgerSchema, { run });
      return found !== undefined;
    });
  }

  /** Workers with a recent heartbeat, by name. */
  async workers(): Promise<readonly WorkerListing[]> {
    const lines = await this.#db.all<WorkerLine>(WORKERS);
    return lines.map(({ connections_json: connections, heard_of: heardOf, ...line }) => ({
      ...line,
      ...servedOf(connections),
      heardOf,
    }));
  }

  /** Reports runs that changed (stopped, ended) and limits, within a second. Returns a function that ends the subscription. */
  changed(
    onChange: (what: { readonly run?: string; readonly scope?: string }) => void,
  ): Promise<() => Promise<void>> {
    return onSignal(this.#db, this.#engine.ledgerSchema, onChange);
  }

  /** The database's clock, in milliseconds since 1970. */
  async now(): Promise<number> {
    const found = await this.#db.get<{ now: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
    );
    return found!.now;
  }
}

/** A worker of an earlier version wrote only the names of its connections. */
function servedOf(json: string): Pick<WorkerListing, 'connections' | 'lines'> {
  const served = JSON.parse(json) as string[] | Pick<WorkerListing, 'connections' | 'lines'>;
  return Array.isArray(served) ? { connections: served } : served;
}

/** Without its private members, so that a test can replace it. */
export type QueueStore = Pick<PostgresQueueStore, keyof PostgresQueueStore>;
