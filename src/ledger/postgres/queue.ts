import type { ItemOutcome } from '../../model/item.js';
import type { EndingRun, QueueStore, RunStop, WorkerListing } from '../contract/queue.js';
import type { Database } from './database.js';
import { Engine } from './engine.js';
import { enqueueRun } from './enqueue.js';
import { PostgresLimitStore } from './limits.js';
import type { RunNumbers } from './runner.js';
import { onSignal, sendSignal } from './signals.js';
import type { CloseOpenBatches } from './take-chunk.js';
import { PostgresWorkStore } from './work.js';

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

export class PostgresQueueStore implements QueueStore {
  readonly work: PostgresWorkStore;
  readonly limits: PostgresLimitStore;
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

  async migrate(): Promise<void> {
    if (await this.#engine.isThere()) await this.#engine.ready();
  }

  ready(): Promise<void> {
    return this.#engine.ready();
  }

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

  async carrying(job: string, scope: string): Promise<readonly string[]> {
    const found = await this.#db.all<{ name: string }>(
      `SELECT ${WHOLE_RUN} AS name FROM queued_runs JOIN runs ON runs.id = queued_runs.run
         JOIN scopes ON scopes.id = runs.scope
       WHERE runs.job = $1 AND scopes.name = $2 ORDER BY queued_runs.n`,
      [job, scope],
    );
    return found.map((it) => it.name);
  }

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

  async workers(): Promise<readonly WorkerListing[]> {
    const lines = await this.#db.all<WorkerLine>(WORKERS);
    return lines.map(({ connections_json: connections, heard_of: heardOf, ...line }) => ({
      ...line,
      ...servedOf(connections),
      heardOf,
    }));
  }

  changed(
    onChange: (what: { readonly run?: string; readonly scope?: string }) => void,
  ): Promise<() => Promise<void>> {
    return onSignal(this.#db, this.#engine.ledgerSchema, onChange);
  }

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
