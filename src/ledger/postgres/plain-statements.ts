import type { PlainStatement, PlainStatements } from '../shared/plain-statements.js';
import type { Database } from './database.js';

export class PostgresStatements implements PlainStatements {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  all<T>(...statement: PlainStatement): Promise<readonly T[]> {
    return this.#db.all<T>(...statement);
  }

  get<T>(...statement: PlainStatement): Promise<T | undefined> {
    return this.#db.get<T>(...statement);
  }

  run(...statement: PlainStatement): Promise<number> {
    return this.#db.run(...statement);
  }

  runFirst(...statement: PlainStatement): Promise<number> {
    return this.#db.run(...statement);
  }

  async runUnlessBusy(...statement: PlainStatement): Promise<void> {
    await this.#db.run(...statement);
  }

  together<T>(first: PlainStatement, others: readonly PlainStatement[]): Promise<readonly T[]> {
    return this.#db.transaction(async (tx) => {
      const found = await tx.all<T>(...first);
      for (const it of others) await tx.run(...it);
      return found;
    });
  }
}
