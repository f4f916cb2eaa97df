import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../util/atomic-file.js';
import { removeLeftTemporaries, temporaryPath } from '../../util/temporary-file.js';
import type { PendingFile, PendingFileStore } from '../contract/pending-files.js';

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

/** A note that can't be read is none: the file's history decides then. */
async function read(note: string): Promise<PendingFile | undefined> {
  try {
    const { file, sha256, at } = JSON.parse(await readFile(note, 'utf8')) as Record<string, unknown>;
    if (typeof file !== 'string' || typeof sha256 !== 'string' || typeof at !== 'number') return undefined;
    return { file, sha256, at };
  } catch {
    return undefined;
  }
}
