import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Message, message } from '../errors/message.js';
import { EXIT } from '../model/exit-code.js';
import type { Clock } from '../util/clock.js';
import { matchesPattern } from './pattern.js';

/** A file of the input folder that is left where it is, and why. */
export interface LeftFile {
  readonly file: string;
  readonly reason: Message;
  /** What it adds to the exit code of the command; nothing when it only waits. */
  readonly exitCode?: number;
}

/** A file whose writer is through with it, as it was found. */
export interface FoundFile {
  readonly file: string;
  /** Differs when the file is written to, or replaced. */
  readonly state: string;
}

interface FoundFiles {
  /** By name, in the order of their UTF-16 code units, as `sort` does. */
  readonly ready: readonly FoundFile[];
  readonly left: readonly LeftFile[];
}

/** A file as it is at the moment. */
interface FileState {
  /** Differs when the file is written to, or replaced. */
  readonly state: string;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
}

/** A file is taken for written when nothing happened to it for so long. */
export const QUIET_MS = 2_000;
/** Between two looks at files that have long been quiet. */
const APART_MS = 200;

/**
 * The files of a folder that fit a pattern. Hidden ones, folders and lock files are passed over; one that is open in
 * another program, or that changes between two looks, is left for the next time.
 */
export async function findFiles(
  folder: string,
  pattern: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<FoundFiles> {
  const left: LeftFile[] = [];
  const first = new Map<string, FileState>();
  for (const name of await readdir(folder)) {
    if (!isWanted(name, pattern)) continue;
    const file = path.join(folder, name);
    const seen = await fileStateOf(file);
    if (seen === 'gone' || seen === 'no file') continue;
    if (seen instanceof Error) left.push(unreadable(file, seen));
    else first.set(file, seen);
  }
  if (first.size > 0) await clock.sleep(waitFor([...first.values()], clock.now()), signal);
  const ready: FoundFile[] = [];
  for (const [file, { state }] of first) {
    const reason = await whyBusy({ file, state });
    if (reason) left.push({ file, reason });
    else ready.push({ file, state });
  }
  return { ready: ready.sort(byName), left: left.sort(byName) };
}

/** Why a file that was found may not be taken up yet; undefined when it is as it was and nobody has it open. */
export async function whyBusy({ file, state }: FoundFile): Promise<Message | undefined> {
  const lock = await lockBeside(file);
  if (lock !== undefined) return message('inbox.open_elsewhere', { lock });
  const now = await fileStateOf(file);
  if (now === 'gone' || now === 'no file') return message('inbox.gone');
  return now instanceof Error || now.state !== state ? message('inbox.changing') : undefined;
}

export function unreadable(file: string, error: unknown): LeftFile {
  const reason = (error as NodeJS.ErrnoException).code ?? String(error);
  return { file, reason: message('inbox.unreadable', { reason }), exitCode: EXIT.input };
}

/** Temporary files of this program are hidden ones. */
function isWanted(name: string, pattern: string): boolean {
  return !name.startsWith('.') && !name.startsWith('~$') && matchesPattern(pattern, name);
}

/** What lies at a path: a file, nothing (any more), something else, or what can't be looked at. */
export async function fileStateOf(file: string): Promise<FileState | 'gone' | 'no file' | Error> {
  try {
    const it = await stat(file, { bigint: true });
    if (!it.isFile()) return 'no file';
    const state = [it.dev, it.ino, it.size, it.mtimeNs].join(':');
    return { state, modifiedAt: Number(it.mtimeNs / 1_000_000n) };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : (error as Error);
  }
}

/** Until the youngest of the files has been quiet for long enough. */
function waitFor(looks: readonly FileState[], now: number): number {
  let wait = APART_MS;
  for (const { modifiedAt } of looks) {
    const age = now - modifiedAt;
    // A time to come says nothing: clocks of file servers go as they like.
    wait = Math.max(wait, age < 0 ? QUIET_MS : QUIET_MS - age);
  }
  return wait;
}

/** What Excel and LibreOffice lay beside a workbook that is open. */
async function lockBeside(file: string): Promise<string | undefined> {
  const { dir, base } = path.parse(file);
  for (const lock of [`~$${base}`, `.~lock.${base}#`]) {
    const seen = await fileStateOf(path.join(dir, lock));
    if (typeof seen === 'object' && 'state' in seen) return lock;
  }
  return undefined;
}

function byName(a: { readonly file: string }, b: { readonly file: string }): number {
  return a.file < b.file ? -1 : a.file > b.file ? 1 : 0;
}
