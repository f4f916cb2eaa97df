import type { LookupCounts, LookupLine, LookupStore } from '../contract/lookups.js';
import { type LookupRecord, lookupValues, toLookupLine, toRequest } from '../shared/lookups.js';
import type { Database } from './database.js';
import type { RunNumbers } from './run-numbers.js';

const ADD = `
INSERT INTO lookups (run, key, operation, request_json, answer_json, records, detail_json, requests, asked_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
ON CONFLICT (run, key) DO UPDATE SET answer_json = ?5, records = ?6, detail_json = ?7, requests = requests + ?8,
  asked_at = ?9`;

const FIND = `
SELECT key, operation, request_json, answer_json, records, detail_json, requests, asked_at
FROM lookups WHERE run = ? AND key = ?`;

const COUNTS = `
SELECT count(*) AS asked, count(detail_json) AS unanswered, coalesce(sum(requests), 0) AS requests
FROM lookups WHERE run = ?`;

const REQUESTS = `
SELECT key, operation, request_json FROM lookups WHERE run = ? AND key > ? ORDER BY key LIMIT 500`;

export class SqliteLookupStore implements LookupStore {
  readonly #db: Database;
  readonly #numbers: RunNumbers;

  constructor(db: Database, numbers: RunNumbers) {
    this.#db = db;
    this.#numbers = numbers;
  }

  async add(run: string, lines: readonly LookupLine[]): Promise<void> {
    this.#db.write(() => {
      const { number } = this.#numbers.of(run);
      for (const line of lines) this.#db.run(ADD, number, ...lookupValues(line));
    });
  }

  async find(run: string, keys: readonly string[]): Promise<readonly LookupLine[]> {
    const { number } = this.#numbers.of(run);
    const found: LookupLine[] = [];
    for (const key of keys) {
      const line = this.#db.read(() => this.#db.get<LookupRecord>(FIND, number, key));
      if (line) found.push(toLookupLine(line));
    }
    return found;
  }

  async counts(run: string): Promise<LookupCounts> {
    return this.#db.read(() => this.#db.get<LookupCounts>(COUNTS, this.#numbers.of(run).number)!);
  }

  async *requests(run: string): AsyncIterable<readonly Pick<LookupLine, 'operation' | 'request'>[]> {
    const { number } = this.#numbers.of(run);
    for (let after = ''; ; ) {
      const page = this.#db.read(() =>
        this.#db.all<Pick<LookupRecord, 'key' | 'operation' | 'request_json'>>(REQUESTS, number, after),
      );
      const last = page.at(-1);
      if (!last) return;
      yield page.map(toRequest);
      after = last.key;
    }
  }
}
