import { LedgerClosed } from '../ledger-errors.js';
import { KnownRuns, type RunNumber } from '../store/ids.js';
import { ERASED_TABLES } from '../store/prune.js';
import type { StoreRunner } from '../store/runner.js';
import type { Store } from '../store/statement.js';
import type { Database } from './database.js';
import { executeStore } from './execute-store.js';
import { type HeldLock, requireLock } from './run-lock.js';
import type { Queryable } from './transaction.js';

type UnderLock = <T>(whole: string, work: (tx: Queryable) => Promise<T>) => Promise<T>;

/** Executes store methods asynchronously, on a session of the server. */
export class PostgresRunner implements StoreRunner {
  readonly runs: KnownRuns;
  readonly #db: Database;
  readonly #underLock: UnderLock;

  /** @param underLock runs a transaction that fails if this process has lost the lock of the run */
  constructor(
    db: Database,
    runs = new KnownRuns(db.location),
    underLock: UnderLock = (_, work) => db.transaction(work),
  ) {
    this.runs = runs;
    this.#db = db;
    this.#underLock = underLock;
  }

  read<T>(work: () => Store<T>, how?: 'outcomes' | 'snapshot'): Promise<T> {
    return how === 'snapshot'
      ? this.#db.snapshot((tx) => executeStore(tx, work()))
      : executeStore(this.#db, work());
  }

  write<T>(work: () => Store<T>, how?: 'first' | 'outcomes' | 'even closed', whole?: string): Promise<T> {
    const all = (tx: Queryable): Promise<T> => executeStore(tx, work());
    if (whole !== undefined) return this.#underLock(whole, all);
    if (how !== 'even closed') return this.#db.transaction(all);
    return this.#db.transaction(
      async (tx) => {
        // Every transaction that checks whether the ledger is closed has written to this table, so this lock waits for all.
        await tx.run('LOCK TABLE commits IN SHARE MODE');
        return all(tx);
      },
      { closed: 'written' },
    );
  }

  async writeRun<T>(run: string, work: (at: RunNumber) => Store<T>): Promise<T> {
    const at = await executeStore(this.#db, this.runs.of(run));
    return this.write(() => work(at), undefined, at.whole ?? run);
  }

  /** A transaction of a server is durable when it resolves. */
  async flushed(): Promise<void> {}

  async erase(work: () => Promise<number>, isUrgent: boolean): Promise<number> {
    const erased = await work();
    if (erased > 0 && isUrgent) {
      // A separate session, because no transaction may be open.
      const session = await this.#db.ownSession();
      await session.query(`VACUUM ${ERASED_TABLES.join(', ')}`).finally(() => session.close());
    }
    return erased;
  }

  async writeUnlessBusy(work: () => Store<unknown>): Promise<void> {
    await this.write(work).catch((error: unknown) => {
      if (!(error instanceof LedgerClosed)) throw error;
    });
  }
}

/** `KnownRuns` for code outside store methods. */
export class RunNumbers {
  readonly known: KnownRuns;
  /** The lock that this process acquired for a run, if any. */
  readonly lock: (run: string) => HeldLock | undefined;
  readonly #db: Database;

  constructor(db: Database, lock: (run: string) => HeldLock | undefined = () => undefined) {
    this.known = new KnownRuns(db.location);
    this.#db = db;
    this.lock = lock;
  }

  /**
   * A transaction that writes to a run.
   * @throws LockLost when this process has lost the lock of the run, or of its whole run
   */
  async write<T>(run: string, work: (tx: Queryable, at: RunNumber) => Promise<T>): Promise<T> {
    const at = await this.of(run);
    return this.underLock(at.whole ?? run, (tx) => work(tx, at));
  }

  /** @param whole the run that is locked */
  underLock<T>(whole: string, work: (tx: Queryable) => Promise<T>): Promise<T> {
    const lock = this.lock(whole);
    return this.#db.transaction(async (tx) => {
      await requireLock(tx, lock);
      return work(tx);
    });
  }

  of(run: string): Promise<RunNumber> {
    return executeStore(this.#db, this.known.of(run));
  }

  relatedScopes(run: RunNumber): Promise<readonly number[]> {
    return executeStore(this.#db, this.known.relatedScopes(run));
  }

  name(number: number): Promise<string> {
    return executeStore(this.#db, this.known.name(number));
  }
}
