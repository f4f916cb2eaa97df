import type { Clock } from '../../util/clock.js';
import type { AuditEntry, AuditLine, AuditQuery, AuditStore } from '../contract/audit.js';
import { BEFORE_FIRST, type ChainEnd, nextLine } from '../rules/audit-chain.js';
import { AUDIT_COLUMNS, type AuditRecord, auditValues, toAuditLine } from '../shared/audit.js';
import { pagesOf } from '../shared/pages.js';
import type { Database } from './database.js';
import type { Queryable } from './transaction.js';

const PAGE = 500;
const HEAD = 'SELECT n, hash FROM audit_head';

/**
 * Adds a line within a transaction. Whoever else adds one waits until that has ended: call it last.
 */
export async function appendAudit(tx: Queryable, entry: AuditEntry, at: number): Promise<void> {
  const end = (await tx.get<ChainEnd>(`${HEAD} FOR UPDATE`)) ?? BEFORE_FIRST;
  const sql = `INSERT INTO audit (${AUDIT_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;
  await tx.run(sql, auditValues(nextLine(end, entry, at)));
}

export class PostgresAuditStore implements AuditStore {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  async append(entry: AuditEntry): Promise<void> {
    await this.#db.transaction((tx) => appendAudit(tx, entry, this.#clock.now()));
  }

  list(query: AuditQuery = {}): AsyncIterable<readonly AuditLine[]> {
    return pagesOf(
      Number.MIN_SAFE_INTEGER,
      (after) => this.#select(query, 'n > $1', 'n', after, PAGE),
      (it) => it.n,
    );
  }

  async page({
    before = Number.MAX_SAFE_INTEGER,
    limit,
    ...query
  }: Parameters<AuditStore['page']>[0]): Promise<readonly AuditLine[]> {
    return this.#select(query, 'n < $1', 'n DESC', before, limit);
  }

  async head(): Promise<ChainEnd | undefined> {
    return this.#db.get<ChainEnd>(HEAD);
  }

  async #select(
    { run, who, since }: AuditQuery,
    where: string,
    order: string,
    n: number,
    limit: number,
  ): Promise<AuditLine[]> {
    const sql = `SELECT ${AUDIT_COLUMNS} FROM audit WHERE ${where} AND ($2::text IS NULL OR run = $2)
      AND ($3::text IS NULL OR who = $3) AND ($4::bigint IS NULL OR at >= $4) ORDER BY ${order} LIMIT $5`;
    const found = await this.#db.all<AuditRecord>(sql, [n, run ?? null, who ?? null, since ?? null, limit]);
    return found.map(toAuditLine);
  }
}
