import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../util/atomic-file.js';
import { removeLeftTemporaries, temporaryPath } from '../util/temporary-file.js';
import { fileStateOf } from './find-files.js';
import { realFile } from './real-file.js';

/**
 * A file that was taken up and is still to be moved. Tells a file that was left over (by a crash, or because it could
 * not be moved) from one that somebody laid there again.
 */
export interface PendingFile {
  readonly file: string;
  /** Hex. */
  readonly sha256: string;
  /** The run of it began then or later; milliseconds since 1970. */
  readonly at: number;
}

function folderOf(stateFolder: string): string {
  return path.join(stateFolder, 'inbox');
}

async function noteOf(stateFolder: string, file: string): Promise<string> {
  const name = createHash('sha256')
    .update(await realFile(file))
    .digest('hex')
    .slice(0, 32);
  return path.join(folderOf(stateFolder), `${name}.json`);
}

/** Durable when it resolves. */
export async function rememberPending(stateFolder: string, it: PendingFile): Promise<void> {
  const folder = folderOf(stateFolder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = temporaryPath(folder);
  await writeFile(temporary, JSON.stringify(it), { mode: 0o600, flush: true });
  await rename(temporary, await noteOf(stateFolder, it.file));
  await syncFolder(folder);
}

export async function forgetPending(stateFolder: string, file: string): Promise<void> {
  await rm(await noteOf(stateFolder, file), { force: true });
}

export async function pendingFile(stateFolder: string, file: string): Promise<PendingFile | undefined> {
  return read(await noteOf(stateFolder, file));
}

/** Forgets the files of a folder that are there no more: somebody else took them away. */
export async function forgetGone(stateFolder: string, folder: string): Promise<void> {
  const notes = folderOf(stateFolder);
  await removeLeftTemporaries(notes);
  for (const name of await readdir(notes).catch(() => [])) {
    if (!name.endsWith('.json')) continue;
    const it = await read(path.join(notes, name));
    if (!it || path.dirname(it.file) !== folder || (await fileStateOf(it.file)) !== 'gone') continue;
    await rm(path.join(notes, name), { force: true });
  }
}

async function read(note: string): Promise<PendingFile | undefined> {
  try {
    const { file, sha256, at } = JSON.parse(await readFile(note, 'utf8')) as Record<string, unknown>;
    if (typeof file !== 'string' || typeof sha256 !== 'string' || typeof at !== 'number') return undefined;
    return { file, sha256, at };
  } catch {
    return undefined;
  }
}
