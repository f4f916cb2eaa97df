import type { LedgerFacts, LedgerUpkeep, PutLines, TableValue } from '../contract/upkeep.js';
import type { Database } from './database.js';
import type { Queryable } from './transaction.js';

const FACTS = `
SELECT (SELECT version FROM schema_version) AS version, current_setting('server_version') AS server,
  (SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')) AS bytes`;

const COLUMNS = `
SELECT attname::text AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum`;

/** Tables whose ids the database assigns. */
const NUMBERED = ['scopes', 'runs', 'people'] as const;

export class PostgresUpkeep implements LedgerUpkeep {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async facts(): Promise<LedgerFacts> {
    const found = await this.#db.get<Omit<LedgerFacts, 'kind'>>(FACTS);
    return { kind: 'PostgreSQL', version: 0, bytes: 0, ...found };
  }

  /** A server checks its files itself. */
  async damage(): Promise<readonly string[]> {
    return [];
  }

  read<T>(sql: string, params: readonly TableValue[] = []): Promise<readonly T[]> {
    return this.#db.all<T>(sql, params);
  }

  atOnce<T>(work: (read: LedgerUpkeep['read']) => Promise<T>): Promise<T> {
    return this.#db.snapshot((tx) => work((sql, params = []) => tx.all(sql, params)));
  }

  columns(table: string): Promise<ReadonlyMap<string, string>> {
    return columnsOf(this.#db, table);
  }

  async fill(work: (put: PutLines) => Promise<void>): Promise<void> {
    await this.#db.transaction(async (tx) => {
      // Rows are read from the source between the statements, which may take long.
      await tx.run('SET LOCAL idle_in_transaction_session_timeout = 0');
      await work(async (table, columns, lines) => {
        const types = await columnsOf(tx, table);
        const names = columns.map((it) => `"${it}"`).join(', ');
        const arrays = columns.map((it, at) => `$${at + 1}::${types.get(it)}[]`).join(', ');
        const values = columns.map((_, at) => lines.map((line) => line[at] ?? null));
        await tx.run(`INSERT INTO ${table} (${names}) SELECT * FROM unnest(${arrays})`, values);
      });
      for (const table of NUMBERED) {
        const highest = `(SELECT max(id) FROM ${table})`;
        await tx.all(
          `SELECT setval(pg_get_serial_sequence('${table}', 'id'), ${highest}) WHERE ${highest} > 0`,
        );
      }
    });
  }
}

async function columnsOf(db: Queryable, table: string): Promise<ReadonlyMap<string, string>> {
  const found = await db.all<{ name: string; type: string }>(COLUMNS, [table]);
  return new Map(found.map(({ name, type }) => [name, type]));
}
