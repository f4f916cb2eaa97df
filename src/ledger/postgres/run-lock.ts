import type { Clock } from '../../util/clock.js';
import { ownProcess } from '../../util/process-alive.js';
import type { LockAnswer, LockHolder } from '../contract/run-lock.js';
import { lockKey } from './connect.js';
import type { Database } from './database.js';
import { ledgerFailure } from './failures.js';
import type { Session } from './session.js';

const TRY_AGAIN_MS = 50;
/** How often and how long a loser looks for the winner's line, which is written right after the lock is had. */
const LOOK_EVERY_MS = 20;
const LOOKS = 15;

/** A lock that this process holds. */
interface Held {
  readonly job: string;
  readonly connection: string;
  readonly run: string;
  readonly key: string;
  readonly token: number;
}

/** By which an intent says that its process still has the lock of its run. */
export type LockToken = Pick<Held, 'job' | 'connection' | 'token'>;

const WRITE_HOLDER = `
INSERT INTO run_locks (job, connection, run, process, host, token) VALUES ($1, $2, $3, $4, $5, 1)
ON CONFLICT (job, connection) DO UPDATE SET run = $3, process = $4, host = $5, token = run_locks.token + 1
RETURNING token`;

const HOLDER = `SELECT run, process, host FROM run_locks WHERE job = $1 AND connection = $2`;

/**
 * Whether a session of this database has the lock with a key. The server tells keys as two halves without sign.
 */
const IS_TAKEN = `
SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND (classid::bigint << 32) | objid::bigint = $1::bigint`;

/**
 * The locks of this process, all on one session of their own: the server lets go of them when the session ends, so that a
 * process that died keeps nobody waiting. Where the session alone was lost, its locks are taken again, as long as nobody
 * else had them meanwhile: the token in the ledger tells.
 */
export class RunLocks {
  readonly #db: Database;
  readonly #schema: string;
  readonly #clock: Clock;
  readonly #held = new Map<string, Held>();
  /** Runs for which a lock is being asked for, by its key. */
  readonly #asking = new Map<string, string>();
  /** Had by somebody else meanwhile: their tokens hold no more, and that is what they are kept for. */
  readonly #lost = new Map<string, Held>();
  #session: Promise<Session> | undefined;
  readonly #over = new AbortController();

  constructor(db: Database, schema: string, clock: Clock) {
    this.#db = db;
    this.#schema = schema;
    this.#clock = clock;
  }

  async take(job: string, connection: string, run: string): Promise<LockAnswer> {
    const key = lockKey(['run', this.#schema, job, connection]);
    // The server would give it to the same session twice; of two that ask here at once, one has asked first.
    const own = this.#held.get(key)?.run ?? this.#asking.get(key);
    if (own !== undefined) return { kind: 'held', holder: { run: own, ...ownProcess() } };
    this.#asking.set(key, run);
    try {
      return await this.#ask(key, job, connection, run);
    } finally {
      this.#asking.delete(key);
    }
  }

  async #ask(key: string, job: string, connection: string, run: string): Promise<LockAnswer> {
    if (!(await this.#try(key))) return { kind: 'held', ...(await this.#named(job, connection)) };
    const place = ownProcess();
    const params = [job, connection, run, place.process, place.host];
    const written = this.#db.get<{ token: number }>(WRITE_HOLDER, params);
    const row = await written.catch(async (error: unknown) => {
      await this.#unlock(key);
      throw error;
    });
    const held: Held = { job, connection, run, key, token: row?.token ?? 0 };
    this.#held.set(key, held);
    this.#lost.delete(run);
    return { kind: 'taken', lock: { release: () => this.#release(held) } };
  }

  async holder(job: string, connection: string): Promise<LockHolder | undefined> {
    const key = lockKey(['run', this.#schema, job, connection]);
    if ((await this.#db.get(IS_TAKEN, [key])) === undefined) return undefined;
    return (await this.#named(job, connection)).holder;
  }

  /** The token of the lock under which this process carries a run, or did until it lost it; undefined when it had none. */
  token(run: string): LockToken | undefined {
    for (const held of this.#held.values()) if (held.run === run) return held;
    return this.#lost.get(run);
  }

  async close(): Promise<void> {
    this.#over.abort();
    this.#held.clear();
    await (await this.#session?.catch(() => undefined))?.close();
  }

  async #named(job: string, connection: string): Promise<{ readonly holder?: LockHolder }> {
    for (let look = 0; look < LOOKS; look += 1) {
      const holder = await this.#db.get<LockHolder>(HOLDER, [job, connection]);
      if (holder) return { holder };
      await this.#clock.sleep(LOOK_EVERY_MS, this.#over.signal);
    }
    return {};
  }

  async #release(held: Held): Promise<void> {
    if (this.#held.get(held.key) !== held) return;
    this.#held.delete(held.key);
    await this.#unlock(held.key);
  }

  async #try(key: string): Promise<boolean> {
    const sql = 'SELECT pg_try_advisory_lock($1::bigint) AS had';
    for (;;) {
      const session = await this.#connected();
      try {
        return (await session.rows<{ had: boolean }>(sql, [key]))[0]?.had === true;
      } catch (error) {
        // With the session went whatever it had got; the next one asks anew.
        if (!session.isBroken || this.#over.signal.aborted) {
          throw ledgerFailure(error, this.#db.location, 'write');
        }
      }
    }
  }

  async #unlock(key: string): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    await session?.query('SELECT pg_advisory_unlock($1::bigint)', [key]).catch(() => {});
  }

  #connected(): Promise<Session> {
    this.#session ??= this.#connect();
    return this.#session;
  }

  async #connect(): Promise<Session> {
    try {
      const session = await this.#db.ownSession();
      session.onEnd(() => {
        this.#session = undefined;
        if (!this.#over.signal.aborted && this.#held.size > 0) void this.#regain();
      });
      return session;
    } catch (error) {
      this.#session = undefined;
      throw error;
    }
  }

  /** Until all are had again, or lost for good. Meanwhile the token keeps what leaves from leaving twice. */
  async #regain(): Promise<void> {
    for (const held of [...this.#held.values()]) {
      while (this.#held.get(held.key) === held && !(await this.#regained(held))) {
        if (!(await this.#clock.sleep(TRY_AGAIN_MS, this.#over.signal))) return;
      }
    }
  }

  /** Whether it is known what became of a lock. */
  async #regained(held: Held): Promise<boolean> {
    try {
      const sql = 'SELECT token FROM run_locks WHERE job = $1 AND connection = $2';
      // The server may not have noticed yet that the lost session is gone.
      const had = await this.#try(held.key);
      const row = await this.#db.get<{ token: number }>(sql, [held.job, held.connection]);
      if (row?.token === held.token) return had;
      if (had) await this.#unlock(held.key);
      if (this.#held.get(held.key) === held) {
        this.#held.delete(held.key);
        this.#lost.set(held.run, held);
      }
      return true;
    } catch {
      return false;
    }
  }
}
