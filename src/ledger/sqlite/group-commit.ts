import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { type Clock, systemClock } from '../../util/clock.js';
import { ledgerPatienceMs } from '../../util/ledger-address.js';
import { IncompressibleLine } from './attempt-compaction.js';
import type { Database } from './database.js';
import { isBusy, isConstraint, isFull, ledgerFailure } from './failures.js';

/*
 * What a run writes while it sends, and when.
 *
 * - The intent is committed before a request is sent, the end after its reply. Both share the transaction of all writes
 *   requested in the same turn of the event loop (`add`).
 * - All other work is deferred (`DeferredWork`): compacting the journal into the tables that are read
 *   (attempt-journal.ts), and claiming the keys of the next batches (prefetched-claims.ts). It runs in a separate
 *   transaction when enough has accumulated, and before any read (`catchUp`).
 * - The next batches to be sent are read without deferred work if none of it concerns them (execution.ts).
 */

/** Work that follows from the writes, done later in a separate transaction. */
interface DeferredWork {
  /** Enough has accumulated to run it. */
  readonly isDue: boolean;
  /** Anything has accumulated, of this process or another. */
  readonly isNeeded: boolean;
  /** `all`: everything that is needed before a read. */
  run(what: 'due' | 'all'): void;
}

interface Waiting {
  /** Runs inside the transaction; returns the caller's result after the commit. */
  readonly work: () => unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
  readonly patient: boolean;
  /** Something is sent once it is committed. */
  readonly sends: boolean;
}

/** How many groups may wait for the disk at once; later writes wait for the next group. */
const SYNCS = 2;
/** Interval of retries of patient writes while another process has locked the ledger or the disk is full. */
const AGAIN_EVERY_MS = 250;
/** A retry hardly waits for the other process, because the event loop must still receive replies. */
const AGAIN_BUSY_MS = 10;

/**
 * Collects the writes requested within one turn of the event loop, or while the disk is busy with earlier ones, into one
 * transaction, because a commit costs a disk flush for any number of writes. The event loop doesn't wait for a slow disk.
 * A caller's promise resolves only when its commit is on disk.
 */
export class GroupCommit {
  readonly #db: Database;
  readonly #deferred: DeferredWork;
  #waiting: Waiting[] = [];
  readonly #clock: Clock;
  readonly #note: (note: Message) => unknown;
  /** Since when the ledger has refused writes. All patient writes share one wait time. */
  #refusedSince: number | undefined;
  #scheduled = false;
  readonly #syncing = new Set<Promise<void>>();
  #triesAgain = false;
  #closed = false;

  /** @param note called once when the ledger refuses writes and is waited for */
  constructor(
    db: Database,
    deferred: DeferredWork,
    clock: Clock = systemClock,
    note: (note: Message) => unknown = () => {},
  ) {
    this.#db = db;
    this.#deferred = deferred;
    this.#clock = clock;
    this.#note = note;
  }

  /**
   * @param patient may be retried for a while if the ledger refuses writes
   * @param sends a request is sent after the commit
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

  /** Writes at once what is waiting. It can be read then; its callers' promises resolve when it is on disk. */
  flush(): void {
    this.#scheduled = false;
    const group = this.#waiting;
    this.#waiting = [];
    if (group.length === 0) return;
    if (this.#refusedSince !== undefined) this.#db.waitingFor(AGAIN_BUSY_MS, () => this.#commit(group));
    else this.#commit(group);
    // While the disk is busy there is time for deferred work.
    if (this.#waiting.length === 0 && this.#deferred.isDue) setImmediate(() => this.#runDue());
  }

  /**
   * Called before a read: writes everything that is waiting and brings the tables up to date. A full disk must not prevent a
   * run from reporting what it did: then the tables are brought up to date in memory only.
   */
  catchUp(): void {
    this.flush();
    if (!this.#db.read(() => this.#deferred.isNeeded)) return;
    const all = (): void => this.#deferred.run('all');
    try {
      this.#transaction(all);
    } catch (error) {
      try {
        again(() => this.#db.readWithRollback(all));
      } catch {
        throw ledgerFailure(error, this.#db.location, 'write');
      }
    }
  }

  /** A write that depends on the tables, which are brought up to date in its transaction. */
  write<T>(work: () => T): T {
    this.flush();
    try {
      return this.#transaction(() => {
        if (this.#deferred.isNeeded) this.#deferred.run('all');
        this.#db.refuseClosed();
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
      // No caller waits for it. After a power failure it runs again.
      again(() => this.#db.unsyncedTransaction(() => this.#deferred.run('due')));
    } catch {
      // Nothing is lost: it runs again after the next commit, or before the next read, which reports the error.
    }
  }

  /** Resolves when all requested writes are on disk or were rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    this.flush();
    await Promise.all(this.#syncing);
  }

  /** Rejects intents if the ledger's file was removed or replaced. Ends of attempts are still written to the open file. */
  #refuseSending(group: readonly Waiting[]): readonly Waiting[] {
    if (!group.some((write) => write.sends)) return group;
    try {
      this.#db.checkFile();
      return group;
    } catch (error) {
      for (const write of group) if (write.sends) write.reject(error);
      return group.filter((write) => !write.sends);
    }
  }

  #commit(waiting: readonly Waiting[]): void {
    const group = this.#refuseSending(waiting);
    if (group.length === 0) return;
    try {
      const all = (): unknown[] => {
        if (group.some((write) => write.sends)) this.#db.refuseClosed('safety');
        return group.map((write) => write.work());
      };
      const results = again(() => this.#db.unsyncedTransaction(all));
      this.#refusedSince = undefined;
      const syncing = this.#sync(group, results).finally(() => {
        this.#syncing.delete(syncing);
        if (this.#waiting.length > 0) this.#schedule();
      });
      this.#syncing.add(syncing);
    } catch (error) {
      // One refused call must not make the others fail: each gets its own transaction.
      if (group.length > 1 && (isConstraint(error) || error instanceof ProductError)) {
        for (const write of group) this.#commit([write]);
        return;
      }
      const failure = ledgerFailure(error, this.#db.location, 'write');
      const isTemporary = isBusy(error) || isFull(error);
      for (const write of group)
        if (!isTemporary || !this.#retryLater(write, failure.detail)) write.reject(failure);
    }
  }

  /** False when the write is not patient or the wait time is exceeded. */
  #retryLater(write: Waiting, why: Message): boolean {
    if (!write.patient || this.#closed) return false;
    const now = this.#clock.monotonic();
    const patienceMs = ledgerPatienceMs();
    if (this.#refusedSince === undefined)
      this.#note(message('ledger.waits_to_write', { why, seconds: Math.ceil(patienceMs / 1000) }));
    this.#refusedSince ??= now;
    if (now >= this.#refusedSince + patienceMs) return false;
    this.#waiting.push(write);
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
      for (const write of group) write.reject(failure);
      return;
    }
    group.forEach((write, index) => {
      write.resolve(results[index] as never);
    });
  }
}

/** A compaction that failed at a line sets that line aside when it is started again. */
function again<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof IncompressibleLine) return work();
    throw error;
  }
}
