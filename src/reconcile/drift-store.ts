import { DRIFT_STATUSES, type DriftStatus } from '../model/comparison.js';
import type { JsonObject } from '../model/json.js';
import type { RunCounts } from '../model/run-outcome.js';
import type { PageProblem, PageProblems } from '../pages/run-page.js';
import { exactParse, exactStringify } from '../util/exact-json.js';
import { TemporaryDatabase } from '../util/temporary-database.js';
import type { ResultLine } from '../workbook/result-line.js';
import type { DriftVerdict } from './services.js';

/** A request that rows are compared by. Rows with equal requests share it. */
export interface ComparedRequest {
  readonly id: number;
  readonly request: JsonObject;
}

/** A row of the source that could be read, with its key and expectation. */
export interface ComparedRow {
  readonly row: number;
  /** The key and `expect`, as converted by the map. */
  readonly body: JsonObject;
}

const EXTRAS_AT_ONCE = 500;

/** A record that no row names. */
interface ExtraRecord {
  /** Line number after the rows of the source; set when all are known. */
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

/** Requests, rows, verdicts and extra records of a reconciliation, in a temporary file to limit memory. */
export class DriftStore {
  readonly #db = new TemporaryDatabase(`
      CREATE TABLE requests (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, touched INTEGER NOT NULL DEFAULT 0);
      CREATE TABLE lines (line INTEGER PRIMARY KEY, request INTEGER, body TEXT, status TEXT, verdict TEXT);
      CREATE TABLE names (id TEXT PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE extras (id TEXT PRIMARY KEY, request INTEGER NOT NULL, label TEXT NOT NULL, record TEXT NOT NULL,
        line INTEGER) WITHOUT ROWID;
      CREATE TABLE actions (line INTEGER NOT NULL, action INTEGER NOT NULL, operation TEXT NOT NULL, status TEXT NOT NULL, message TEXT NOT NULL,
        PRIMARY KEY (line, action)) WITHOUT ROWID;
    `);

  /** Adds a row that can be compared. Equal requests are stored once. */
  addRow({ row, body }: ComparedRow, request: JsonObject, names: readonly string[]): void {
    const key = exactStringify(request);
    this.#db.run('INSERT INTO requests (key) VALUES (?) ON CONFLICT DO NOTHING', key);
    const { id } = this.#db.get<{ id: number }>('SELECT id FROM requests WHERE key = ?', key)!;
    this.#db.run('INSERT INTO lines (line, request, body) VALUES (?, ?, ?)', row, id, exactStringify(body));
    for (const name of names) this.addName(name);
  }

  /** Adds the name of a record in a row that is not compared, so that it is not an extra record. */
  addName(name: string): void {
    this.#db.run('INSERT INTO names (id) VALUES (?) ON CONFLICT DO NOTHING', JSON.stringify(name));
  }

  knows(name: string): boolean {
    return this.#db.get('SELECT 1 AS found FROM names WHERE id = ?', JSON.stringify(name)) !== undefined;
  }

  /** Ends reading: from now on rows are found by request. */
  index(): void {
    this.#db.exec('CREATE INDEX lines_by_request ON lines (request, line)');
  }

  requestCount(only: 'all' | 'touched'): number {
    const where = only === 'touched' ? 'WHERE touched = 1' : '';
    return this.#db.get<{ n: number }>(`SELECT count(*) AS n FROM requests ${where}`)!.n;
  }

  /** The next request after an id (0 for the first), in order of first appearance. */
  nextRequest(after: number, only: 'all' | 'touched'): ComparedRequest | undefined {
    const where = only === 'touched' ? 'AND touched = 1' : '';
    const sql = `SELECT id, key FROM requests WHERE id > ? ${where} ORDER BY id LIMIT 1`;
    const found = this.#db.get<{ id: number; key: string }>(sql, after);
    return found && { id: found.id, request: exactParse(found.key) as JsonObject };
  }

  /** Marks the request of a line as touched by an action. */
  touch(line: number): void {
    this.#db.run(
      `UPDATE requests SET touched = 1 WHERE id = coalesce((SELECT request FROM lines WHERE line = ?),
        (SELECT request FROM extras WHERE line = ?))`,
      line,
      line,
    );
  }

  rowsOf(request: number): readonly ComparedRow[] {
    const sql = 'SELECT line, body FROM lines WHERE request = ? ORDER BY line';
    return this.#db.all<{ line: number; body: string }>(sql, request).map(({ line, body }) => ({
      row: line,
      body: exactParse(body) as JsonObject,
    }));
  }

  setVerdict(line: number, verdict: DriftVerdict): void {
    this.#db.run(
      `INSERT INTO lines (line, status, verdict) VALUES (?1, ?2, ?3)
       ON CONFLICT DO UPDATE SET status = ?2, verdict = ?3`,
      line,
      verdict.status,
      exactStringify(verdict),
    );
  }

  verdict(line: number): DriftVerdict | undefined {
    const found = this.#db.get<{ verdict: string | null }>('SELECT verdict FROM lines WHERE line = ?', line);
    return found?.verdict ? (exactParse(found.verdict) as DriftVerdict) : undefined;
  }

  body(line: number): JsonObject | undefined {
    const found = this.#db.get<{ body: string | null }>('SELECT body FROM lines WHERE line = ?', line);
    return found?.body ? (exactParse(found.body) as JsonObject) : undefined;
  }

  addExtra(extra: Omit<ExtraRecord, 'line'>): void {
    this.#db.run(
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

  /** The numbered extra records by line, in pages. */
  *extras(): Generator<readonly Pick<ExtraRecord, 'line' | 'label' | 'record'>[]> {
    const sql = 'SELECT line, label, record FROM extras WHERE line > ? ORDER BY line LIMIT ?';
    for (let after = 0; ; ) {
      const rows = this.#db.all<{ line: number; label: string; record: string }>(sql, after, EXTRAS_AT_ONCE);
      const last = rows.at(-1);
      if (!last) return;
      yield rows.map((extra) => ({ ...extra, record: exactParse(extra.record) as JsonObject }));
      after = last.line;
    }
  }

  extrasOf(request: number): readonly Pick<ExtraRecord, 'line' | 'id'>[] {
    const sql = 'SELECT line, id FROM extras WHERE request = ? ORDER BY line';
    return this.#db.all<{ line: number; id: string }>(sql, request).map(({ line, id }) => ({
      line,
      id: JSON.parse(id) as string,
    }));
  }

  note(line: number, { action, operation, status, message }: ActionNote): void {
    this.#db.run(
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
    return this.#db.all<ActionNote>(sql, line);
  }

  /** Lines with a note of the action. */
  linesOf(action: number): readonly number[] {
    const sql = 'SELECT line FROM actions WHERE action = ? ORDER BY line';
    return this.#db.all<{ line: number }>(sql, action).map((found) => found.line);
  }

  /** Rows and extra records by status. */
  counts(): RunCounts {
    const counts: Partial<Record<DriftStatus, number>> = {};
    const sql = 'SELECT status, count(*) AS n FROM lines WHERE status IS NOT NULL GROUP BY status';
    for (const { status, n } of this.#db.all<{ status: DriftStatus; n: number }>(sql)) counts[status] = n;
    return counts;
  }

  close(): void {
    this.#db.close();
  }
}

/** Maximum rows on a page; the workbook has all. */
const SHOWN = 5000;

/** Collects the rows that need attention while the result is written; limited. */
export class DriftRows {
  readonly #rows: PageProblem[] = [];
  readonly #left = new Map<DriftStatus, number>();

  async *listen(pages: AsyncIterable<readonly ResultLine[]>): AsyncGenerator<readonly ResultLine[]> {
    for await (const page of pages) {
      for (const line of page) this.#add(line);
      yield page;
    }
  }

  #add({ status, problem, values }: ResultLine): void {
    const drift = DRIFT_STATUSES.find((candidate) => candidate === status);
    if (problem === undefined || drift === undefined) return;
    if (this.#rows.length >= SHOWN) {
      this.#left.set(drift, (this.#left.get(drift) ?? 0) + 1);
      return;
    }
    const [row] = values;
    this.#rows.push({ row: typeof row === 'number' ? row : undefined, status: drift, message: problem });
  }

  problems(): PageProblems {
    return { rows: this.#rows, left: [...this.#left].map(([status, rows]) => ({ status, rows })) };
  }
}
