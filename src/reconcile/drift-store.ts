import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import type { DriftStatus } from '../model/drift.js';
import type { JsonObject } from '../model/json.js';
import type { RunCounts } from '../model/run-outcome.js';
import { exactParse, exactStringify } from '../util/exact-json.js';
import type { DriftVerdict } from './contract.js';

/** What rows that ask the same are compared by. */
export interface ComparedRequest {
  readonly id: number;
  readonly request: JsonObject;
}

/** A row of the source that could be read: what it asks and what it expects. */
export interface ComparedRow {
  readonly row: number;
  /** The key and `expect`, as the map gave them. */
  readonly body: JsonObject;
}

const EXTRAS_AT_ONCE = 500;

/** A record that no row names. */
interface ExtraRecord {
  /** Line number after the rows of the source; set once all are known. */
  readonly line: number;
  readonly id: string;
  readonly request: number;
  readonly label: string;
  readonly record: JsonObject;
}

export interface ActionNote {
  /** Counted from 1, as in the job file. */
  readonly action: number;
  readonly operation: string;
  /** `proposed`, an item's status, or `not_decided`. */
  readonly status: string;
  readonly message: string;
}

/**
 * What a reconciliation finds out, in a temporary file of SQLite that has no name and goes with the process, so that
 * memory does not grow with the rows.
 */
export class DriftStore {
  readonly #db: DatabaseSyncInstance;
  readonly #prepared = new Map<string, StatementSyncInstance>();

