import type { Clock } from '../../util/clock.js';
import type { KnownRuns, RunNumber } from './ids.js';
import type { Store } from './statement.js';

/** Executes the methods of stores. */
export interface StoreRunner {
  readonly runs: KnownRuns;
  /**
   * Statements that change nothing. On a server they are separate: other processes may write in between.
   * @param how `outcomes`: the tables contain all ends of attempts (group-commit.ts). `snapshot`: also, all statements see the
   * same state of the ledger.
   */
  read<T>(work: () => Store<T>, how?: 'outcomes' | 'snapshot'): Promise<T>;
  /**
   * Commits all of `work` or nothing; durable when it resolves. On a server it may be executed several times.
   * @param how `first`: before anything is sent, so that a ledger locked by another program is a usage error. `outcomes`: as for
   * `read`. `even closed`: also in a closed ledger, after all writing transactions have ended.
   * @param whole the whole run whose lock protects the write
   * @throws LockLost on a server: another process has taken that lock from this one
   */
  write<T>(work: () => Store<T>, how?: 'first' | 'outcomes' | 'even closed', whole?: string): Promise<T>;
  /**
   * A write to a run or a step run.
   * @param how `unsynced`: in a file a power failure may lose it until `flushed` has resolved. For data that is created again
   * unless its presence was reported. `scratch`: only temporary tables change.
   */
  writeRun<T>(
    run: string,
    work: (at: RunNumber) => Store<T>,
    how?: 'outcomes' | 'unsynced' | 'scratch',
  ): Promise<T>;
  /** Resolves when all unsynced writes before the call are durable. */
  flushed(): Promise<void>;
  /**
   * Deletes data so that nothing of it stays in free pages, in a log or in the files of tables.
   * @param work resolves to the number of runs whose data it deleted
   * @param isUrgent false: a server may free the space later
   */
  erase(work: () => Promise<number>, isUrgent: boolean): Promise<number>;
  /** Skipped if another program is writing, or if the ledger is closed. */
  writeUnlessBusy(work: () => Store<unknown>): Promise<void>;
}

/** A store, whose methods a runner executes. */
export class SqlStore {
  protected readonly db: StoreRunner;

  constructor(db: StoreRunner) {
    this.db = db;
  }

  protected async numberOf(run: string): Promise<number> {
    return (await this.db.read(() => this.db.runs.of(run))).number;
  }

  /** @param how as for `StoreRunner.read` */
  protected readRun<T>(
    run: string,
    work: (number: number) => Store<T>,
    how?: 'outcomes' | 'snapshot',
  ): Promise<T> {
    const { runs } = this.db;
    return this.db.read(function* () {
      return yield* work((yield* runs.of(run)).number);
    }, how);
  }
}

export class ClockedSqlStore extends SqlStore {
  protected readonly clock: Clock;

  constructor(db: StoreRunner, clock: Clock) {
    super(db);
    this.clock = clock;
  }
}
