import { rm, stat } from 'node:fs/promises';
import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { AttemptEnd } from '../contract/attempt.js';
import { isBeingWritten, leftSpools, readSpool, type Spooled, setAside } from './spool.js';

export interface SpoolTaker {
  readonly location: string;
  /** Whether the ledger has the run. */
  readonly knows: (run: string) => Promise<boolean>;
  readonly close: (end: AttemptEnd) => Promise<unknown>;
  readonly now: () => number;
  readonly tell: (note: Message) => unknown;
}

/**
 * Takes in what processes of this machine kept while they couldn't reach the ledger, and removes their files. What can't be
 * taken in is told, and left. Of two commands that do so at once the second finds all of it there.
 * @param folders where files may lie
 */
export async function takeInSpools(folders: Iterable<string>, ledger: SpoolTaker): Promise<void> {
  for (const file of await leftSpools(folders)) await takeIn(file, ledger);
}

async function takeIn(file: string, ledger: SpoolTaker): Promise<void> {
  const { location, tell } = ledger;
  let place = file;
  try {
    const found = await readSpool(file);
    if (found.bytes === 0) {
      // A full disk left it to an earlier version of this program.
      await rm(file, { force: true });
      return;
    }
    if (found.head && isBeingWritten(found.head)) return;
    for (const line of found.lines) {
      if (await ledger.knows(runOf(line))) continue;
      tell(message('spool.foreign', { file, location, other: found.head?.location ?? '-' }));
      return;
    }
    place = await setAside(file);
    await takeAside(place, ledger);
    // What came while it was taken in lies in a file of the same name.
    if (place !== file) await takeIn(file, ledger);
  } catch (error) {
    // Another command has just taken it in, or there is nothing more.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    const reason = error instanceof ProductError ? error.detail : String(error);
    tell(message('spool.not_taken_in', { file: place, reason }));
  }
}

async function takeAside(file: string, ledger: SpoolTaker): Promise<void> {
  const { lines, damaged, bytes } = await readSpool(file);
  // One that is refused must not keep the others waiting for another command.
  const came = await Promise.allSettled(lines.map((it) => takeLine(it, ledger)));
  for (const it of came) if (it.status === 'rejected') throw it.reason;
  if (damaged > 0) ledger.tell(message('spool.damaged', { file, count: damaged }));
  if (damaged > 0) return;
  // A process of another machine may have had it open when it was set aside.
  if ((await stat(file)).size !== bytes) return takeAside(file, ledger);
  await rm(file, { force: true });
  const count = lines.filter((it) => 'end' in it).length;
  if (count > 0) ledger.tell(message('spool.taken_in', { file, count }));
}

async function takeLine(it: Spooled, { close, now }: SpoolTaker): Promise<void> {
  if ('end' in it) {
    await close(it.end);
    return;
  }
  const { run, batch, attempt, nonce, lease } = it.unsent;
  const lost = {
    run,
    batch,
    attempt,
    nonce,
    lease,
    endedAt: now(),
    event: 'withdrawn',
    sent: false,
    outcomes: [],
  };
  try {
    await close(lost);
  } catch (error) {
    // It was never written.
    if (!(error instanceof ProductError && error.code === 'ledger.attempt_not_open')) throw error;
  }
}

function runOf(it: Spooled): string {
  return 'end' in it ? it.end.run : it.unsent.run;
}
