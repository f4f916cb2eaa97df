import { createHash } from 'node:crypto';
import type { Clock } from '../../util/clock.js';
import { ownProcess } from '../../util/process.js';
import type { LockAnswer, LockHolder } from '../contract/run-lock.js';
import { LockLost } from '../rules/run-states.js';
import type { Database } from './database.js';
import { ledgerFailure } from './failures.js';
import type { Session } from './session.js';
import type { Queryable } from './transaction.js';

const TRY_AGAIN_MS = 50;
/** How often and how long to look for the row of another holder, which is written right after its lock is acquired. */
const LOOK_EVERY_MS = 20;
const LOOKS = 15;

/** A lock acquired by this process. */
export interface HeldLock {
  readonly job: string;
  readonly connection: string;
  readonly run: string;
  readonly key: string;
  /** Incremented by every acquisition, so it proves that no other process has taken the lock since. */
  readonly token: number;
  /** Another process has taken it. Its owner must learn of that before this process may take it again. */
  isLost: boolean;
}

const WRITE_HOLDER = `
INSERT INTO run_locks (job, connection, run, process, host, token) VALUES ($1, $2, $3, $4, $5, 1)
ON CONFLICT (job, connection) DO UPDATE SET run = $3, process = $4, host = $5, token = run_locks.token + 1
RETURNING token`;

const HOLDER = `SELECT run, process, host FROM run_locks WHERE job = $1 AND connection = $2`;

/** Whether a session of this database has the lock with a key. The server shows keys as two unsigned halves. */
const IS_TAKEN = `
SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND (classid::bigint << 32) | objid::bigint = $1::bigint`;

/**
 * Begins every transaction in which the owner of a run's lock writes. A takeover waits for the transaction or was before it.
 * A process that was suspended for long may not know of a takeover.
 * @throws LockLost when another process has taken the lock since
 */
export async function requireLock(tx: Queryable, held: HeldLock | undefined): Promise<void> {
  if (held && !(await tx.get(STILL_HELD, [held.job, held.connection, held.token])))
    throw new LockLost(held.run);
}

const STILL_HELD = 'SELECT 1 FROM run_locks WHERE job = $1 AND connection = $2 AND token = $3 FOR SHARE';

/**
 * The locks of this process, all on one separate session. The server releases them when the session ends, so a process that
 * died blocks no other. If only the session was lost, the locks are acquired again, unless another process had them in
 * between, which the token in the ledger shows.
 */
export class RunLocks {
  readonly #db: Database;
  readonly #schema: string;
  readonly #clock: Clock;
  /** By key, from acquisition until their owners release them. */
  readonly #held = new Map<string, HeldLock>();
  /** Runs for which a lock is being requested, by key. */
  readonly #requested = new Map<string, string>();
  #session: Promise<Session> | undefined;
  readonly #over = new AbortController();

  constructor(db: Database, schema: string, clock: Clock) {
    this.#db = db;
    this.#schema = schema;
    this.#clock = clock;
  }

  async take(job: string, connection: string, run: string): Promise<LockAnswer> {
    const key = lockKey(['run', this.#schema, job, connection]);
    // The server would grant it to the same session twice, so requests within this process are decided here.
    const holder = this.#held.get(key)?.run ?? this.#requested.get(key);
    if (holder !== undefined) return { kind: 'held', holder: { run: holder, ...ownProcess() } };
    this.#requested.set(key, run);
    try {
      return await this.#ask(key, job, connection, run);
    } finally {
      this.#requested.delete(key);
    }
  }

  async #ask(key: string, job: string, connection: string, run: string): Promise<LockAnswer> {
    if (!(await this.#try(key))) return { kind: 'held', ...(await this.#named(job, connection)) };
    const { process, host } = ownProcess();
    const params = [job, connection, run, process, host];
    const written = this.#db.get<{ token: number }>(WRITE_HOLDER, params);
    const row = await written.catch(async (error: unknown) => {
      await this.#unlock(key);
      throw error;
    });
    const held: HeldLock = { job, connection, run, key, token: row?.token ?? 0, isLost: false };
    this.#held.set(key, held);
    return { kind: 'taken', lock: { release: () => this.#release(held) } };
  }

  async holder(job: string, connection: string): Promise<LockHolder | undefined> {
    const key = lockKey(['run', this.#schema, job, connection]);
    if ((await this.#db.get(IS_TAKEN, [key])) === undefined) return undefined;
    return (await this.#named(job, connection)).holder;
  }

  /** The lock that this process took for a run and did not release, even if it was lost since. */
  of(run: string): HeldLock | undefined {
    return [...this.#held.values()].find((held) => held.run === run);
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

  async #release(held: HeldLock): Promise<void> {
    if (this.#held.get(held.key) !== held) return;
    this.#held.delete(held.key);
    if (!held.isLost) await this.#unlock(held.key);
  }

  async #try(key: string): Promise<boolean> {
    const sql = 'SELECT pg_try_advisory_lock($1::bigint) AS had';
    for (;;) {
      const session = await this.#connected();
      try {
        return (await session.rows<{ had: boolean }>(sql, [key]))[0]?.had === true;
      } catch (error) {
        // The lost session's locks were released with it; the next one tries again.
        if (!session.isBroken || this.#over.signal.aborted)
          throw ledgerFailure(error, this.#db.location, 'write');
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

  /** Runs until all locks are acquired again or lost permanently. Until then the token protects what is sent and written. */
  async #regain(): Promise<void> {
    for (const held of [...this.#held.values()]) {
      while (this.#held.get(held.key) === held && !held.isLost && !(await this.#regained(held))) {
        if (!(await this.#clock.sleep(TRY_AGAIN_MS, this.#over.signal))) return;
      }
    }
  }

  /** True when the lock was acquired again or is known to be lost. */
  async #regained(held: HeldLock): Promise<boolean> {
    try {
      const sql = 'SELECT token FROM run_locks WHERE job = $1 AND connection = $2';
      // The server may not have noticed yet that the lost session has ended.
      const had = await this.#try(held.key);
      const row = await this.#db.get<{ token: number }>(sql, [held.job, held.connection]);
      if (row?.token === held.token) return had;
      if (had) await this.#unlock(held.key);
      held.isLost = true;
      return true;
    } catch {
      return false;
    }
  }
}

/** A number for the server's advisory locks; as text, because it may use all bits of an int8. */
export function lockKey(about: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify(['license-sync', ...about]))
    .digest()
    .readBigInt64BE()
    .toString();
}
