export interface LedgerFacts {
  readonly kind: 'SQLite' | 'PostgreSQL';
  /** Version of its schema. */
  readonly version: number;
  /** The server's version, as it reports it. */
  readonly server?: string;
  /** Size on disk. */
  readonly bytes: number;
}

/** A migration of a ledger's schema. */
export interface MigratedSchema {
  /** Versions of its schema. */
  readonly from: number;
  readonly to: number;
  /** A file with a copy of the ledger before the migration; absent on a server. */
  readonly copy?: string;
}

export type MigrationObserver = (migrated: MigratedSchema) => unknown;

/** A value as stored in a table. */
export type TableValue = string | number | null | Uint8Array;

/** Direct access to the tables, for maintenance. Statements must be valid in both dialects. */
export interface LedgerUpkeep {
  facts(): Promise<LedgerFacts>;
  /** Damage of the database's files as reported by the database; empty if none is found, or if it has no such check. */
  damage(): Promise<readonly string[]>;
  /** Reads rows; parameters are $1, $2, … */
  read<T>(sql: string, params?: readonly TableValue[]): Promise<readonly T[]>;
  /** All reads of `work` see the same state. */
  atOnce<T>(work: (read: LedgerUpkeep['read']) => Promise<T>): Promise<T>;
  /** Columns of a table by name, each with its type; empty if there is no such table. */
  columns(table: string): Promise<ReadonlyMap<string, string>>;
  /**
   * Copies a consistent state of the ledger, and its kept inputs into `inputs` next to the copy. Absent on a server.
   * @param file absolute
   * @throws ProductError usage if the file exists
   */
  backup?(file: string): Promise<{ readonly file: string; readonly inputs: string; readonly copied: number }>;
  /** Inserts everything that `work` puts, or nothing. Absent if the ledger can't import rows. */
  fill?(work: (put: PutLines) => Promise<void>): Promise<void>;
}

/** Inserts rows into a table and returns how many the table then contains. Each row has a value for each column. */
export type PutLines = (
  table: string,
  columns: readonly string[],
  lines: readonly (readonly TableValue[])[],
) => Promise<void>;
