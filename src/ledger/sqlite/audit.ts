import type { Clock } from '../../util/clock.js';
import type { AuditEntry, AuditLine, AuditQuery, AuditStore } from '../contract/audit.js';
import { BEFORE_FIRST, type ChainEnd, nextLine } from '../rules/audit-chain.js';
import { AUDIT_COLUMNS, type AuditRecord, auditValues, toAuditLine } from '../shared/audit.js';
import { pagesOf } from '../shared/pages.js';
import type { Database } from './database.js';

const PAGE = 500;
const HEAD = 'SELECT n, hash FROM audit_head';

/** Adds a line within a transaction that is open. */
export function appendAudit(db: Database, entry: AuditEntry, at: number): void {
  const end = db.get<ChainEnd>(HEAD) ?? BEFORE_FIRST;
  db.run(
    `INSERT INTO audit (${AUDIT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ...auditValues(nextLine(end, entry, at)),
  );
}

export class SqliteAuditStore implements AuditStore {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  async append(entry: AuditEntry): Promise<void> {
    this.#db.firstWrite(() => appendAudit(this.#db, entry, this.#clock.now()));
  }

  list(query: AuditQuery = {}): AsyncIterable<readonly AuditLine[]> {
    return pagesOf(
      Number.MIN_SAFE_INTEGER,
      (after) => this.#select(query, 'n > :n', 'n', { n: after, limit: PAGE }),
      (it) => it.n,
    );
  }

  async page({
    before = Number.MAX_SAFE_INTEGER,
    limit,
    ...query
  }: Parameters<AuditStore['page']>[0]): Promise<readonly AuditLine[]> {
    return this.#select(query, 'n < :n', 'n DESC', { n: before, limit });
  }

  async head(): Promise<ChainEnd | undefined> {
    return this.#db.read(() => this.#db.get<ChainEnd>(HEAD));
  }

  #select(
    { run, who, since }: AuditQuery,
    where: string,
    order: string,
    bounds: { readonly n: number; readonly limit: number },
  ): AuditLine[] {
    const sql = `SELECT ${AUDIT_COLUMNS} FROM audit WHERE ${where}
      ${run === undefined ? '' : 'AND run = :run'} ${who === undefined ? '' : 'AND who = :who'}
      ${since === undefined ? '' : 'AND at >= :since'} ORDER BY ${order} LIMIT :limit`;
    const values = {
      ...bounds,
      ...(run && { run }),
      ...(who && { who }),
      ...(since !== undefined && { since }),
    };
    return this.#db.read(() => this.#db.allNamed<AuditRecord>(sql, values).map(toAuditLine));
  }
}
