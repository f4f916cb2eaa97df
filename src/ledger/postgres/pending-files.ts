import { createHash } from 'node:crypto';
import type { PendingFile, PendingFileStore } from '../contract/pending-files.js';
import type { Database } from './database.js';

export class PostgresPendingFileStore implements PendingFileStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async remember(realFile: string, { file, sha256, at }: PendingFile): Promise<void> {
    const sql = `INSERT INTO pending_files (name_digest, file, sha256, at) VALUES ($1, $2, $3, $4)
      ON CONFLICT (name_digest) DO UPDATE SET file = $2, sha256 = $3, at = $4`;
    await this.#db.run(sql, [digestOf(realFile), file, sha256, at]);
  }

  async get(realFile: string): Promise<PendingFile | undefined> {
    const sql = 'SELECT file, sha256, at FROM pending_files WHERE name_digest = $1';
    return this.#db.get<PendingFile>(sql, [digestOf(realFile)]);
  }

  async forget(realFile: string): Promise<void> {
    const sql = 'DELETE FROM pending_files WHERE name_digest = $1';
    await this.#db.run(sql, [digestOf(realFile)]);
  }

  async list(): Promise<readonly PendingFile[]> {
    return this.#db.all<PendingFile>('SELECT file, sha256, at FROM pending_files ORDER BY file');
  }
}

/** Paths may be longer than an index takes. */
function digestOf(realFile: string): string {
  return createHash('sha256').update(realFile).digest('hex');
}
