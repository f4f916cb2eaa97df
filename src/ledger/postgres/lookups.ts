import type { LookupCounts, LookupLine, LookupStore } from '../contract/lookups.js';
import { type LookupRecord, lookupValues, toLookupLine, toRequest } from '../shared/lookups.js';
import { bulkInsert, columnsOf } from './bulk-insert.js';
import type { Database } from './database.js';
import type { RunNumbers } from './run-numbers.js';

const ADD = bulkInsert(
  'lookups',
  {
    run: 'bigint',
    key: 'text',
    operation: 'text',
    request_json: 'text',
    answer_json: 'text',
    records: 'bigint',
    detail_json: 'text',
    requests: 'bigint',
    asked_at: 'bigint',
  },
  `ON CONFLICT (run, key) DO UPDATE SET answer_json = excluded.answer_json, records = excluded.records,
    detail_json = excluded.detail_json, requests = lookups.requests + excluded.requests, asked_at = excluded.asked_at`,
);

const FIND = `
SELECT key, operation, request_json, answer_json, records, detail_json, requests, asked_at
FROM lookups WHERE run = $1 AND key = ANY($2::text[])`;

const COUNTS = `
SELECT count(*) AS asked, count(detail_json) AS unanswered, coalesce(sum(requests), 0)::bigint AS requests
FROM lookups WHERE run = $1`;

const REQUESTS = `
SELECT key, operation, request_json FROM lookups WHERE run = $1 AND key > $2 ORDER BY key LIMIT 500`;

export class PostgresLookupStore implements LookupStore {
  readonly #db: Database;
  readonly #numbers: RunNumbers;

  constructor(db: Database, numbers: RunNumbers) {
    this.#db = db;
    this.#numbers = numbers;
  }

  async add(run: string, lines: readonly LookupLine[]): Promise<void> {
    const { number } = await this.#numbers.of(run);
    const columns = columnsOf(
      lines.map((it) => [number, ...lookupValues(it)]),
      9,
    );
    await this.#db.transaction((tx) => tx.run(ADD, columns));
  }

  async find(run: string, keys: readonly string[]): Promise<readonly LookupLine[]> {
    const { number } = await this.#numbers.of(run);
    return (await this.#db.all<LookupRecord>(FIND, [number, keys])).map(toLookupLine);
  }

  async counts(run: string): Promise<LookupCounts> {
    const { number } = await this.#numbers.of(run);
    return (await this.#db.get<LookupCounts>(COUNTS, [number]))!;
  }

  async *requests(run: string): AsyncIterable<readonly Pick<LookupLine, 'operation' | 'request'>[]> {
    const { number } = await this.#numbers.of(run);
    for (let after = ''; ; ) {
      const page = await this.#db.all<Pick<LookupRecord, 'key' | 'operation' | 'request_json'>>(REQUESTS, [
        number,
        after,
      ]);
      const last = page.at(-1);
      if (!last) return;
      yield page.map(toRequest);
      after = last.key;
    }
  }
}
