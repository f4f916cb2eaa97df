import { createHash, randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { isAlive, ownProcess } from './process-alive.js';

const HOST = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
/** Distinguishes this process from an earlier one with the same id, as the first process of a container always has. */
const PROCESS = randomBytes(4).toString('hex');
/** Names this process wherever it runs, for what it must remove again. */
export const OWN_MARK = `${HOST}-${process.pid}-${PROCESS}`;
const NAME = /^\.license-sync-([0-9a-f]{8}-\d+-[0-9a-f]{8})-\d+\.tmp$/;
/** Processes of other machines can't be checked; a file unchanged for this long belongs to none of them. */
const FORGOTTEN_MS = 24 * 3_600_000;

let made = 0;

/** An unused name for a temporary file. It contains the process, so that the file can be removed after a crash. */
export function temporaryPath(folder: string): string {
  made += 1;
  return path.join(folder, `.license-sync-${OWN_MARK}-${made}.tmp`);
}

/** Removes temporary files that killed processes left in a folder, but not those of living ones. Never rejects. */
export async function removeLeftTemporaries(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const mark = NAME.exec(name)?.[1];
    if (mark === undefined) continue;
    const file = path.join(folder, name);
    if (await isLeft(file, mark)) await rm(file, { force: true }).catch(() => {});
  }
}

/** Whether the process is gone that made a file, or folder, and marked it. */
export async function isLeft(file: string, mark: string): Promise<boolean> {
  const [host, owner, start] = mark.split('-');
  return host === HOST ? !isOwned(Number(owner), start) : isForgotten(file);
}

function isOwned(id: number, start: string | undefined): boolean {
  return id === process.pid ? start === PROCESS : isAlive({ ...ownProcess(), process: id });
}

async function isForgotten(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > FORGOTTEN_MS;
}
