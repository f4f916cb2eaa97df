import type { Import, ImportPatch, ImportStore, Upload } from '../contract/imports.js';
import {
  IMPORT_COLUMNS,
  type ImportRecord,
  importValues,
  patchedColumns,
  toImport,
} from '../shared/imports.js';
import type { Database } from './database.js';

const UPLOAD = 'SELECT sha256, name, made_by AS "by", at FROM uploads WHERE sha256 = $1 ORDER BY at DESC';

/** What was corrected goes with its import. */
const CORRECTIONS = ['correction_cells', 'correction_acts'] as const;

export class PostgresImportStore implements ImportStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async create(it: Import): Promise<void> {
    const places = IMPORT_COLUMNS.map((_, at) => `$${at + 1}`).join(', ');
    const sql = `INSERT INTO imports (${IMPORT_COLUMNS.join(', ')}) VALUES (${places})`;
    await this.#db.run(sql, importValues(it));
  }

  async patch(id: string, patch: ImportPatch): Promise<void> {
    const columns = patchedColumns(patch);
    if (columns.length === 0) return;
    const set = columns.map(([name], at) => `${name} = $${at + 2}`).join(', ');
    await this.#db.run(`UPDATE imports SET ${set} WHERE id = $1`, [id, ...columns.map(([, value]) => value)]);
  }

  async get(id: string): Promise<Import | undefined> {
    const found = await this.#db.get<ImportRecord>('SELECT * FROM imports WHERE id = $1', [id]);
    return found && toImport(found);
  }

  async list(limit: number, before = '~'): Promise<readonly Import[]> {
    const sql = 'SELECT * FROM imports WHERE id < $1 ORDER BY id DESC LIMIT $2';
    return (await this.#db.all<ImportRecord>(sql, [before, limit])).map(toImport);
  }

  async uploaded({ sha256, name, by, at }: Upload): Promise<void> {
    const sql = `
INSERT INTO uploads (sha256, name, made_by, at) VALUES ($1, $2, $3, $4)
ON CONFLICT (sha256, name) DO UPDATE SET made_by = excluded.made_by, at = excluded.at`;
    await this.#db.run(sql, [sha256, name, by, at]);
  }

  async upload(sha256: string): Promise<Upload | undefined> {
    return this.#db.get<Upload>(UPLOAD, [sha256]);
  }

  async prune(before: number): Promise<readonly string[]> {
    const find = `
SELECT input_sha256 AS sha256 FROM imports WHERE at < $1 UNION
SELECT job_sha256 FROM imports WHERE at < $1 AND guessed = 1 UNION SELECT sha256 FROM uploads WHERE at < $1`;
    return this.#db.transaction(async (tx) => {
      const files = (await tx.all<{ sha256: string }>(find, [before])).map((it) => it.sha256);
      for (const table of CORRECTIONS)
        await tx.run(`DELETE FROM ${table} WHERE import IN (SELECT id FROM imports WHERE at < $1)`, [before]);
      await tx.run('DELETE FROM imports WHERE at < $1', [before]);
      await tx.run('DELETE FROM uploads WHERE at < $1', [before]);
      return files;
    });
  }

  async files(): Promise<readonly string[]> {
    const sql = `
SELECT input_sha256 AS sha256 FROM imports UNION SELECT job_sha256 FROM imports WHERE guessed = 1 UNION
SELECT sha256 FROM uploads`;
    return (await this.#db.all<{ sha256: string }>(sql)).map((it) => it.sha256);
  }
}
