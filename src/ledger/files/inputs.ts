import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncFolder } from '../../util/atomic-file.js';
import { removeLeftTemporaries, temporaryPath } from '../../util/temporary-file.js';
import type { InputStore, KeptInput } from '../contract/inputs.js';

const CHUNK_BYTES = 1 << 20;
/** Any other name must lead to no file: `..` is the ledger itself. */
const DIGEST = /^[0-9a-f]{64}$/;

export function inputsFolder(stateFolder: string): string {
  return join(stateFolder, 'inputs');
}

/** Inputs as files in the state folder: `inputs/<sha256>/<name>`. */
export class InputFiles implements InputStore {
  readonly #folder: string;

  constructor(stateFolder: string) {
    this.#folder = inputsFolder(stateFolder);
  }

  async put(name: string, bytes: AsyncIterable<Uint8Array>): Promise<KeptInput> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await removeLeftTemporaries(this.#folder);
    const temporary = temporaryPath(this.#folder);
    const hash = createHash('sha256');
    const hashed = async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    };
    try {
      await pipeline(bytes, hashed, createWriteStream(temporary, { mode: 0o600, flush: true }));
      const input = { sha256: hash.digest('hex'), name: basename(name) };
      const kept = this.place(input);
      await mkdir(dirname(kept), { recursive: true, mode: 0o700 });
      await rename(temporary, kept);
      await chmod(kept, 0o600);
      await syncFolder(dirname(kept));
      return input;
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async file(input: KeptInput): Promise<string | undefined> {
    if (!DIGEST.test(input.sha256)) return undefined;
    const kept = this.place(input);
    return access(kept).then(
      () => kept,
      () => undefined,
    );
  }

  /** What lies here is the input itself. */
  async letGo(): Promise<void> {}

  place({ sha256, name }: KeptInput): string {
    return join(this.#folder, sha256, basename(name));
  }

  bytes(input: KeptInput): AsyncIterable<Uint8Array> {
    return createReadStream(this.place(input), { highWaterMark: CHUNK_BYTES });
  }

  async list(): Promise<readonly { readonly sha256: string; readonly keptAt: number }[]> {
    const names = (await readdir(this.#folder).catch(() => [])).filter((it) => DIGEST.test(it));
    const found: { sha256: string; keptAt: number }[] = [];
    for (const name of names) {
      const about = await stat(join(this.#folder, name)).catch(() => undefined);
      if (about) found.push({ sha256: name, keptAt: about.mtimeMs });
    }
    return found;
  }

  async remove(sha256: string): Promise<void> {
    if (DIGEST.test(sha256)) await rm(join(this.#folder, sha256), { recursive: true, force: true });
  }
}
