import { KnownRuns, type RunNumber } from '../store/ids.js';
import type { StoreRunner } from '../store/runner.js';
import type { Store } from '../store/statement.js';
import type { Database } from './database.js';
import { executeStore } from './execute-store.js';
import type { GroupCommit } from './group-commit.js';

/** Executes store methods synchronously: no other work of this process runs between their statements. */
export class SqliteRunner implements StoreRunner {
  readonly runs: KnownRuns;
  readonly #db: Database;
  readonly #group: GroupCommit | undefined;

  /** @param group absent if no data is read that attempts write */
  constructor(db: Database, runs = new KnownRuns(db.location), group?: GroupCommit) {
    this.runs = runs;
    this.#db = db;
    this.#group = group;
  }

  async read<T>(work: () => Store<T>, how?: 'outcomes' | 'snapshot'): Promise<T> {
    if (how) this.#group?.catchUp();
    return this.#db.read(() => executeStore(this.#db, work()));
  }

  async write<T>(work: () => Store<T>, how?: 'first' | 'outcomes' | 'even closed'): Promise<T> {
    return this.#write(work, how);
  }

  #write<T>(work: () => Store<T>, how?: 'first' | 'outcomes' | 'even closed' | 'unsynced' | 'scratch'): T {
    const all = (): T => executeStore(this.#db, work());
    if (how === 'unsynced') return this.#db.unsyncedWrite(all);
    if (how === 'scratch') return this.#db.read(all);
    if (how === undefined) return this.#db.write(all);
    if (how === 'outcomes' && this.#group) return this.#group.write(all);
    return this.#db.firstWrite(all, how === 'even closed');
  }

  async writeRun<T>(
    run: string,
    work: (at: RunNumber) => Store<T>,
    how?: 'outcomes' | 'unsynced' | 'scratch',
  ): Promise<T> {
    const { runs } = this;
    return this.#write(function* () {
      return yield* work(yield* runs.of(run));
    }, how);
  }

  flushed(): Promise<void> {
    return this.#db.flushed();
  }

  async erase(work: () => Promise<number>): Promise<number> {
    this.#db.exec('PRAGMA secure_delete = ON');
    try {
      return await work();
    } finally {
      this.#db.exec('PRAGMA secure_delete = OFF');
      this.#db.pragma('wal_checkpoint(TRUNCATE)');
    }
  }

  async writeUnlessBusy(work: () => Store<unknown>): Promise<void> {
    this.#db.unlessBusy(() => executeStore(this.#db, work()));
  }
}

/** `KnownRuns` for code outside store methods. */
export class RunNumbers {
  readonly known: KnownRuns;
  readonly #db: Database;

  constructor(db: Database) {
    this.known = new KnownRuns(db.location);
    this.#db = db;
  }

  of(run: string): RunNumber {
    return executeStore(this.#db, this.known.of(run));
  }

  relatedScopes(run: RunNumber): readonly number[] {
    return executeStore(this.#db, this.known.relatedScopes(run));
  }

  name(number: number): string {
    return executeStore(this.#db, this.known.name(number));
  }
}
