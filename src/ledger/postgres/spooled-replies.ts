import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { cwd } from 'node:process';
import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { exactStringify } from '../../util/exact-json.js';
import { ownProcess } from '../../util/process.js';
import { redactKnown } from '../../util/secrets.js';
import type { AttemptEnd, Intent } from '../contract/execution.js';
import { isBeingWritten, leftSpools, quarantine, readSpool, Spool, type Spooled } from './spool.js';
import type { Queryable } from './transaction.js';

const JOB_FILE = 'SELECT job_file FROM runs WHERE name = $1 AND host = $2';
/** Older runs are not expected to have left spool files. */
const JOB_FILES = 'SELECT job_file FROM runs WHERE host = $1 ORDER BY id DESC LIMIT 500';

interface SpoolOwner {
  closeKept(end: AttemptEnd): Promise<unknown>;
}

/**
 * Keeps replies that could not be written to the ledger in spool files on this machine: next to the run's job file, or in the
 * working directory if that folder isn't on this machine.
 */
export class SpooledReplies {
  readonly #db: Queryable;
  readonly #location: string;
  readonly #note: (note: Message) => unknown;
  readonly #spool: Spool;
  /** By run. */
  readonly #folders = new Map<string, string | undefined>();

  constructor(db: Queryable, location: string, note: (note: Message) => unknown) {
    this.#db = db;
    this.#location = location;
    this.#note = note;
    this.#spool = new Spool(location);
  }

