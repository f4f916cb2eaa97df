import type { Json, JsonObject } from '../../model/json.js';
import type { AuditAct, AuditEntry, AuditLine, AuditQuery } from '../contract/audit.js';
import type { RunStart } from '../contract/runs.js';
import { BEFORE_FIRST, type ChainEnd, canonicalJson, nextLine } from '../rules/audit-chain.js';
import { pagesOf } from './chunks.js';
import type { Dialect } from './dialect.js';
import { ClockedSqlStore } from './runner.js';
import { execute, list, queryOne, type SqlParameter, type Store } from './statement.js';

const PAGE = 500;

const COLUMNS = 'n, at, who, act, run, detail, prev, hash';
const ADD = `INSERT INTO audit (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;
const HEAD = 'SELECT n, hash FROM audit_head';
const LOCKED_HEAD = ({ forUpdate }: Dialect) => `${HEAD} ${forUpdate}`;

/** Adds an entry within a transaction. On a server other writers of the audit wait for its end, so call this last. */
export function* appendAudit(entry: AuditEntry, at: number): Store<void> {
  const end = (yield* queryOne<ChainEnd>(LOCKED_HEAD)) ?? BEFORE_FIRST;
  const { n, who, act, run, detail, prev, hash } = nextLine(end, entry, at);
  yield* execute(ADD, n, at, who, act, run, canonicalJson(detail), prev, hash);
}

/**
 * The audit of the ledger. Entries are only added: the database refuses to change or remove one, and refuses one that
 * doesn't follow the last.
 */
export class SqlAuditStore extends ClockedSqlStore {
  /** Durable when it resolves. Several processes may append concurrently. */
  append(entry: AuditEntry): Promise<void> {
    return this.db.write(() => appendAudit(entry, this.clock.now()), 'first');
  }

  /** Oldest first, in pages. */
  list(query: AuditQuery = {}): AsyncIterable<readonly AuditLine[]> {
    return pagesOf(
      Number.MIN_SAFE_INTEGER,
      (after) => this.#select(query, 'n > $1 ORDER BY n', after, PAGE),
      (it) => it.n,
    );
  }

  /** Newest first, at most `limit`. @param query.before only entries with a smaller `n` */
  page({
    before = Number.MAX_SAFE_INTEGER,
    limit,
    ...query
  }: AuditQuery & { readonly before?: number; readonly limit: number }) {
    return this.#select(query, 'n < $1 ORDER BY n DESC', before, limit);
  }

  /** The end of the chain as recorded by the database. It reveals entries that were removed at the end. */
  head(): Promise<ChainEnd | undefined> {
    return this.db.read(() => queryOne<ChainEnd>(HEAD));
  }

  /** @param rest a condition on $1, and the order */
  async #select(query: AuditQuery, rest: string, n: number, limit: number): Promise<readonly AuditLine[]> {
    const values: SqlParameter[] = [n, limit];
    const { run, who, act, since, until } = query;
    const conditions = { 'run =': run, 'who =': who, 'act =': act, 'at >=': since, 'at <=': until };
    const where = Object.entries(conditions)
      .filter(([, value]) => value !== undefined)
      .map(([condition, value]) => `${condition} $${values.push(value)} AND `);
    const sql = `SELECT ${COLUMNS} FROM audit WHERE ${where.join('')} ${rest} LIMIT $2`;
    return (await this.db.read(() => list<AuditRow>(sql, ...values))).map(toAuditLine);
  }
}

type AuditRow = Omit<AuditLine, 'detail'> & { readonly detail: string };

/** The largest valid date. */
const LATEST_MS = 8.64e15;

/** An altered entry may have an invalid time or JSON. It is shown unchanged; the check of the chain reports it. */
function toAuditLine({ detail, at, ...line }: AuditRow): AuditLine {
  const isTime = Math.abs(at) <= LATEST_MS;
  return { ...line, at: isTime ? at : 0, detail: isTime ? detailOf(detail) : { altered: String(at) } };
}

function detailOf(text: string): JsonObject {
  try {
    const detail = JSON.parse(text) as Json;
    if (typeof detail === 'object' && detail !== null && !Array.isArray(detail)) return detail as JsonObject;
  } catch {
    // Shown unchanged.
  }
  return { altered: text };
}

export function runEntry(start: RunStart, act: AuditAct): AuditEntry {
  const { id, by = '-', job, connection, operation, parent } = start;
  const detail: JsonObject = { job, operation, connection, ...(parent === undefined ? {} : { of: parent }) };
  return { who: by, act, run: id, detail };
}
