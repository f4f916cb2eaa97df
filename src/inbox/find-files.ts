import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Message, message } from '../errors/message.js';
import type { PendingFile } from '../ledger/contract/inputs.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import { EXIT } from '../model/run-outcome.js';
import { lockFileNextTo } from '../source/open-source.js';
import type { Clock } from '../util/clock.js';
import { matchesPattern } from '../util/name-match.js';

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

interface FindFilesOptions {
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

/** How long size and time of a file must be unchanged before it is processed (`source.settle`). */
export const SETTLE_MS = 5_000;
/** Minimum time between the two checks of a file. */
const CHECK_INTERVAL_MS = 200;

/**
 * The files of a folder that match a pattern. Hidden files, folders and lock files are ignored. A file that is empty, open in
 * another program, or that changes between two checks, is left for the next time. A name that is not valid UTF-8 and a
 * dangling link are errors: no program could open the file by that name.
 */
export async function findFiles(
  folder: string,
  pattern: string,
  { clock, signal, settleMs = SETTLE_MS }: FindFilesOptions,
): Promise<FoundFiles> {
  const left: LeftFile[] = [];
  const first = new Map<string, FileState>();
  for (const bytes of await readdir(folder, { encoding: 'buffer' })) {
    const name = bytes.toString('utf8');
    if (!isSelected(name, pattern)) continue;
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

/** Why a file may not be processed yet; undefined if it is unchanged and not open in another program. */
export async function whyBusy({ file, state }: FoundFile): Promise<Message | undefined> {
  const lock = await lockFileNextTo(file);
  if (lock !== undefined) return message('inbox.open_elsewhere', { lock });
  const current = await fileStateOf(file);
  if (current === 'gone' || current === 'no file') return message('inbox.gone');
  return current instanceof Error || current.state !== state ? message('inbox.changing') : undefined;
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
function isSelected(name: string, pattern: string): boolean {
  return !name.startsWith('.') && !name.startsWith('~$') && matchesPattern(pattern, name);
}

/** The state of a path: a file, `gone` if nothing exists, `no file` for other kinds, or the error if it cannot be read. */
export async function fileStateOf(file: string): Promise<FileState | 'gone' | 'no file' | Error> {
  try {
    const stats = await stat(file, { bigint: true });
    if (!stats.isFile()) return 'no file';
    const { dev, ino, size, mtimeNs } = stats;
    const state = [dev, ino, size, mtimeNs].join(':');
    return { state, modifiedAt: Number(mtimeNs / 1_000_000n), isEmpty: size === 0n };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : (error as Error);
  }
}

/** How long to wait until the newest file has been unchanged for long enough. */
function waitFor(states: readonly FileState[], now: number, settleMs: number): number {
  let wait = CHECK_INTERVAL_MS;
  for (const { modifiedAt } of states) {
    const age = now - modifiedAt;
    // A time in the future is not reliable: the file server's clock may be wrong.
    wait = Math.max(wait, age < 0 ? settleMs : settleMs - age);
  }
  return wait;
}

function byName(a: { readonly file: string }, b: { readonly file: string }): number {
  return a.file < b.file ? -1 : a.file > b.file ? 1 : 0;
}

/** Records a pending file; durable when it resolves. */
export async function rememberPending({ pendingFiles }: Ledger, pending: PendingFile): Promise<void> {
  await pendingFiles.remember(await realFile(pending.file), pending);
}

export async function forgetPending({ pendingFiles }: Ledger, file: string): Promise<void> {
  await pendingFiles.forget(await realFile(file));
}

export async function pendingFile({ pendingFiles }: Ledger, file: string): Promise<PendingFile | undefined> {
  return pendingFiles.get(await realFile(file));
}

/** Forgets files of a folder that were removed by other programs. */
export async function forgetGone(ledger: Ledger, folder: string): Promise<void> {
  for (const { file } of await ledger.pendingFiles.list()) {
    if (path.dirname(file) === folder && (await fileStateOf(file)) === 'gone')
      await forgetPending(ledger, file);
  }
}

/** The canonical path of a file. Links in the folder's path are resolved, a link as the file itself is not. */
export async function realFile(file: string): Promise<string> {
  const folder = path.dirname(file);
  return path.join(await realpath(folder).catch(() => folder), path.basename(file));
}
