import { lstat, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Message, message } from '../errors/message.js';
import { EXIT } from '../model/exit-code.js';
import type { Clock } from '../util/clock.js';
import { matchesPattern } from '../util/name-pattern.js';

/** A file that stays where it is, and why. */
export interface LeftFile {
  readonly file: string;
  readonly reason: Message;
  /** What it contributes to the command's exit code; absent when it only waits. */
  readonly exitCode?: number;
}

/** A file that is completely written, as it was found. */
export interface FoundFile {
  readonly file: string;
  /** Changes when the file is written to or replaced. */
  readonly state: string;
}

interface Looking {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** How long a file must be unchanged. */
  readonly settleMs?: number | undefined;
}

interface FoundFiles {
  /** By name, in the order of their UTF-16 code units, as `sort` does. */
  readonly ready: readonly FoundFile[];
  readonly left: readonly LeftFile[];
}

/** A file as it is now. */
export interface FileState {
  /** Differs when the file is written to, or replaced. */
  readonly state: string;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  readonly isEmpty: boolean;
}

/** How long size and time of a file must be unchanged before it is taken (`source.settle`). */
export const SETTLE_MS = 5_000;
/** Between two looks at files that haven't changed for long. */
const APART_MS = 200;

/**
 * The files of a folder that match a pattern. Hidden files, folders and lock files are ignored. A file that is empty, open in
 * another program, or that changes between two looks, is left for the next time. A name that is not valid UTF-8 and a link
 * that leads nowhere are errors: no program could open the file by that name.
 */
export async function findFiles(
  folder: string,
  pattern: string,
  { clock, signal, settleMs = SETTLE_MS }: Looking,
): Promise<FoundFiles> {
  const left: LeftFile[] = [];
  const first = new Map<string, FileState>();
  for (const bytes of await readdir(folder, { encoding: 'buffer' })) {
    const name = bytes.toString('utf8');
    if (!isWanted(name, pattern)) continue;
    const file = path.join(folder, name);
    if (!Buffer.from(name).equals(bytes)) {
      left.push({ file, reason: message('inbox.name_not_utf8'), exitCode: EXIT.someRowsWrong });
      continue;
    }
    const seen = await fileStateOf(file);
    if (seen === 'no file') continue;
    if (seen === 'gone') {
      if (await isLink(file))
        left.push({ file, reason: message('inbox.dangling_link'), exitCode: EXIT.someRowsWrong });
    } else if (seen instanceof Error) left.push(unreadable(file, seen));
    else if (seen.isEmpty) left.push({ file, reason: message('inbox.empty') });
    else first.set(file, seen);
  }
  if (first.size > 0) await clock.sleep(waitFor([...first.values()], clock.now(), settleMs), signal);
  const ready: FoundFile[] = [];
  for (const [file, { state }] of first) {
    const reason = await whyBusy({ file, state });
    if (reason) left.push({ file, reason });
    else ready.push({ file, state });
  }
  return { ready: ready.sort(byName), left: left.sort(byName) };
}

/** Why a file may not be processed yet; undefined when it is unchanged and nobody has it open. */
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

async function isLink(file: string): Promise<boolean> {
  const seen = await lstat(file).catch(() => undefined);
  return seen?.isSymbolicLink() === true;
}

/** Temporary files of this program are hidden. */
function isWanted(name: string, pattern: string): boolean {
  return !name.startsWith('.') && !name.startsWith('~$') && matchesPattern(pattern, name);
}

/** What is at a path: a file, nothing (any more), something else, or something that can't be read. */
export async function fileStateOf(file: string): Promise<FileState | 'gone' | 'no file' | Error> {
  try {
    const it = await stat(file, { bigint: true });
    if (!it.isFile()) return 'no file';
    const state = [it.dev, it.ino, it.size, it.mtimeNs].join(':');
    return { state, modifiedAt: Number(it.mtimeNs / 1_000_000n), isEmpty: it.size === 0n };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : (error as Error);
  }
}

/** How long to wait until the newest file has been unchanged for long enough. */
function waitFor(looks: readonly FileState[], now: number, settleMs: number): number {
  let wait = APART_MS;
  for (const { modifiedAt } of looks) {
    const age = now - modifiedAt;
    // A time in the future says nothing: the file server's clock may be wrong.
    wait = Math.max(wait, age < 0 ? settleMs : settleMs - age);
  }
  return wait;
}

/** The lock file that Excel or LibreOffice keeps beside an open workbook. */
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
