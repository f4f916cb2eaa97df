export interface LedgerFacts {
  readonly kind: 'SQLite' | 'PostgreSQL';
  /** Of its tables. */
  readonly version: number;
  /** Of the server, as it says it itself. */
  readonly server?: string;
  /** On disk. */
  readonly bytes: number;
}

/** A ledger whose schema was brought up to date. */
export interface MigratedSchema {
  /** Versions of its schema. */
  readonly from: number;
  readonly to: number;
  /** A file with what the ledger was before; absent on a server. */
  readonly copy?: string;
}

export type MigrationObserver = (it: MigratedSchema) => unknown;

/** A value as a table holds it. */
export type TableValue = string | number | null | Uint8Array;

/** The tables themselves, for looking after them. Statements are in words that every dialect understands. */
export interface LedgerUpkeep {
  facts(): Promise<LedgerFacts>;
  /** What the database says is damaged of its files; empty where it finds nothing, or doesn't look. */
  damage(): Promise<readonly string[]>;
  /** Lines as they are now; parameters are $1, $2, … */
  read<T>(sql: string, params?: readonly TableValue[]): Promise<readonly T[]>;
  /** Reads that all see the same state. */
  atOnce<T>(work: (read: LedgerUpkeep['read']) => Promise<T>): Promise<T>;
  /** Columns of a table by name, each with its type; none where there is no such table. */
  columns(table: string): Promise<ReadonlyMap<string, string>>;
  /**
   * Absent on a server. Copies the ledger as it is at one moment, and its kept inputs into `inputs` beside the copy.
   * @param file absolute
   * @throws ProductError usage where something is there already
   */
  backup?(file: string): Promise<{ readonly file: string; readonly inputs: string; readonly copied: number }>;
  /** Absent where lines can't be taken in: everything `work` puts is there when it resolves, or nothing. */
  fill?(work: (put: PutLines) => Promise<void>): Promise<void>;
}

/** Puts lines into a table and gives how many it holds then; each line has a value for each column. */
export type PutLines = (
  table: string,
  columns: readonly string[],
  lines: readonly (readonly TableValue[])[],
) => Promise<void>;
