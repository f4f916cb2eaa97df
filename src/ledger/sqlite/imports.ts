import type { Import, ImportPatch, ImportStore, Upload } from '../contract/imports.js';
import {
  IMPORT_COLUMNS,
  type ImportRecord,
  importValues,
  patchedColumns,
  toImport,
} from '../shared/imports.js';
import type { Database } from './database.js';

const UPLOAD = 'SELECT sha256, name, made_by AS "by", at FROM uploads WHERE sha256 = ? ORDER BY at DESC';

/** What was corrected goes with its import. */
const CORRECTIONS = ['correction_cells', 'correction_acts'] as const;

export class SqliteImportStore implements ImportStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async create(it: Import): Promise<void> {
    const places = IMPORT_COLUMNS.map(() => '?').join(', ');
    const sql = `INSERT INTO imports (${IMPORT_COLUMNS.join(', ')}) VALUES (${places})`;
    this.#db.firstWrite(() => this.#db.run(sql, ...importValues(it)));
  }

  async patch(id: string, patch: ImportPatch): Promise<void> {
    const columns = patchedColumns(patch);
    if (columns.length === 0) return;
    const sql = `UPDATE imports SET ${columns.map(([name]) => `${name} = ?`).join(', ')} WHERE id = ?`;
    this.#db.write(() => this.#db.run(sql, ...columns.map(([, value]) => value), id));
  }

  async get(id: string): Promise<Import | undefined> {
    const sql = 'SELECT * FROM imports WHERE id = ?';
    const found = this.#db.read(() => this.#db.get<ImportRecord>(sql, id));
    return found && toImport(found);
  }

  async list(limit: number, before = '~'): Promise<readonly Import[]> {
    const sql = 'SELECT * FROM imports WHERE id < ? ORDER BY id DESC LIMIT ?';
    return this.#db.read(() => this.#db.all<ImportRecord>(sql, before, limit)).map(toImport);
  }

  async uploaded({ sha256, name, by, at }: Upload): Promise<void> {
    const sql = `
INSERT INTO uploads (sha256, name, made_by, at) VALUES (?, ?, ?, ?)
ON CONFLICT (sha256, name) DO UPDATE SET made_by = excluded.made_by, at = excluded.at`;
    this.#db.firstWrite(() => this.#db.run(sql, sha256, name, by, at));
  }

  async upload(sha256: string): Promise<Upload | undefined> {
    return this.#db.read(() => this.#db.get<Upload>(UPLOAD, sha256));
  }

  async prune(before: number): Promise<readonly string[]> {
    const find = `
SELECT input_sha256 AS sha256 FROM imports WHERE at < ?1 UNION
SELECT job_sha256 FROM imports WHERE at < ?1 AND guessed = 1 UNION SELECT sha256 FROM uploads WHERE at < ?1`;
    return this.#db.write(() => {
      const files = this.#db.all<{ sha256: string }>(find, before).map((it) => it.sha256);
      for (const table of CORRECTIONS)
        this.#db.run(`DELETE FROM ${table} WHERE import IN (SELECT id FROM imports WHERE at < ?)`, before);
      this.#db.run('DELETE FROM imports WHERE at < ?', before);
      this.#db.run('DELETE FROM uploads WHERE at < ?', before);
      return files;
    });
  }

  async files(): Promise<readonly string[]> {
    const sql = `
SELECT input_sha256 AS sha256 FROM imports UNION SELECT job_sha256 FROM imports WHERE guessed = 1 UNION
SELECT sha256 FROM uploads`;
    return this.#db.read(() => this.#db.all<{ sha256: string }>(sql)).map((it) => it.sha256);
  }
}
