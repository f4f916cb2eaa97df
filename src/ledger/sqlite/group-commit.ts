import { ProductError } from '../../errors/product-error.js';
import type { Database } from './database.js';
import { isBusy, isConstraint, isFull, ledgerFailure } from './failures.js';
import type { RequestsMade } from './requests-made.js';

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
  readonly #made: RequestsMade;
  #waiting: Waiting[] = [];
  #scheduled = false;
  /** Set when the disk or the file failed: what SQLite still believes of it can't be trusted any more. */
  #broken: ProductError | undefined;

  /** @param made by the writes of one transaction; added up at its end */
  constructor(db: Database, made: RequestsMade) {
    this.#db = db;
    this.#made = made;
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
    if (group.length > 0) this.#commit(group);
  }

  #commit(group: readonly Waiting[]): void {
    try {
      if (this.#broken) throw this.#broken;
      const results = this.#db.transaction(() => {
        this.#made.forget();
        const done = group.map((it) => it.work());
        this.#made.write();
        return done;
      });
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
