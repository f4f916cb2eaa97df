import type { Message } from '../../errors/message.js';
import type { JsonObject } from '../../model/json.js';
import { exactParse, exactStringify } from '../../util/exact-json.js';
import type { LookupCounts, LookupLine } from '../contract/plan.js';
import { pagesOf } from './chunks.js';
import type { Dialect } from './dialect.js';
import { SqlStore } from './runner.js';
import { type InsertTarget, insertAll, list, query, queryOne } from './statement.js';

const ADD: InsertTarget = {
  table: 'lookups',
  columns: {
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
  end: `ON CONFLICT (run, key) DO UPDATE SET answer_json = excluded.answer_json, records = excluded.records,
    detail_json = excluded.detail_json, requests = lookups.requests + excluded.requests, asked_at = excluded.asked_at`,
};

const FIND = (dialect: Dialect) => `
SELECT key, operation, request_json AS request, answer_json AS json, records, detail_json AS detail, requests,
  asked_at AS "askedAt"
FROM lookups WHERE run = $1 AND key ${dialect.in('$2', 'text')}`;

const COUNTS = `
SELECT count(*) AS asked, count(detail_json) AS unanswered, coalesce(sum(requests), 0) AS requests
FROM lookups WHERE run = $1`;

const REQUESTS = `
SELECT key, operation, request_json AS request FROM lookups WHERE run = $1 AND key > $2 ORDER BY key LIMIT 500`;

type RequestRow = Pick<LookupLine, 'key' | 'operation'> & { readonly request: string };

type LookupRow = Omit<LookupLine, 'request' | 'answer'> & {
  readonly request: string;
  /** Absent if there was no valid reply; then there is a detail. */
  readonly json?: string;
  readonly records: number;
  readonly detail?: string;
};

/** Replies of lookups made while runs were planned, so that planning again does not request them again. */
export class SqlLookupStore extends SqlStore {
  /** One transaction. Replaces lookups of the run with the same keys. */
  add(run: string, lines: readonly LookupLine[]): Promise<void> {
    return this.db.writeRun(run, ({ number }) =>
      insertAll(
        ADD,
        lines.map(({ key, operation, request, answer, requests, askedAt }) => {
          const [json, count, detail] =
            answer.kind === 'records'
              ? [answer.json, answer.count, null]
              : [null, 0, JSON.stringify(answer.detail)];
          return [number, key, operation, exactStringify(request), json, count, detail, requests, askedAt];
        }),
      ),
    );
  }

  /** The run's lookups with these keys, in any order. */
  find(run: string, keys: readonly string[]): Promise<readonly LookupLine[]> {
    return this.readRun(run, function* (number) {
      return (yield* list<LookupRow>(FIND, number, keys)).map(toLookupLine);
    });
  }

  counts(run: string): Promise<LookupCounts> {
    return this.readRun(run, function* (number) {
      return (yield* queryOne<LookupCounts>(COUNTS, number))!;
    });
  }

  /** All lookups of a run, in pages, without the records of the replies. */
  async *requests(run: string): AsyncIterable<readonly Pick<LookupLine, 'operation' | 'request'>[]> {
    const number = await this.numberOf(run);
    const read = (after: string) => this.db.read(() => query<RequestRow>(REQUESTS, number, after));
    for await (const page of pagesOf('', read, (it) => it.key))
      yield page.map(({ operation, request }) => ({ operation, request: exactParse(request) as JsonObject }));
  }
}

function toLookupLine({ request, json, records, detail, ...line }: LookupRow): LookupLine {
  return {
    ...line,
    request: exactParse(request) as JsonObject,
    answer:
      json === undefined
        ? { kind: 'none', detail: JSON.parse(detail ?? '""') as Message | string }
        : { kind: 'records', count: records, json },
  };
}
