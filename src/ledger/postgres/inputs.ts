import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, open, rename, rm, stat } from 'node:fs/promises';
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

/** Copies that nobody reads are kept up to so much of them: most are asked for again soon. */
const KEPT_BYTES = 256 * 1024 ** 2;

interface LocalCopy {
  /** By how many it is being read. */
  users: number;
  bytes: number;
}

/**
 * Inputs in pieces in the ledger; what is read is a copy of this process's own. Those that were let go of stay while there is
 * room, the last ones longest; all go when the ledger is closed.
 */
export class PostgresInputStore implements InputStore {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #room: number;
  /** By digest, the one that was used last at the end. */
  readonly #copies = new Map<string, LocalCopy>();
  /** Being removed: whoever wants one of them waits until it is gone. */
  readonly #going = new Map<string, Promise<void>>();
  #folder: Promise<string> | undefined;

  /** @param room bytes of copies that nobody reads, at most */
  constructor(db: Database, clock: Clock, room = KEPT_BYTES) {
    this.#db = db;
    this.#clock = clock;
    this.#room = room;
  }

  async put(name: string, bytes: AsyncIterable<Uint8Array>): Promise<KeptInput> {
    // Several may come at a time.
    const temporary = join(await this.#local(), `coming-${randomUUID()}`);
    try {
      const sha256 = await write(bytes, temporary);
      const input = { sha256, name: basename(name) };
      const size = await this.#keep(input, temporary);
      const copy = this.#used(sha256, 1);
      try {
        await rename(temporary, await this.#copyOf(input));
        copy.bytes = size;
      } finally {
        await this.letGo(input);
      }
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
    const copy = this.#used(input.sha256, 1);
    const file = await this.#fetched(input, copy).catch(async (error: unknown) => {
      await this.letGo(input);
      throw error;
    });
    if (file === undefined) await this.letGo(input);
    return file;
  }

  async letGo({ sha256 }: KeptInput): Promise<void> {
    if (this.#copies.has(sha256)) this.#used(sha256, -1);
    const unused = [...this.#copies].filter(([, { users }]) => users <= 0);
    let sum = unused.reduce((all, [, { bytes }]) => all + bytes, 0);
    for (const [oldest, { bytes }] of unused) {
      if (sum <= this.#room) return;
      sum -= bytes;
      await this.#removeCopy(oldest);
    }
  }

  async #fetched(input: KeptInput, copy: LocalCopy): Promise<string | undefined> {
    const file = await this.#copyOf(input);
    const there = await stat(file).catch(() => undefined);
    if (there) {
      copy.bytes = there.size;
      return file;
    }
    const coming = `${file}.${randomUUID()}.coming`;
    const sha256 = await write(this.bytes(input), coming);
    if (sha256 !== input.sha256) {
      await rm(coming, { force: true });
      return undefined;
    }
    copy.bytes = (await stat(coming)).size;
    await rename(coming, file);
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
    const going = rm(join(await this.#folder, sha256), { recursive: true, force: true });
    this.#going.set(sha256, going);
    await going.finally(() => {
      if (this.#going.get(sha256) === going) this.#going.delete(sha256);
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
    if (DIGEST.test(sha256)) await this.#removeCopy(sha256);
  }

  async close(): Promise<void> {
    if (this.#folder) await rm(await this.#folder, { recursive: true, force: true });
    // Whoever goes on with a run that was killed at its very end needs no input, and leaves none of it behind either.
    else await removeStrays();
    this.#folder = undefined;
    this.#copies.clear();
  }

  /** Gives its size. */
  async #keep({ sha256, name }: KeptInput, file: string): Promise<number> {
    return this.#db.transaction(async (tx) => {
      const handle = await open(file);
      try {
        const { size } = await handle.stat();
        const row = await tx.get<{ isNew: number }>(KEEP, [sha256, name, size, this.#clock.now()]);
        if (!row?.isNew) return size;
        let n = 0;
        const stream = handle.createReadStream({ highWaterMark: PIECE_BYTES, autoClose: false });
        for await (const piece of stream) {
          await tx.run(KEEP_PIECE, [sha256, n, piece]);
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
    await this.#going.get(sha256);
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
