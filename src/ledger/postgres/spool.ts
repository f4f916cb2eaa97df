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
import { exactParse, exactStringify } from '../../util/exact-json.js';
import { isAlive, ownProcess, type ProcessPlace } from '../../util/process-alive.js';
import { temporaryPath } from '../../util/temporary-file.js';
import type { AttemptEnd, Intent } from '../contract/attempt.js';

/*
 * What was answered must not become unknown because the ledger's server can't be reached any more: it is kept in a file
 * beside the job, on disk, readable by its owner alone. Whoever opens the ledger next on this machine takes it in
 * (take-in-spool.ts). Each line begins with a digest of the rest; the first says whose file it is.
 */

/** What a ledger couldn't be told. */
export type Spooled =
  | { readonly end: AttemptEnd }
  /** It may have been written, and nothing of it left. */
  | { readonly unsent: Intent };

/** Whose file it is: the ledger's address for people, and the process that writes it. */
export interface SpoolHead extends ProcessPlace {
  readonly location: string;
}

const NAME = /^\.license-sync-replies-.*\.ndjson$/;
/** A file that somebody takes in, or began to: nobody writes to one of this name. */
const ASIDE = /-taken-[0-9a-f]{8}\.ndjson$/;

/** The files of this process, one for each folder. */
export class Spool {
  readonly #location: string;
  readonly #files = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  constructor(location: string) {
    this.#location = location;
  }

  /** How many answers lie in which file. */
  get kept(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** Where what is kept for a folder goes; that of the program where the folder isn't on this machine. */
  fileFor(wanted: string | undefined): string {
    const folder = wanted !== undefined && existsSync(wanted) ? wanted : cwd();
    const known = this.#files.get(folder);
    if (known) return known;
    const own = path.basename(temporaryPath(folder)).replace(/^\.license-sync-|\.tmp$/g, '');
    const file = path.join(folder, `.license-sync-replies-${own}.ndjson`);
    this.#files.set(folder, file);
    return file;
  }

  /**
   * It is on disk when this returns. Nothing else can be done by then: other work waits. If it can't be written completely,
   * the file is as it was before: absent, or without these lines.
   * @param how `forPerson`: the next command can't take it in either, so it isn't counted as if
   */
  keep(file: string, lines: readonly Spooled[], { forPerson = false } = {}): void {
    while (!this.#append(file, lines));
    if (forPerson) return;
    const answers = lines.filter((it) => 'end' in it).length;
    this.#counts.set(file, (this.#counts.get(file) ?? 0) + answers);
  }

  /** @returns false where the file was taken in and removed under the hand that wrote */
  #append(file: string, lines: readonly Spooled[]): boolean {
    const text = lines.map(toLine).join('');
    // Not by its name alone: it may have been set aside since anybody looked.
    const handle = openExisting(file);
    if (handle === undefined) {
      const head: SpoolHead = { location: this.#location, ...ownProcess() };
      create(file, toLine(head) + text);
      return true;
    }
    try {
      const { size } = fstatSync(handle);
      try {
        // On a line of its own, also where a line before was cut off.
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

/** Under its name it is there as a whole, or not at all. */
function create(file: string, text: string): void {
  const folder = path.dirname(file);
  const making = temporaryPath(folder);
  try {
    const handle = openSync(making, 'wx', 0o600);
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(making, file);
  } catch (error) {
    rmSync(making, { force: true });
    throw error;
  }
  syncFolder(folder);
}

/** What lies in a file, and how many of its lines can't be read. */
export interface SpoolFile {
  readonly head: SpoolHead | undefined;
  readonly lines: readonly Spooled[];
  readonly damaged: number;
  readonly bytes: number;
}

/** Files of processes of this machine that are no more. */
export async function leftSpools(folders: Iterable<string>): Promise<readonly string[]> {
  const files: string[] = [];
  for (const folder of new Set(folders)) {
    const names = await readdir(folder).catch(() => []);
    files.push(...names.filter((it) => NAME.test(it)).map((it) => path.join(folder, it)));
  }
  return files.sort();
}

/** Gives a file a name that nobody writes to, so that what is added from now on isn't removed with it. */
export async function setAside(file: string): Promise<string> {
  if (ASIDE.test(file)) return file;
  const aside = file.replace(/\.ndjson$/, `-taken-${randomBytes(4).toString('hex')}.ndjson`);
  await rename(file, aside);
  return aside;
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

/** Whether the process that writes the file is still at work: it may write more. */
export function isBeingWritten({ host, process: id }: SpoolHead): boolean {
  const own = ownProcess();
  return host === own.host && id !== own.process && isAlive({ host, process: id });
}

function toLine(it: SpoolHead | Spooled): string {
  const json = exactStringify(it);
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

/** So that the file's name is on disk too. */
function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    fsyncSync(handle);
    closeSync(handle);
  } catch {
    // Windows has no such thing.
  }
}