  /** Looks up the folder of a run's spool file while the ledger is reachable. */
  async prepare(run: string): Promise<void> {
    if (this.#folders.has(run)) return;
    const found = await this.#db.get<{ job_file: string }>(JOB_FILE, [run, ownProcess().host]);
    this.#folders.set(run, found && path.dirname(found.job_file));
  }

  /** Keeps the ends of attempts. Returns the error for the caller. */
  keepEnds(ends: readonly AttemptEnd[], why: unknown): ProductError {
    const run = ends[0]?.run ?? '-';
    const files = new Map<string, AttemptEnd[]>();
    for (const end of ends) {
      const file = this.#fileOf(end.run);
      files.set(file, [...(files.get(file) ?? []), end]);
    }
    const lost = [...files].flatMap(([file, ofFile]) => this.#keep(file, ofFile) ?? []);
    if (lost[0]) return lost[0];
    const about = { location: this.#location, run, file: this.#fileOf(run) };
    return new ProductError('internal', message('spool.ledger_lost', { ...about, reason: reasonOf(why) }), {
      cause: why,
    });
  }

  /** Keeps the end of an attempt that the ledger does not have, or has differently. Returns the error to report. */
  keepRefused(end: AttemptEnd, why: unknown): ProductError {
    const { run, batch, attempt } = end;
    const file = this.#fileOf(run);
    const about = { location: this.#location, run, batch, attempt, file };
    const lost = this.#keep(file, [end], { forPerson: true });
    return lost ?? new ProductError('internal', message('spool.refused', about), { cause: why });
  }

  /** An end that cannot be stored anywhere is reported completely: it may be the only trace of an order. */
  #keep(
    file: string,
    ends: readonly AttemptEnd[],
    how: { forPerson?: boolean } = {},
  ): ProductError | undefined {
    try {
      this.#spool.keep(
        file,
        ends.map((end) => ({ end })),
        how,
      );
      return undefined;
    } catch (error) {
      const about = { location: this.#location, run: ends[0]?.run ?? '-', file };
      const text = message('spool.unwritable', { ...about, count: ends.length, reason: reasonOf(error) });
      this.#note(text);
      for (const end of ends) {
        const { run, batch, attempt } = end;
        const reply = redactKnown(exactStringify(end));
        this.#note(message('spool.reply_lost', { run, batch, attempt, reply }));
      }
      return new ProductError('internal', text, { cause: error });
    }
  }

  keepUnsent(intent: Intent): void {
    try {
      this.#spool.keep(this.#fileOf(intent.run), [{ unsent: intent }]);
    } catch {
      // Resuming the run makes its items unknown, although nothing was sent.
    }
  }

  /** Reports the files that were written and the number of ends in each. */
  reportProblems(): void {
    for (const [file, count] of this.#spool.kept) {
      if (count > 0) this.#note(message('spool.kept', { file, count }));
    }
  }

  /** Imports what earlier processes kept on this machine into the ledger. */
  async importSpooled(execution: SpoolOwner, now: () => number): Promise<void> {
    const files = await this.#db.all<{ job_file: string }>(JOB_FILES, [ownProcess().host]);
    await importSpooledReplies([cwd(), ...files.map((it) => path.dirname(it.job_file))], {
      location: this.#location,
      knows: async (run) => (await this.#db.get('SELECT 1 FROM runs WHERE name = $1', [run])) !== undefined,
      close: (end) => execution.closeKept(end),
      now,
      notify: this.#note,
    });
  }

  #fileOf(run: string): string {
    return this.#spool.fileFor(this.#folders.get(run));
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export interface SpoolTaker {
  readonly location: string;
  /** Whether the ledger has the run. */
  readonly knows: (run: string) => Promise<boolean>;
  readonly close: (end: AttemptEnd) => Promise<unknown>;
  readonly now: () => number;
  readonly notify: (note: Message) => unknown;
}

/**
 * Imports replies that processes of this machine kept while the ledger was unreachable, and removes their files. What can't
 * be imported is reported and left. Two commands may import at the same time: ends that are already there change nothing.
 * @param folders possible locations of files
 */
export async function importSpooledReplies(folders: Iterable<string>, ledger: SpoolTaker): Promise<void> {
  for (const file of await leftSpools(folders)) await importFile(file, ledger);
}

async function importFile(file: string, ledger: SpoolTaker): Promise<void> {
  const { location, notify } = ledger;
  let place = file;
  try {
    const found = await readSpool(file);
    if (found.bytes === 0) {
      // An earlier version of this program left it when the disk was full.
      await rm(file, { force: true });
      return;
    }
    if (found.head && isBeingWritten(found.head)) return;
    for (const line of found.lines) {
      if (await ledger.knows(runOf(line))) continue;
      const origin = found.head?.location ?? '-';
      notify(
        origin === location
          ? message('spool.run_lost', { file, location, run: runOf(line) })
          : message('spool.foreign', { file, location, other: origin }),
      );
      return;
    }
    place = await quarantine(file);
    await quarantineSpool(place, ledger);
    // Replies that were kept during the import are in a new file of the same name.
    if (place !== file) await importFile(file, ledger);
  } catch (error) {
    // Another command has just imported it, or there is nothing more.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    const reason = error instanceof ProductError ? error.detail : String(error);
    notify(message('spool.not_taken_in', { file: place, reason }));
  }
}

async function quarantineSpool(file: string, ledger: SpoolTaker): Promise<void> {
  const { lines, damaged, bytes } = await readSpool(file);
  // A refused line must not delay the others until the next command.
  const results = await Promise.allSettled(lines.map((line) => importLine(line, ledger)));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  if (damaged > 0) ledger.notify(message('spool.damaged', { file, count: damaged }));
  if (damaged > 0) return;
  // A process of another machine may have had it open when it was renamed.
  if ((await stat(file)).size !== bytes) return quarantineSpool(file, ledger);
  await rm(file, { force: true });
  const count = lines.filter((it) => 'end' in it).length;
  if (count > 0) ledger.notify(message('spool.taken_in', { file, count }));
}

async function importLine(line: Spooled, { close, now }: SpoolTaker): Promise<void> {
  if ('end' in line) {
    await close(line.end);
    return;
  }
  const { run, batch, attempt, nonce, lease } = line.unsent;
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
    // The intent was never written.
    if (!(error instanceof ProductError && error.code === 'ledger.attempt_not_open')) throw error;
  }
}

function runOf(line: Spooled): string {
  return 'end' in line ? line.end.run : line.unsent.run;
}
