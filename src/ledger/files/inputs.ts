import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DISK_FULL, removeLeftTemporaries, syncFolder, temporaryPath } from '../../util/atomic-file.js';
import { writeHashed } from '../../util/files.js';
import type { InputStore, KeptInput, PendingFile, PendingFileStore } from '../contract/inputs.js';

const CHUNK_BYTES = 1 << 20;
/** Other names must not be used as paths: `..` is the ledger's folder. */
const DIGEST = /^[0-9a-f]{64}$/;

export function inputsFolder(stateFolder: string): string {
  return join(stateFolder, 'inputs');
}

/** Inputs as files in the state folder: `inputs/<sha256>/<name>`. */
export class InputFiles implements InputStore {
  readonly #folder: string;
  readonly #refuse: () => void;
  readonly #diskFull: (error: unknown, folder: string) => unknown;

  /**
   * @param refuse throws if nothing may be added to the ledger
   * @param diskFull creates the error for users
   */
  constructor(
    stateFolder: string,
    refuse = (): void => {},
    diskFull = (error: unknown, _folder: string): unknown => error,
  ) {
    this.#folder = inputsFolder(stateFolder);
    this.#refuse = refuse;
    this.#diskFull = diskFull;
  }

  async put(name: string, bytes: AsyncIterable<Uint8Array>): Promise<KeptInput> {
    this.#refuse();
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await removeLeftTemporaries(this.#folder);
    const temporary = temporaryPath(this.#folder);
    try {
      const sha256 = await writeHashed(bytes, createWriteStream(temporary, { mode: 0o600, flush: true }));
      const input = { sha256, name: basename(name) };
      const file = this.place(input);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await rename(temporary, file);
      await chmod(file, 0o600);
      await syncFolder(dirname(file));
      return input;
    } catch (error) {
      await rm(temporary, { force: true });
      throw DISK_FULL.has((error as NodeJS.ErrnoException).code ?? '')
        ? this.#diskFull(error, this.#folder)
        : error;
    }
  }

  async file(input: KeptInput): Promise<string | undefined> {
    if (!DIGEST.test(input.sha256)) return undefined;
    const file = this.place(input);
    return access(file).then(
      () => file,
      () => undefined,
    );
  }

  /** The file is the stored input itself, so nothing is to be released. */
  async release(): Promise<void> {}

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

/** A note for each file, in the folder `inbox` of the state folder: `inbox/<digest of its path>.json`. */
export class PendingFileNotes implements PendingFileStore {
  readonly #folder: string;

  constructor(stateFolder: string) {
    this.#folder = join(stateFolder, 'inbox');
  }

  async remember(realFile: string, pending: PendingFile): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const temporary = temporaryPath(this.#folder);
    await writeFile(temporary, JSON.stringify(pending), { mode: 0o600, flush: true });
    await rename(temporary, this.#note(realFile));
    await syncFolder(this.#folder);
  }

  async get(realFile: string): Promise<PendingFile | undefined> {
    return read(this.#note(realFile));
  }

  async forget(realFile: string): Promise<void> {
    await rm(this.#note(realFile), { force: true });
  }

  async list(): Promise<readonly PendingFile[]> {
    await removeLeftTemporaries(this.#folder);
    const names = (await readdir(this.#folder).catch(() => [])).filter((it) => it.endsWith('.json'));
    const found = await Promise.all(names.map((it) => read(join(this.#folder, it))));
    return found.filter((it) => it !== undefined);
  }

  #note(realFile: string): string {
    const digest = createHash('sha256').update(realFile).digest('hex');
    return join(this.#folder, `${digest.slice(0, 32)}.json`);
  }
}

/** A note that can't be read is ignored: the file's history decides then. */
async function read(note: string): Promise<PendingFile | undefined> {
  try {
    const { file, sha256, at } = JSON.parse(await readFile(note, 'utf8')) as Record<string, unknown>;
    if (typeof file !== 'string' || typeof sha256 !== 'string' || typeof at !== 'number') return undefined;
    return { file, sha256, at };
  } catch {
    return undefined;
  }
}
