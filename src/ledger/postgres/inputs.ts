import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, readdirSync } from 'node:fs';
import { access, mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../util/clock.js';
import { isAlive } from '../../util/process-alive.js';
import type { InputStore, KeptInput } from '../contract/inputs.js';
import type { Database } from './database.js';

const PIECE_BYTES = 512 * 1024;
const LOCAL = 'license-sync-inputs-';
const DIGEST = /^[0-9a-f]{64}$/;

const KEEP = `
INSERT INTO inputs (sha256, name, bytes, kept_at) VALUES ($1, $2, $3, $4) ON CONFLICT (sha256) DO UPDATE SET kept_at = $4
RETURNING (xmax = 0)::int AS "isNew"`;
const KEEP_PIECE = 'INSERT INTO input_pieces (sha256, n, bytes) VALUES ($1, $2, $3)';
const PIECE = 'SELECT bytes FROM input_pieces WHERE sha256 = $1 AND n = $2';

/** Inputs in pieces in the ledger; what is read is a copy of this process's own, which goes when the ledger is closed. */
export class PostgresInputStore implements InputStore {
  readonly #db: Database;
  readonly #clock: Clock;
  #folder: Promise<string> | undefined;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  async put(name: string, bytes: AsyncIterable<Uint8Array>): Promise<KeptInput> {
    // Several may come at a time.
    const temporary = join(await this.#local(), `coming-${randomUUID()}`);
    try {
      const sha256 = await write(bytes, temporary);
      const input = { sha256, name: basename(name) };
      await this.#keep(input, temporary);
      const file = await this.#copyOf(input);
      await rename(temporary, file);
      return input;
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async file(input: KeptInput): Promise<string | undefined> {
    if (!DIGEST.test(input.sha256)) return undefined;
    // Others may have pruned it since.
    if ((await this.#db.get('SELECT 1 FROM inputs WHERE sha256 = $1', [input.sha256])) === undefined)
      return undefined;
    const file = await this.#copyOf(input);
    if (
      await access(file).then(
        () => true,
        () => false,
      )
    )
      return file;
    const coming = `${file}.${randomUUID()}.coming`;
    const sha256 = await write(this.bytes(input), coming);
    if (sha256 !== input.sha256) {
      await rm(coming, { force: true });
      return undefined;
    }
    await rename(coming, file);
    return file;
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
      const piece = await this.#db.get<{ bytes: Uint8Array }>(PIECE, [sha256, n]);
      if (!piece) throw new Error(`${this.place(input)}: piece ${n} is gone`);
      yield piece.bytes;
      left -= piece.bytes.length;
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
    if (this.#folder && DIGEST.test(sha256)) {
      await rm(join(await this.#folder, sha256), { recursive: true, force: true });
    }
  }

  async close(): Promise<void> {
    if (this.#folder) await rm(await this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }

  async #keep({ sha256, name }: KeptInput, file: string): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const handle = await open(file);
      try {
        const { size } = await handle.stat();
        const row = await tx.get<{ isNew: number }>(KEEP, [sha256, name, size, this.#clock.now()]);
        if (!row?.isNew) return;
        let n = 0;
        const stream = handle.createReadStream({ highWaterMark: PIECE_BYTES, autoClose: false });
        for await (const piece of stream) {
          await tx.run(KEEP_PIECE, [sha256, n, piece]);
          n += 1;
        }
      } finally {
        await handle.close();
      }
    });
  }

  async #copyOf({ sha256, name }: KeptInput): Promise<string> {
    const folder = join(await this.#local(), sha256);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return join(folder, basename(name));
  }

  #local(): Promise<string> {
    this.#folder ??= makeLocal();
    return this.#folder;
  }
}

/** A private folder of this process; those of processes that were killed are removed. */
async function makeLocal(): Promise<string> {
  for (const name of readdirSync(tmpdir()).filter((it) => it.startsWith(LOCAL))) {
    const process = Number(name.slice(LOCAL.length).split('-')[0]);
    const left = { process, host: hostname() };
    if (process > 0 && !isAlive(left))
      await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {});
  }
  return mkdtemp(join(tmpdir(), `${LOCAL}${process.pid}-`));
}

/** Gives the digest of what was written. */
async function write(bytes: AsyncIterable<Uint8Array>, file: string): Promise<string> {
  const hash = createHash('sha256');
  const hashed = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
  await pipeline(bytes, hashed, createWriteStream(file, { mode: 0o600 }));
  return hash.digest('hex');
}
