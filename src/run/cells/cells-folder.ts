import { readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Ledger } from '../../ledger/contract/ledger.js';
import { systemClock } from '../../util/clock.js';
import { CellsFile } from './cells-file.js';

/** Limit of all files. Deleted files are rebuilt on request. */
const MAX_BYTES = 2 * 1024 ** 3;
const NAME = /^[\w-]+\.cells$/;
/** Maximum number of open files. */
const OPEN = 8;

function folderOf(stateFolder: string): string {
  return path.join(stateFolder, 'cells');
}

/**
 * Path of a run's cells, whether the file exists or not.
 * @param run its id, which contains only letters, digits and hyphens
 */
export function cellsPath(stateFolder: string, run: string): string {
  const name = `${run}.cells`;
  if (!NAME.test(name)) throw new Error(`no id of a run: ${run}`);
  return path.join(folderOf(stateFolder), name);
}

/** Removes the least recently used files while the total exceeds the limit. Never rejects. */
export async function tidyCells(stateFolder: string, maxBytes = MAX_BYTES): Promise<void> {
  const files = await listed(stateFolder);
  let sum = files.reduce((total, { size }) => total + size, 0);
  for (const { file, size } of files) {
    if (sum <= maxBytes) return;
    await rm(file, { force: true }).catch(() => {});
    sum -= size;
  }
}

/** Removes the cells of pruned runs, and those not used since a time, because cells contain row data. */
export async function pruneCells(
  stateFolder: string,
  runs: Pick<Ledger['runs'], 'get'>,
  before: number,
): Promise<void> {
  for (const { file, usedAt } of await listed(stateFolder)) {
    const run = await runs.get(path.basename(file, '.cells'));
    if (usedAt < before || !run || run.prunedAt !== undefined)
      await rm(file, { force: true }).catch(() => {});
  }
}

/** The least recently used first. */
async function listed(
  stateFolder: string,
): Promise<readonly { readonly file: string; readonly size: number; readonly usedAt: number }[]> {
  const names = await readdir(folderOf(stateFolder)).catch(() => []);
  const found: { file: string; size: number; usedAt: number }[] = [];
  for (const name of names.filter((name) => NAME.test(name))) {
    const file = path.join(folderOf(stateFolder), name);
    const stats = await stat(file).catch(() => undefined);
    if (stats) found.push({ file, size: stats.size, usedAt: stats.mtimeMs });
  }
  return found.sort((a, b) => a.usedAt - b.usedAt);
}

interface OpenFile {
  readonly file: Promise<CellsFile | undefined>;
  users: number;
}

/** The `.cells` files that a long-running process reads. The last few stay open. */
export class OpenCells {
  readonly #stateFolder: string;
  readonly #files = new Map<string, OpenFile>();

  constructor(stateFolder: string) {
    this.#stateFolder = stateFolder;
  }

  /** Calls the work with undefined if the file does not exist (any more); it can be rebuilt. */
  async with<T>(run: string, work: (cells: CellsFile | undefined) => Promise<T>): Promise<T> {
    const opened = this.#files.get(run) ?? this.#open(run);
    this.#files.delete(run);
    this.#files.set(run, opened);
    opened.users += 1;
    try {
      const file = await opened.file;
      if (!file) this.#files.delete(run);
      return await work(file);
    } finally {
      opened.users -= 1;
      await this.#closeOthers();
    }
  }

  async close(): Promise<void> {
    for (const { file } of this.#files.values()) await (await file)?.close();
    this.#files.clear();
  }

  #open(run: string): OpenFile {
    const path = cellsPath(this.#stateFolder, run);
    const now = new Date(systemClock.now());
    // Marks the file as recently used.
    utimes(path, now, now).catch(() => {});
    return { file: CellsFile.open(path), users: 0 };
  }

  async #closeOthers(): Promise<void> {
    for (const [run, { file, users }] of this.#files) {
      if (this.#files.size <= OPEN) return;
      if (users > 0) continue;
      this.#files.delete(run);
      await (await file)?.close();
    }
  }
}
