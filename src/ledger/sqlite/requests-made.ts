import type { Database } from './database.js';

interface Made {
  requests: number;
  retries: number;
}

const ADD = 'UPDATE runs SET requests = requests + ?, retries = retries + ? WHERE id = ?';

/** Requests begun within one transaction, added to their runs' sums once: each change of a run's line is a page. */
export class RequestsMade {
  readonly #db: Database;
  readonly #byRun = new Map<number, Made>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Call at the start of a transaction: what an undone one had counted didn't happen. */
  forget(): void {
    this.#byRun.clear();
  }

  add(run: number, isRetry: boolean): void {
    const made = this.#byRun.get(run) ?? { requests: 0, retries: 0 };
    this.#byRun.set(run, made);
    made.requests += 1;
    if (isRetry) made.retries += 1;
  }

  /** Call at the end of the transaction. */
  write(): void {
    for (const [run, { requests, retries }] of this.#byRun) this.#db.run(ADD, requests, retries, run);
    this.#byRun.clear();
  }
}
