import { readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { RunStore } from '../../ledger/contract/runs.js';
import { systemClock } from '../../util/clock.js';
import { CellsFile } from './cells-file.js';

/** More is made again when it is asked for. */
const MOST_BYTES = 2 * 1024 ** 3;
const NAME = /^[\w-]+\.cells$/;
/** Files that are open at a time. */
const OPEN = 8;

function folderOf(stateFolder: string): string {
  return path.join(stateFolder, 'cells');
}

/** Where the cells of a run lie, or would. @param run its id, which holds nothing but letters, digits and hyphens */
export function cellsPath(stateFolder: string, run: string): string {
  const name = `${run}.cells`;
  if (!NAME.test(name)) throw new Error(`no id of a run: ${run}`);
  return path.join(folderOf(stateFolder), name);
}

/** Removes what was used longest ago while all of it is more than there is room for. Never rejects. */
export async function tidyCells(stateFolder: string, most = MOST_BYTES): Promise<void> {
  const files = await listed(stateFolder);
  let sum = files.reduce((all, it) => all + it.size, 0);
  for (const { file, size } of files) {
    if (sum <= most) return;
    await rm(file, { force: true }).catch(() => {});
    sum -= size;
  }
}

/** Removes the cells of runs that were pruned, and what nobody used since a time: both hold rows. */
export async function pruneCells(
  stateFolder: string,
  runs: Pick<RunStore, 'get'>,
  before: number,
): Promise<void> {
  for (const { file, usedAt } of await listed(stateFolder)) {
    const run = await runs.get(path.basename(file, '.cells'));
    if (usedAt < before || !run || run.prunedAt !== undefined)
      await rm(file, { force: true }).catch(() => {});
  }
}

/** The one that was used longest ago first. */
async function listed(
  stateFolder: string,
): Promise<readonly { readonly file: string; readonly size: number; readonly usedAt: number }[]> {
  const names = await readdir(folderOf(stateFolder)).catch(() => []);
  const found: { file: string; size: number; usedAt: number }[] = [];
  for (const name of names.filter((it) => NAME.test(it))) {
    const file = path.join(folderOf(stateFolder), name);
    const about = await stat(file).catch(() => undefined);
    if (about) found.push({ file, size: about.size, usedAt: about.mtimeMs });
  }
  return found.sort((a, b) => a.usedAt - b.usedAt);
}

interface Held {
  readonly file: Promise<CellsFile | undefined>;
  users: number;
}

/** The files of cells that a long-lived process reads: the last few stay open. */
export class OpenCells {
  readonly #stateFolder: string;
  readonly #held = new Map<string, Held>();

  constructor(stateFolder: string) {
    this.#stateFolder = stateFolder;
  }

  /** Gives undefined to the work where there is no such file (any more): it can be made again. */
  async with<T>(run: string, work: (cells: CellsFile | undefined) => Promise<T>): Promise<T> {
    const held = this.#held.get(run) ?? this.#open(run);
    this.#held.delete(run);
    this.#held.set(run, held);
    held.users += 1;
    try {
      const file = await held.file;
      if (!file) this.#held.delete(run);
      return await work(file);
    } finally {
      held.users -= 1;
      await this.#closeOthers();
    }
  }

  async close(): Promise<void> {
    for (const { file } of this.#held.values()) await (await file)?.close();
    this.#held.clear();
  }

  #open(run: string): Held {
    const path = cellsPath(this.#stateFolder, run);
    const now = new Date(systemClock.now());
    // Tells that it is in use.
    utimes(path, now, now).catch(() => {});
    return { file: CellsFile.open(path), users: 0 };
  }

  async #closeOthers(): Promise<void> {
    for (const [run, { file, users }] of this.#held) {
      if (this.#held.size <= OPEN) return;
      if (users > 0) continue;
      this.#held.delete(run);
      await (await file)?.close();
    }
  }
}
