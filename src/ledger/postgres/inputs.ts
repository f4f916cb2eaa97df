import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, open, rename, rm, stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Clock } from '../../util/clock.js';
import { writeHashed } from '../../util/files.js';
import { isAlive } from '../../util/process.js';
import type { InputStore, KeptInput, PendingFile, PendingFileStore } from '../contract/inputs.js';
import type { Database } from './database.js';

const PIECE_BYTES = 512 * 1024;
const LOCAL = 'license-sync-inputs-';
const DIGEST = /^[0-9a-f]{64}$/;

const KEEP = `
INSERT INTO inputs (sha256, name, bytes, kept_at) VALUES ($1, $2, $3, $4) ON CONFLICT (sha256) DO UPDATE SET kept_at = $4
RETURNING (xmax = 0)::int AS "isNew"`;
const KEEP_PIECE = 'INSERT INTO input_pieces (sha256, n, bytes) VALUES ($1, $2, $3)';
const PIECE = 'SELECT bytes FROM input_pieces WHERE sha256 = $1 AND n = $2';

/** Total size of unused copies that are kept, because most are needed again soon. */
const KEPT_BYTES = 256 * 1024 ** 2;

interface LocalCopy {
  /** Number of current readers. */
  users: number;
  bytes: number;
}

/**
 * Stores inputs in chunks in the ledger. Each process reads a local copy. Released copies are kept up to a limit, the
 * most recently used longest. All are removed when the ledger is closed.
 */
export class PostgresInputStore implements InputStore {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #maxUnusedBytes: number;
  /** By digest, the most recently used last. */
  readonly #copies = new Map<string, LocalCopy>();
  /** Removals in progress. A new copy waits for the removal of the old one. */
  readonly #removals = new Map<string, Promise<void>>();
  #folder: Promise<string> | undefined;

  /** @param maxUnusedBytes of local copies that no process uses */
  constructor(db: Database, clock: Clock, maxUnusedBytes = KEPT_BYTES) {
    this.#db = db;
    this.#clock = clock;
    this.#maxUnusedBytes = maxUnusedBytes;
  }

