import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { readdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { cwd } from 'node:process';
import { temporaryPath } from '../../util/atomic-file.js';
import { exactParse, exactStringify } from '../../util/exact-json.js';
import { isAlive, ownProcess, type ProcessPlace } from '../../util/process.js';
import type { AttemptEnd, Intent } from '../contract/execution.js';

/*
 * A reply must not become unknown because the ledger's server is unreachable. It is kept in a file next to the job, readable
 * by its owner only. The next process on this machine that opens the ledger imports it (kept-replies.ts). Each line begins
 * with a digest of the rest; the first line identifies the ledger and the process.
 */

/** A record that could not be written to the ledger. */
export type Spooled =
  | { readonly end: AttemptEnd }
  /** An intent that may have been written, although nothing was sent. */
  | { readonly unsent: Intent };

/** The ledger's location as shown to users, and the process that writes the file. */
export interface SpoolHead extends ProcessPlace {
  readonly location: string;
}

const NAME = /^\.license-sync-replies-.*\.ndjson$/;
/** The name of a file that is being imported. No process writes to a file of this name. */
const QUARANTINED = /-taken-[0-9a-f]{8}\.ndjson$/;

/** The files of this process, one for each folder. */
export class Spool {
  readonly #location: string;
  readonly #files = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  constructor(location: string) {
    this.#location = location;
  }

  /** Number of ends in each file. */
  get kept(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** The file for a folder, or for the working directory if the folder isn't on this machine. */
  fileFor(jobFolder: string | undefined): string {
    const folder = jobFolder !== undefined && existsSync(jobFolder) ? jobFolder : cwd();
    const existing = this.#files.get(folder);
    if (existing) return existing;
    const suffix = path.basename(temporaryPath(folder)).replace(/^\.license-sync-|\.tmp$/g, '');
    const file = path.join(folder, `.license-sync-replies-${suffix}.ndjson`);
    this.#files.set(folder, file);
    return file;
  }

  /**
   * Appends lines; on disk when this returns. Synchronous, so other work waits. If the lines can't be written completely, the
   * file does not change.
   * @param how `forPerson`: the next command can't import it either, so it isn't counted in `kept`
   */
  keep(file: string, lines: readonly Spooled[], { forPerson = false } = {}): void {
    while (!this.#append(file, lines));
    if (forPerson) return;
    const ends = lines.filter((it) => 'end' in it).length;
    this.#counts.set(file, (this.#counts.get(file) ?? 0) + ends);
  }

  /** @returns false when the file was imported and removed during the write */
  #append(file: string, lines: readonly Spooled[]): boolean {
    const text = lines.map(toLine).join('');
    // Opened without creating: the file may have been renamed for import.
    const handle = openExisting(file);
    if (handle === undefined) {
      const head: SpoolHead = { location: this.#location, ...ownProcess() };
      create(file, toLine(head) + text);
      return true;
    }
    try {
      const { size } = fstatSync(handle);
      try {
        // Starts a new line, because the previous line may be cut off.
        writeFileSync(handle, `\n${text}`);
        fsyncSync(handle);
      } catch (error) {
        ftruncateSync(handle, size);
        throw error;
      }
      return fstatSync(handle).nlink > 0;
    } finally {
      closeSync(handle);
    }
  }
}

function openExisting(file: string): number | undefined {
  try {
    return openSync(file, constants.O_WRONLY | constants.O_APPEND);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Creates the file completely or not at all. */
function create(file: string, text: string): void {
  const folder = path.dirname(file);
  const temporary = temporaryPath(folder);
  try {
    const handle = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(folder);
}

export interface SpoolFile {
  readonly head: SpoolHead | undefined;
  readonly lines: readonly Spooled[];
  /** Number of lines that can't be read. */
  readonly damaged: number;
  readonly bytes: number;
}

export async function leftSpools(folders: Iterable<string>): Promise<readonly string[]> {
  const files: string[] = [];
  for (const folder of new Set(folders)) {
    const names = await readdir(folder).catch(() => []);
    files.push(...names.filter((it) => NAME.test(it)).map((it) => path.join(folder, it)));
  }
  return files.sort();
}

/** Renames a file so that no process writes to it, and nothing added later is removed with it. */
export async function quarantine(file: string): Promise<string> {
  if (QUARANTINED.test(file)) return file;
  const quarantined = file.replace(/\.ndjson$/, `-taken-${randomBytes(4).toString('hex')}.ndjson`);
  await rename(file, quarantined);
  return quarantined;
}

export async function readSpool(file: string): Promise<SpoolFile> {
  const content = await readFile(file);
  const [first, ...rest] = content.toString('utf8').split('\n');
  const lines = rest.filter((it) => it !== '').map(fromLine);
  const head = fromLine(first ?? '') as SpoolHead | undefined;
  return {
    head,
    lines: lines.filter((it) => it !== undefined) as Spooled[],
    damaged: lines.filter((it) => it === undefined).length + (head ? 0 : 1),
    bytes: content.length,
  };
}

/** Whether another process of this machine may still write to the file. */
export function isBeingWritten({ host, process: id }: SpoolHead): boolean {
  const current = ownProcess();
  return host === current.host && id !== current.process && isAlive({ host, process: id });
}

function toLine(content: SpoolHead | Spooled): string {
  const json = exactStringify(content);
  return `${digestOf(json)} ${json}\n`;
}

function fromLine(line: string): unknown {
  const json = line.slice(17);
  if (line[16] !== ' ' || digestOf(json) !== line.slice(0, 16)) return undefined;
  return exactParse(json);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Makes the file's name durable. */
function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    fsyncSync(handle);
    closeSync(handle);
  } catch {
    // Not supported on Windows.
  }
}
