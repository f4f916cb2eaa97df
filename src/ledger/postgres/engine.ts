import type { ClientBase, ClientConfig, Pool } from 'pg';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { systemClock } from '../../util/clock.js';
import type { EngineWish, ServedEngine } from '../contract/queue.js';
import type { Database } from './database.js';
import { isBroken, isForbidden, ledgerFailure } from './failures.js';
import { destroy } from './session.js';
import type { Queryable } from './transaction.js';

/**
 * The engine that hands jobs out: graphile-worker, in a schema of its own beside the ledger's. One job is one chunk of a
 * run. It is loaded only by those who put something into the queue or work on it.
 */
export class Engine {
  readonly #db: Database;
  /** Quoted. */
  readonly schema: string;
  readonly #name: string;
  #ready: Promise<void> | undefined;

  /** Of the ledger itself. */
  readonly ledgerSchema: string;

  constructor(db: Database, ledgerSchema: string) {
    this.#db = db;
    this.ledgerSchema = ledgerSchema;
    this.#name = `${ledgerSchema}_queue`;
    this.schema = `"${this.#name.replaceAll('"', '""')}"`;
  }

  /** Makes its tables where they are not there, or older. */
  ready(): Promise<void> {
    this.#ready ??= this.#make().catch((error: unknown) => {
      this.#ready = undefined;
      const { location } = this.#db;
      if (!isForbidden(error)) throw ledgerFailure(error, location, 'write');
      const params = { location, schema: this.#name, reason: error instanceof Error ? error.message : '' };
      throw new ProductError('usage', message('ledger.queue_rights_missing', params), { cause: error });
    });
    return this.#ready;
  }

  /** Whether its tables are there. */
  async isThere(): Promise<boolean> {
    const found = await this.#db.get<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [
      `${this.schema}._private_jobs`,
    ]);
    return found?.there === true;
  }

  /**
   * Adds a job for each chunk, in the order given; one that waits there already is replaced, one that is being worked on
   * has no part in it any more.
   */
  async add(tx: Queryable, chunks: readonly number[], scope: string): Promise<void> {
    if (chunks.length === 0) return;
    await tx.all(
      `SELECT count(*) FROM ${this.schema}.add_jobs(ARRAY(
         SELECT ROW($1::text, json_build_object('chunk', c.id), NULL::text,
           clock_timestamp() - (count(*) OVER () - c.n) * interval '1 microsecond',
           NULL::smallint, 'chunk:' || c.id, NULL::smallint, NULL::text[])::${this.schema}.job_spec
         FROM unnest($2::bigint[]) WITH ORDINALITY AS c(id, n) ORDER BY c.n))`,
      [taskOf(scope), chunks],
    );
  }

  /** Takes away what waits for nothing. */
  async remove(tx: Queryable, chunks: readonly number[]): Promise<void> {
    if (chunks.length === 0) return;
    await tx.run(
      `DELETE FROM ${this.schema}._private_jobs WHERE key = ANY(SELECT 'chunk:' || id FROM unnest($1::bigint[]) AS id)
       AND locked_at IS NULL`,
      [chunks],
    );
  }

  async serve(how: EngineWish): Promise<ServedEngine> {
    await this.ready();
    const { Logger, run } = await import('graphile-worker');
    const { EventEmitter } = await import('node:events');
    const pgPool = await this.#openPool(POOL);
    const closing = outlastOutages(pgPool);
    // Also while it begins: that asks the database, and would go on asking.
    const leave = (): void => closing.abort();
    if (how.leaving.aborted) leave();
    how.leaving.addEventListener('abort', leave, { once: true });
    const events = new EventEmitter();
    let pool = '';
    events.on('pool:create', ({ workerPool }: { workerPool: { id: string } }) => {
      pool = workerPool.id;
    });
    const carry = async (payload: unknown): Promise<void> => {
      await how.carry((payload as { chunk: number }).chunk);
    };
    try {
      const runner = await run({
        pgPool,
        events,
        schema: this.#name,
        concurrency: how.concurrency,
        noHandleSignals: true,
        pollInterval: POLL_MS,
        // What goes on is let end, however long that takes.
        gracefulShutdownAbortTimeout: LONGEST_MS,
        logger: new Logger(() => () => {}),
        taskList: Object.fromEntries(how.scopes.map((scope) => [taskOf(scope), carry])),
        crontab: '',
        // Called before each look for a job: the only place where it can be told to wait.
        forbiddenFlags: () => how.hungry().then(() => null),
      });
      const ended = runner.promise.then(
        () => {},
        () => {},
      );
      const stop = async (): Promise<void> => {
        how.leaving.removeEventListener('abort', leave);
        leave();
        // It would wait for replies to what it says at its end.
        if (this.#db.isGivenUp) pgPool.drop();
        await runner.stop().catch(() => {});
        await ended;
        await pgPool.end();
      };
      return { pool, ended, stop };
    } catch (error) {
      how.leaving.removeEventListener('abort', leave);
      await pgPool.end();
      throw error;
    }
  }

  /** Its own connections: it holds some for long. */
  async #openPool(max: number): Promise<EnginePool> {
    const { default: pg } = await import('pg');
    const clients = new Set<ClientBase>();
    class TrackedClient extends pg.Client {
      constructor(config?: ClientConfig) {
        super(config);
        clients.add(this);
        this.once('end', () => clients.delete(this));
      }
    }
    const pool = new pg.Pool({ ...this.#db.clientConfig, max, Client: TrackedClient });
    // Without these the end of an idle connection would end the process.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    const end = pool.end.bind(pool);
    const drop = (): void => {
      for (const client of clients) destroy(client);
    };
    // The pool itself waits for servers that don't reply.
    const endInTime = async (): Promise<void> => {
      if (this.#db.isGivenUp) drop();
      const over = new AbortController();
      await Promise.race([end().catch(() => {}), systemClock.sleep(this.#db.endMs, over.signal)]);
      over.abort();
      drop();
    };
    return Object.assign(pool, { end: endInTime, drop });
  }

  async #make(): Promise<void> {
    const { Logger, runMigrations } = await import('graphile-worker');
    const pgPool = await this.#openPool(1);
    try {
      // A role that may not make schemas is refused even where the schema is there: so it is only asked for where it isn't.
      const found = await this.#db.get('SELECT 1 FROM pg_namespace WHERE nspname = $1', [this.#name]);
      if (found && !(await this.isThere())) {
        await pgPool.query(
          `CREATE TABLE IF NOT EXISTS ${this.schema}.migrations (
             id int PRIMARY KEY, ts timestamptz DEFAULT now() NOT NULL, breaking boolean DEFAULT false NOT NULL)`,
        );
      }
      await runMigrations({ pgPool, schema: this.#name, logger: new Logger(() => () => {}) });
    } finally {
      await pgPool.end();
    }
  }
}

/** Its end is waited for as long as a connection's may take; `drop` ends all connections at once. */
type EnginePool = Pool & { readonly drop: () => void };

/** Connections of the engine: one listens, the others fetch and end jobs, which takes them a moment each. */
const POOL = 4;
/** How soon a job is seen that wasn't announced. */
const POLL_MS = 1_000;
const LONGEST_MS = 2_147_483_647;

/** How soon a statement of the engine is tried again when its connection broke. */
const TRY_AGAIN_MS = 300;

/**
 * The engine gives up, and takes the process with it, when a connection breaks while it ends a job. Here its statements
 * are asked again until they are answered: each is alone, and what one of them did twice is put right by the sweeper.
 * @returns once aborted, what can't be answered is let be
 */
function outlastOutages(pool: Pool): AbortController {
  const closing = new AbortController();
  const connect = pool.connect.bind(pool);
  const query = async (...statement: [never]): Promise<unknown> => {
    for (;;) {
      try {
        const client = await connect();
        try {
          const result: unknown = await client.query(...statement);
          client.release();
          return result;
        } catch (error) {
          client.release(isBroken(error));
          throw error;
        }
      } catch (error) {
        if (!isBroken(error)) throw error;
        if (closing.signal.aborted) return { rows: [], rowCount: 0 };
        // The server's time, not the run's.
        await systemClock.sleep(TRY_AGAIN_MS, closing.signal);
      }
    }
  };
  const lent = { query, release: () => {} };
  // With a callback it is for listening, which has its own way of beginning again.
  const lend = (callback?: Parameters<typeof connect>[0]): unknown =>
    callback ? connect(callback) : Promise.resolve(lent);
  Object.assign(pool, { connect: lend });
  return closing;
}

/** Workers ask for the jobs of their connections only. */
function taskOf(scope: string): string {
  return `carry ${scope}`;
}

/** The same in SQL. */
export function taskSql(scope: string): string {
  return `'carry ' || ${scope}`;
}
