import type pg from 'pg';
import { ledgerFailure } from './failures.js';
import type { Session } from './session.js';

/** Statements with parameters $1, $2, …; rows are objects, int8 and numeric are numbers. */
export interface Queryable {
  all<T>(sql: string, params?: readonly unknown[]): Promise<T[]>;
  get<T>(sql: string, params?: readonly unknown[]): Promise<T | undefined>;
  /** Returns the number of rows changed. */
  run(sql: string, params?: readonly unknown[]): Promise<number>;
}

/** Statements of one transaction. */
export class Transaction implements Queryable {
  readonly #session: Session;
  readonly #location: string;
  readonly #doing: 'read' | 'write';

  constructor(session: Session, location: string, doing: 'read' | 'write') {
    this.#session = session;
    this.#location = location;
    this.#doing = doing;
  }

  async all<T>(sql: string, params: readonly unknown[] = []): Promise<T[]> {
    return (await this.#query(sql, params)).rows as T[];
  }

  async get<T>(sql: string, params: readonly unknown[] = []): Promise<T | undefined> {
    return (await this.all<T>(sql, params))[0];
  }

  async run(sql: string, params: readonly unknown[] = []): Promise<number> {
    return (await this.#query(sql, params)).rowCount ?? 0;
  }

  async #query(sql: string, params: readonly unknown[]): Promise<pg.QueryResult> {
    try {
      return await this.#session.query(sql, params);
    } catch (error) {
      throw ledgerFailure(error, this.#location, this.#doing);
    }
  }
}
