import { ProductError } from '../../errors/product-error.js';
import { type Clock, systemClock } from '../../util/clock.js';
import { UnfoldableLine } from './attempt-fold.js';
import type { Database } from './database.js';
import { isBusy, isConstraint, isFull, ledgerFailure } from './failures.js';

/*
 * What a run writes while it sends, and when.
 *
 * - Before a request leaves, its intent is committed; after its reply, what came of it. Both share the transaction of
 *   all that was asked for in the same turn of the event loop (`add`).
 * - Whatever else follows from them is deferred (`DeferredWork`): bringing what was appended into the tables that are
 *   read (attempt-journal.ts), and claiming the keys of the next batches (claims-ahead.ts). It is carried out in a
 *   transaction of its own when enough has gathered, and before anybody reads (`catchUp`).
 * - The next batches to be sent are read without that where nothing deferred is about them (pending.ts).
 */

/** What follows from the writes, done later in a transaction of its own. */
interface DeferredWork {
  /** So much has gathered that it should be carried out. */
  readonly isDue: boolean;
  /** Whether anything has gathered, of this process or another. */
  readonly isNeeded: boolean;
  /** `all`: what is needed before anybody may read. */
  run(what: 'due' | 'all'): void;
}

interface Waiting {
  /** Runs inside the transaction; gives what the caller gets once it is committed. */
  readonly work: () => unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
  readonly patient: boolean;
  /** Something is sent once it is committed. */
  readonly sends: boolean;
  /** Until when it is tried again, once the ledger didn't take it. */
  until?: number;
}

/** How many groups may wait for the disk at once; what is asked for meanwhile gathers for the next one. */
const SYNCS = 2;
/** How long, and how often, what is patient is tried again while the ledger is held by another or the disk is full. */
const PATIENCE_MS = 60_000;
const AGAIN_EVERY_MS = 250;
/** Such a try doesn't wait for the other: replies must be heard meanwhile. */
const AGAIN_BUSY_MS = 10;

/**
 * Gathers the writes asked for within one turn of the event loop, or while the disk is busy with those before, and
 * carries them in one transaction: a commit costs a disk flush however many share it. The event loop doesn't wait for
 * a slow disk (disk-flush.ts). A caller hears of success only once its commit is on disk.
 */
export class GroupCommit {
  readonly #db: Database;
  readonly #deferred: DeferredWork;
  #waiting: Waiting[] = [];
  readonly #clock: Clock;
  #scheduled = false;
  readonly #syncing = new Set<Promise<void>>();
  #triesAgain = false;
  #closed = false;

  constructor(db: Database, deferred: DeferredWork, clock: Clock = systemClock) {
    this.#db = db;
    this.#deferred = deferred;
    this.#clock = clock;
  }

  /**
   * @param patient safe to be tried again for a while where the ledger takes nothing just now. Whatever else is asked
   * for meanwhile goes in the same transaction, or not at all.
   */
  add<T>(
    work: () => T,
    { patient = false, sends = false }: { readonly patient?: boolean; readonly sends?: boolean } = {},
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject, patient, sends });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#syncing.size >= SYNCS) return;
    this.#scheduled = true;
    setImmediate(() => this.flush());
  }

  /** Carries out at once what is waiting: it can be read, and its callers hear of it once it is on disk. */
  flush(): void {
    this.#scheduled = false;
    const group = this.#waiting;
    this.#waiting = [];
    if (group.length === 0) return;
    if (group.some((it) => it.until !== undefined))
      this.#db.waitingFor(AGAIN_BUSY_MS, () => this.#commit(group));
    else this.#commit(group);
    // While the disk is busy there is time for what nobody waits for.
    if (this.#waiting.length === 0 && this.#deferred.isDue) setImmediate(() => this.#runDue());
  }

  /**
   * Before anybody reads: all that was asked for is written, and the tables tell all. A disk that takes nothing any
   * more must not keep a run from telling what it did: then the tables are brought up to date in memory alone.
   */
  catchUp(): void {
    this.flush();
    if (!this.#db.read(() => this.#deferred.isNeeded)) return;
    const all = (): void => this.#deferred.run('all');
    try {
      this.#transaction(all);
    } catch (failed) {
      try {
        again(() => this.#db.pretend(all));
      } catch {
        throw ledgerFailure(failed, this.#db.location, 'write');
      }
    }
  }

  /** A write that goes by what the tables tell: they are brought up to date in its own transaction. */
  write<T>(work: () => T): T {
    this.flush();
    try {
      return this.#transaction(() => {
        if (this.#deferred.isNeeded) this.#deferred.run('all');
        return work();
      });
    } catch (error) {
      throw ledgerFailure(error, this.#db.location, 'write');
    }
  }

  #transaction<T>(work: () => T): T {
    return again(() => this.#db.transaction(work));
  }

  #runDue(): void {
    if (!this.#deferred.isDue || this.#closed) return;
    try {
      // Nobody waits for it: without power it would have been never begun.
      again(() => this.#db.unsyncedTransaction(() => this.#deferred.run('due')));
    } catch {
      // Nothing is lost: it is done again after the next commit, or before the next reading, which tells what is wrong.
    }
  }

  /** Nothing is written behind any more; all that was asked for is on disk, or was refused. */
  async close(): Promise<void> {
    this.#closed = true;
    this.flush();
    await Promise.all(this.#syncing);
  }

  /** Nothing may be sent by a ledger whose file was removed or replaced; what was sent is written to what is open. */
  #refuseSending(group: readonly Waiting[]): readonly Waiting[] {
    if (!group.some((it) => it.sends)) return group;
    try {
      this.#db.checkFile();
      return group;
    } catch (error) {
      for (const it of group) if (it.sends) it.reject(error);
      return group.filter((it) => !it.sends);
    }
  }

  #commit(asked: readonly Waiting[]): void {
    const group = this.#refuseSending(asked);
    if (group.length === 0) return;
    try {
      const results = again(() => this.#db.unsyncedTransaction(() => group.map((it) => it.work())));
      const syncing = this.#sync(group, results).finally(() => {
        this.#syncing.delete(syncing);
        if (this.#waiting.length > 0) this.#schedule();
      });
      this.#syncing.add(syncing);
    } catch (error) {
      // One call that may not be carried out must not take the others down: each gets its own transaction.
      if (group.length > 1 && (isConstraint(error) || error instanceof ProductError)) {
        for (const it of group) this.#commit([it]);
        return;
      }
      const failure = ledgerFailure(error, this.#db.location, 'write');
      const passing = isBusy(error) || isFull(error);
      for (const it of group) if (!passing || !this.#keep(it)) it.reject(failure);
    }
  }

  /** False when it has waited for long enough. */
  #keep(it: Waiting): boolean {
    const now = this.#clock.monotonic();
    it.until ??= now + PATIENCE_MS;
    if (!it.patient || this.#closed || now >= it.until) return false;
    this.#waiting.push(it);
    if (!this.#triesAgain) {
      this.#triesAgain = true;
      void this.#clock.sleep(AGAIN_EVERY_MS).then(() => {
        this.#triesAgain = false;
        this.flush();
      });
    }
    return true;
  }

  async #sync(group: readonly Waiting[], results: readonly unknown[]): Promise<void> {
    try {
      await this.#db.synced();
    } catch (error) {
      const failure = ledgerFailure(error, this.#db.location, 'write');
      for (const it of group) it.reject(failure);
      return;
    }
    group.forEach((it, index) => {
      it.resolve(results[index] as never);
    });
  }
}

/** A fold that met a line that it can't fold sets it aside when it is begun again. */
function again<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnfoldableLine) return work();
    throw error;
  }
}