  constructor() {
    this.#db = new DatabaseSync('');
    this.#db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16000');
    this.#db.exec(`
      CREATE TABLE requests (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, touched INTEGER NOT NULL DEFAULT 0);
      CREATE TABLE lines (line INTEGER PRIMARY KEY, request INTEGER, body TEXT, status TEXT, verdict TEXT);
      CREATE TABLE names (id TEXT PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE extras (id TEXT PRIMARY KEY, request INTEGER NOT NULL, label TEXT NOT NULL, record TEXT NOT NULL,
        line INTEGER) WITHOUT ROWID;
      CREATE TABLE actions (line INTEGER NOT NULL, action INTEGER NOT NULL, operation TEXT NOT NULL, status TEXT NOT NULL, message TEXT NOT NULL,
        PRIMARY KEY (line, action)) WITHOUT ROWID;
    `);
    this.#db.exec('BEGIN');
  }

  /** A row that can be compared; rows of equal requests share one. */
  addRow({ row, body }: ComparedRow, request: JsonObject, names: readonly string[]): void {
    const key = exactStringify(request);
    this.#run('INSERT INTO requests (key) VALUES (?) ON CONFLICT DO NOTHING', key);
    const { id } = this.#get<{ id: number }>('SELECT id FROM requests WHERE key = ?', key)!;
    this.#run('INSERT INTO lines (line, request, body) VALUES (?, ?, ?)', row, id, exactStringify(body));
    for (const name of names) this.addName(name);
  }

  /** A record that the source knows of although its row is not compared: it is no extra one. */
  addName(name: string): void {
    this.#run('INSERT INTO names (id) VALUES (?) ON CONFLICT DO NOTHING', JSON.stringify(name));
  }

  knows(name: string): boolean {
    return this.#get('SELECT 1 AS found FROM names WHERE id = ?', JSON.stringify(name)) !== undefined;
  }

  /** Ends the reading: rows are looked up by request from here on. */
  index(): void {
    this.#db.exec('CREATE INDEX lines_by_request ON lines (request, line)');
  }

  requestCount(only: 'all' | 'touched'): number {
    const where = only === 'touched' ? 'WHERE touched = 1' : '';
    return this.#get<{ n: number }>(`SELECT count(*) AS n FROM requests ${where}`)!.n;
  }

  /** The next request after an id (0 for the first), in order of first appearance. */
  nextRequest(after: number, only: 'all' | 'touched'): ComparedRequest | undefined {
    const where = only === 'touched' ? 'AND touched = 1' : '';
    const sql = `SELECT id, key FROM requests WHERE id > ? ${where} ORDER BY id LIMIT 1`;
    const found = this.#get<{ id: number; key: string }>(sql, after);
    return found && { id: found.id, request: exactParse(found.key) as JsonObject };
  }

  /** Marks the request of a line as touched by an action. */
  touch(line: number): void {
    this.#run(
      `UPDATE requests SET touched = 1 WHERE id = coalesce((SELECT request FROM lines WHERE line = ?),
        (SELECT request FROM extras WHERE line = ?))`,
      line,
      line,
    );
  }

  rowsOf(request: number): readonly ComparedRow[] {
    const sql = 'SELECT line, body FROM lines WHERE request = ? ORDER BY line';
    return this.#all<{ line: number; body: string }>(sql, request).map(({ line, body }) => ({
      row: line,
      body: exactParse(body) as JsonObject,
    }));
  }

  setVerdict(line: number, verdict: DriftVerdict): void {
    this.#run(
      `INSERT INTO lines (line, status, verdict) VALUES (?1, ?2, ?3)
       ON CONFLICT DO UPDATE SET status = ?2, verdict = ?3`,
      line,
      verdict.status,
      exactStringify(verdict),
    );
  }

  verdict(line: number): DriftVerdict | undefined {
    const found = this.#get<{ verdict: string | null }>('SELECT verdict FROM lines WHERE line = ?', line);
    return found?.verdict ? (exactParse(found.verdict) as DriftVerdict) : undefined;
  }

  body(line: number): JsonObject | undefined {
    const found = this.#get<{ body: string | null }>('SELECT body FROM lines WHERE line = ?', line);
    return found?.body ? (exactParse(found.body) as JsonObject) : undefined;
  }

  addExtra(extra: Omit<ExtraRecord, 'line'>): void {
    this.#run(
      'INSERT INTO extras (id, request, label, record) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
      JSON.stringify(extra.id),
      extra.request,
      extra.label,
      exactStringify(extra.record),
    );
  }

  /** Numbers the extra records from `first` on, in the order of the rows that led to them, then by name. */
  numberExtras(first: number): void {
    this.#db.exec(`
      UPDATE extras SET line = ranked.line FROM (
        SELECT id, ${Math.trunc(first)} - 1 + row_number() OVER (ORDER BY request, label, id) AS line FROM extras
      ) AS ranked WHERE ranked.id = extras.id;
      CREATE INDEX extras_by_line ON extras (line);
    `);
  }

  /** The numbered extra records by line, some at a time. */
  *extras(): Generator<readonly Pick<ExtraRecord, 'line' | 'label' | 'record'>[]> {
    const sql = 'SELECT line, label, record FROM extras WHERE line > ? ORDER BY line LIMIT ?';
    for (let after = 0; ; ) {
      const rows = this.#all<{ line: number; label: string; record: string }>(sql, after, EXTRAS_AT_ONCE);
      const last = rows.at(-1);
      if (!last) return;
      yield rows.map((it) => ({ ...it, record: exactParse(it.record) as JsonObject }));
      after = last.line;
    }
  }

  extrasOf(request: number): readonly Pick<ExtraRecord, 'line' | 'id'>[] {
    const sql = 'SELECT line, id FROM extras WHERE request = ? ORDER BY line';
    return this.#all<{ line: number; id: string }>(sql, request).map(({ line, id }) => ({
      line,
      id: JSON.parse(id) as string,
    }));
  }

  note(line: number, { action, operation, status, message }: ActionNote): void {
    this.#run(
      'INSERT INTO actions (line, action, operation, status, message) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET status = excluded.status, message = excluded.message',
      line,
      action,
      operation,
      status,
      message,
    );
  }

  notes(line: number): readonly ActionNote[] {
    const sql = 'SELECT action, operation, status, message FROM actions WHERE line = ? ORDER BY action';
    return this.#all<ActionNote>(sql, line);
  }

  /** Lines that an action is noted at. */
  linesOf(action: number): readonly number[] {
    const sql = 'SELECT line FROM actions WHERE action = ? ORDER BY line';
    return this.#all<{ line: number }>(sql, action).map((it) => it.line);
  }

  /** Rows and extra records by status. */
  counts(): RunCounts {
    const counts: Partial<Record<DriftStatus, number>> = {};
    const sql = 'SELECT status, count(*) AS n FROM lines WHERE status IS NOT NULL GROUP BY status';
    for (const { status, n } of this.#all<{ status: DriftStatus; n: number }>(sql)) counts[status] = n;
    return counts;
  }

  close(): void {
    this.#db.close();
  }

  #statement(sql: string): StatementSyncInstance {
    let statement = this.#prepared.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }

  #run(sql: string, ...values: (string | number)[]): void {
    this.#statement(sql).run(...values);
  }

  #get<T>(sql: string, ...values: (string | number)[]): T | undefined {
    return this.#statement(sql).get(...values) as T | undefined;
  }

  #all<T>(sql: string, ...values: (string | number)[]): T[] {
    return this.#statement(sql).all(...values) as T[];
  }
}
