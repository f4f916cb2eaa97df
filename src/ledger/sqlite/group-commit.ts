import { ProductError } from '../../errors/product-error.js';
import type { Database } from './database.js';
import { isBusy, isConstraint, isFull, ledgerFailure } from './failures.js';

/** What follows behind the writes, in a transaction of its own. */
export interface Behind {
  /** So much has gathered that it should be carried out. */
  readonly isDue: boolean;
  /** Whether anything has gathered, of this process or another. */
  readonly isNeeded: boolean;
  /** Carries out what is due; with `all`, all that is needed before anybody may read. */
  carry(all: boolean): void;
}

interface Waiting {
  /** Runs inside the transaction; gives what the caller gets once it is committed. */
  readonly work: () => unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers the writes asked for within one turn of the event loop and carries them in one transaction: a commit costs
 * a disk flush however many share it. A caller hears of success only after COMMIT has returned.
 */
export class GroupCommit {
  readonly #db: Database;
  readonly #behind: Behind;
  #waiting: Waiting[] = [];
  #scheduled = false;
  /** Set when the disk or the file failed: what SQLite still believes of it can't be trusted any more. */
  #broken: ProductError | undefined;
  #closed = false;

  constructor(db: Database, behind: Behind) {
    this.#db = db;
    this.#behind = behind;
  }

  add<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject });
      if (this.#scheduled) return;
      this.#scheduled = true;
      setImmediate(() => this.flush());
    });
  }

  /** Carries out at once what is waiting. */
  flush(): void {
    this.#scheduled = false;
    const group = this.#waiting;
    this.#waiting = [];
    if (group.length === 0) return;
    this.#commit(group);
    // First the requests whose intents are durable now, then what nobody waits for.
    if (this.#behind.isDue) setImmediate(() => this.#carryBehind());
  }

  /**
   * Before anybody reads: all that was asked for is written, and the tables tell all. A disk that takes nothing any
   * more must not keep a run from telling what it did: then the tables are brought up to date in memory alone.
   */
  catchUp(): void {
    this.flush();
    if (!this.#db.read(() => this.#behind.isNeeded)) return;
    const all = (): void => this.#behind.carry(true);
    try {
      this.#db.write(all);
    } catch (failed) {
      try {
        this.#db.pretend(all);
      } catch {
        throw failed;
      }
    }
  }

  #carryBehind(): void {
    if (!this.#behind.isDue || this.#broken || this.#closed) return;
    try {
      this.#db.transaction(() => this.#behind.carry(false));
    } catch {
      // Nothing is lost: it is done again after the next commit, or before the next reading, which tells what is wrong.
    }
  }

  /** Nothing is written behind any more. */
  close(): void {
    this.flush();
    this.#closed = true;
  }

  #commit(group: readonly Waiting[]): void {
    try {
      if (this.#broken) throw this.#broken;
      const results = this.#db.transaction(() => group.map((it) => it.work()));
      group.forEach((it, index) => {
        it.resolve(results[index] as never);
      });
    } catch (error) {
      // One call that may not be carried out must not take the others down: each gets its own transaction.
      if (group.length > 1 && (isConstraint(error) || (error instanceof ProductError && !this.#broken))) {
        for (const it of group) this.#commit([it]);
        return;
      }
      const failure = ledgerFailure(error, this.#db.location, 'write');
      if (!(error instanceof ProductError) && !isBusy(error) && !isFull(error) && !isConstraint(error)) {
        this.#broken ??= failure;
      }
      for (const it of group) it.reject(failure);
    }
  }
}