  async put(name: string, bytes: AsyncIterable<Uint8Array>): Promise<KeptInput> {
    // Unique, because several inputs may be written at the same time.
    const temporary = join(await this.#local(), `coming-${randomUUID()}`);
    try {
      const sha256 = await writeHashed(bytes, createWriteStream(temporary, { mode: 0o600 }));
      const input = { sha256, name: basename(name) };
      const size = await this.#keep(input, temporary);
      const copy = this.#used(sha256, 1);
      try {
        await rename(temporary, await this.#copyOf(input));
        copy.bytes = size;
      } finally {
        await this.release(input);
      }
      return input;
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async file(input: KeptInput): Promise<string | undefined> {
    if (!DIGEST.test(input.sha256)) return undefined;
    // Another process may have pruned it since.
    if ((await this.#db.get('SELECT 1 FROM inputs WHERE sha256 = $1', [input.sha256])) === undefined)
      return undefined;
    const copy = this.#used(input.sha256, 1);
    const file = await this.#fetched(input, copy).catch(async (error: unknown) => {
      await this.release(input);
      throw error;
    });
    if (file === undefined) await this.release(input);
    return file;
  }

  async release({ sha256 }: KeptInput): Promise<void> {
    if (this.#copies.has(sha256)) this.#used(sha256, -1);
    const unused = [...this.#copies].filter(([, { users }]) => users <= 0);
    let sum = unused.reduce((all, [, { bytes }]) => all + bytes, 0);
    for (const [oldest, { bytes }] of unused) {
      if (sum <= this.#maxUnusedBytes) return;
      sum -= bytes;
      await this.#removeCopy(oldest);
    }
  }

  async #fetched(input: KeptInput, copy: LocalCopy): Promise<string | undefined> {
    const file = await this.#copyOf(input);
    const existing = await stat(file).catch(() => undefined);
    if (existing) {
      copy.bytes = existing.size;
      return file;
    }
    const temporary = `${file}.${randomUUID()}.coming`;
    const sha256 = await writeHashed(this.bytes(input), createWriteStream(temporary, { mode: 0o600 }));
    if (sha256 !== input.sha256) {
      await rm(temporary, { force: true });
      return undefined;
    }
    copy.bytes = (await stat(temporary)).size;
    await rename(temporary, file);
    return file;
  }

  #used(sha256: string, change: 1 | -1): LocalCopy {
    const copy = this.#copies.get(sha256) ?? { users: 0, bytes: 0 };
    copy.users += change;
    this.#copies.delete(sha256);
    this.#copies.set(sha256, copy);
    return copy;
  }

  async #removeCopy(sha256: string): Promise<void> {
    this.#copies.delete(sha256);
    if (!this.#folder) return;
    const removal = rm(join(await this.#folder, sha256), { recursive: true, force: true });
    this.#removals.set(sha256, removal);
    await removal.finally(() => {
      if (this.#removals.get(sha256) === removal) this.#removals.delete(sha256);
    });
  }

  place({ sha256, name }: KeptInput): string {
    return `${this.#db.location} inputs/${sha256}/${basename(name)}`;
  }

  async *bytes(input: KeptInput): AsyncIterable<Uint8Array> {
    const { sha256 } = input;
    const kept = await this.#db.get<{ bytes: number }>('SELECT bytes FROM inputs WHERE sha256 = $1', [
      sha256,
    ]);
    for (let n = 0, left = kept?.bytes ?? 1; left > 0; n += 1) {
      const chunk = await this.#db.get<{ bytes: Uint8Array }>(PIECE, [sha256, n]);
      if (!chunk) throw new Error(`${this.place(input)}: piece ${n} is gone`);
      yield chunk.bytes;
      left -= chunk.bytes.length;
    }
  }

  async list(): Promise<readonly { readonly sha256: string; readonly keptAt: number }[]> {
    return this.#db.all('SELECT sha256, kept_at AS "keptAt" FROM inputs ORDER BY sha256');
  }

  async remove(sha256: string): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await tx.run('DELETE FROM input_pieces WHERE sha256 = $1', [sha256]);
      await tx.run('DELETE FROM inputs WHERE sha256 = $1', [sha256]);
    });
    if (DIGEST.test(sha256)) await this.#removeCopy(sha256);
  }

  async close(): Promise<void> {
    if (this.#folder) await rm(await this.#folder, { recursive: true, force: true });
    // A process that resumes a run killed at its very end reads no input, but must remove what that run left.
    else await removeStrays();
    this.#folder = undefined;
    this.#copies.clear();
  }

  /** Stores a file; returns its size. */
  async #keep({ sha256, name }: KeptInput, file: string): Promise<number> {
    return this.#db.transaction(async (tx) => {
      const handle = await open(file);
      try {
        const { size } = await handle.stat();
        const row = await tx.get<{ isNew: number }>(KEEP, [sha256, name, size, this.#clock.now()]);
        if (!row?.isNew) return size;
        let n = 0;
        const stream = handle.createReadStream({ highWaterMark: PIECE_BYTES, autoClose: false });
        for await (const chunk of stream) {
          await tx.run(KEEP_PIECE, [sha256, n, chunk]);
          n += 1;
        }
        return size;
      } finally {
        await handle.close();
      }
    });
  }

  async #copyOf({ sha256, name }: KeptInput): Promise<string> {
    const folder = join(await this.#local(), sha256);
    await this.#removals.get(sha256);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return join(folder, basename(name));
  }

  #local(): Promise<string> {
    this.#folder ??= makeLocal();
    return this.#folder;
  }
}

/** A private folder of this process. */
async function makeLocal(): Promise<string> {
  await removeStrays();
  return mkdtemp(join(tmpdir(), `${LOCAL}${process.pid}-`));
}

/** Removes the folders of processes that were killed. */
async function removeStrays(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((it) => it.startsWith(LOCAL))) {
    const process = Number(name.slice(LOCAL.length).split('-')[0]);
    const left = { process, host: hostname() };
    if (process > 0 && !isAlive(left))
      await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {});
  }
}

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

/** Paths may be too long for an index. */
function digestOf(realFile: string): string {
  return createHash('sha256').update(realFile).digest('hex');
}
