import type { ClientBase, ClientConfig, Pool } from 'pg';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { systemClock } from '../../util/clock.js';
import type { EngineOptions, ServedEngine } from '../contract/queue.js';
import type { Database } from './database.js';
import { isBroken, isForbidden, ledgerFailure } from './failures.js';
import { destroy } from './session.js';
import type { Queryable } from './transaction.js';

/**
 * The engine that assigns jobs: graphile-worker, in a separate schema next to the ledger's. One job is one chunk of a run.
 * Loaded only by processes that queue runs or process them.
 */
export class Engine {
  readonly #db: Database;
  /** Quoted. */
  readonly schema: string;
  readonly #name: string;
  #ready: Promise<void> | undefined;

  /** The ledger's schema. */
  readonly ledgerSchema: string;

  constructor(db: Database, ledgerSchema: string) {
    this.#db = db;
    this.ledgerSchema = ledgerSchema;
    this.#name = `${ledgerSchema}_queue`;
    this.schema = `"${this.#name.replaceAll('"', '""')}"`;
  }

  /** Creates its tables, or migrates older ones. */
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

  /** Whether its tables exist. */
  async isThere(): Promise<boolean> {
    const found = await this.#db.get<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [
      `${this.schema}._private_jobs`,
    ]);
    return found?.there === true;
  }

  /**
   * Adds a job for each chunk, in the given order. A waiting job of the chunk is replaced; a job in progress is detached from
   * the chunk.
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

  /** Removes jobs of the chunks that are not in progress. */
  async remove(tx: Queryable, chunks: readonly number[]): Promise<void> {
    if (chunks.length === 0) return;
    await tx.run(
      `DELETE FROM ${this.schema}._private_jobs WHERE key = ANY(SELECT 'chunk:' || id FROM unnest($1::bigint[]) AS id)
       AND locked_at IS NULL`,
      [chunks],
    );
  }

  async serve(how: EngineOptions): Promise<ServedEngine> {
    await this.ready();
    const { Logger, run } = await import('graphile-worker');
    const { EventEmitter } = await import('node:events');
    const pgPool = await this.#openPool(POOL);
    const closing = outlastOutages(pgPool);
    // Applies to the start, too, which would keep retrying its statements.
    const leave = (): void => closing.abort();
    if (how.leaving.aborted) leave();
    how.leaving.addEventListener('abort', leave, { once: true });
    const events = new EventEmitter();
    let pool = '';
    events.on('pool:create', ({ workerPool }: { workerPool: { id: string } }) => {
      pool = workerPool.id;
    });
    const processChunk = async (payload: unknown): Promise<void> => {
      await how.execute((payload as { chunk: number }).chunk);
    };
    try {
      const runner = await run({
        pgPool,
        events,
        schema: this.#name,
        concurrency: how.concurrency,
        noHandleSignals: true,
        pollInterval: POLL_MS,
        // Jobs in progress may finish, however long that takes.
        gracefulShutdownAbortTimeout: LONGEST_MS,
        logger: new Logger(() => () => {}),
        taskList: Object.fromEntries(how.scopes.map((scope) => [taskOf(scope), processChunk])),
        crontab: '',
        // Called before each request for a job: the only place where it can wait.
        forbiddenFlags: () => how.hungry().then(() => null),
      });
      const ended = runner.promise.then(
        () => {},
        () => {},
      );
      const stop = async (): Promise<void> => {
        how.leaving.removeEventListener('abort', leave);
        leave();
        // Otherwise it would wait for replies to its last statements.
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

  /** The engine has separate connections, because it keeps some for long. */
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
    // Without these listeners the end of an idle connection would end the process.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    const end = pool.end.bind(pool);
    const drop = (): void => {
      for (const client of clients) destroy(client);
    };
    // The pool would wait without limit for a server that doesn't reply.
    const endInTime = async (): Promise<void> => {
      if (this.#db.isGivenUp) drop();
      const ended = new AbortController();
      await Promise.race([end().catch(() => {}), systemClock.sleep(this.#db.endMs, ended.signal)]);
      ended.abort();
      drop();
    };
    return Object.assign(pool, { end: endInTime, drop });
  }

  async #make(): Promise<void> {
    const { Logger, runMigrations } = await import('graphile-worker');
    const pgPool = await this.#openPool(1);
    try {
      // A role that may not create schemas is refused even if the schema exists, so the schema is checked first.
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

/** `end` waits at most as long as the end of a connection may take; `drop` closes all connections at once. */
type EnginePool = Pool & { readonly drop: () => void };

/** Connections of the engine: one listens, the others fetch and end jobs. */
const POOL = 4;
/** How soon a job without a notification is found. */
const POLL_MS = 1_000;
const LONGEST_MS = 2_147_483_647;

/** How soon a statement of the engine is repeated after its connection broke. */
const TRY_AGAIN_MS = 300;

/**
 * The engine ends the process when a connection breaks while it ends a job. Here its statements are repeated until there is a
 * reply: each is a whole transaction, and the sweep corrects the effect of a repeated one.
 * @returns after its abort, statements are no longer repeated
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
        // By the machine's clock, because the server's time does not depend on the run's clock.
        await systemClock.sleep(TRY_AGAIN_MS, closing.signal);
      }
    }
  };
  const lent = { query, release: () => {} };
  // With a callback the connection is for listening, which the engine restarts itself.
  const lend = (callback?: Parameters<typeof connect>[0]): unknown =>
    callback ? connect(callback) : Promise.resolve(lent);
  Object.assign(pool, { connect: lend });
  return closing;
}

/** The name of a connection's task: workers request only the jobs of their connections. */
function taskOf(scope: string): string {
  return `carry ${scope}`;
}

/** `taskOf` in SQL. */
export function taskSql(scope: string): string {
  return `'carry ' || ${scope}`;
}
