import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { RunLock } from '../contract.js';
import { Database } from './database.js';
import { isBusy, openFailure } from './failures.js';

/** How often and how long a loser looks for the winner's note, which is written right after the lock is had. */
const LOOK_EVERY_MS = 20;
const LOOKS = 15;

interface Note {
  readonly run: string;
  readonly process: number;
  readonly host: string;
}

/**
 * Takes the lock of a job and connection, or refuses at once. The lock is the operating system's lock on a small
 * database file (a write transaction that writes nothing), so it is gone when its process is, however it ended.
 */
export async function lockRun(
  ledger: string,
  job: string,
  connection: string,
  run: string,
): Promise<RunLock> {
  const folder = join(dirname(ledger), 'locks');
  const name = createHash('sha256')
    .update(JSON.stringify([job, connection]))
    .digest('hex')
    .slice(0, 32);
  const file = join(folder, `${name}.lock`);
  const noteFile = join(folder, `${name}.json`);
  const db = take(folder, file);
  if (!db) throw refusal(job, connection, await readNote(noteFile));
  try {
    writeNote(noteFile, { run, process: process.pid, host: hostname() });
  } catch (error) {
    db.close();
    throw openFailure(error, file);
  }
  let held = true;
  return {
    async release() {
      if (!held) return;
      held = false;
      rmSync(noteFile, { force: true });
      db.exec('ROLLBACK');
      db.close();
    },
  };
}

/** The connection that holds the lock; undefined when another holds it. */
function take(folder: string, file: string): Database | undefined {
  let db: Database | undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    make(file);
    db = new Database(file, { timeout: 0 });
    // Not EXCLUSIVE: two that try for it at the same moment may both fail.
    db.exec('BEGIN IMMEDIATE');
    return db;
  } catch (error) {
    db?.close();
    if (isBusy(error)) return undefined;
    throw openFailure(error, file);
  }
}

function make(file: string): void {
  try {
    // An existing file must not be opened: closing it would let go of a lock that this process holds on it.
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function writeNote(file: string, note: Note): void {
  // Only the holder of the lock writes it, so one name will do, and a killed process leaves no heap of them.
  const temporary = `${file}.new`;
  writeFileSync(temporary, JSON.stringify(note), { mode: 0o600 });
  renameSync(temporary, file);
}

/** Who holds the lock; undefined when it can't be told. A note whose process is dead is of an earlier holder. */
async function readNote(file: string): Promise<Note | undefined> {
  for (let look = 0; look < LOOKS; look += 1) {
    try {
      const note = JSON.parse(readFileSync(file, 'utf8')) as Note;
      if (isAlive(note)) return note;
    } catch {
      // Not written yet.
    }
    await sleep(LOOK_EVERY_MS);
  }
  return undefined;
}

function isAlive({ process: id, host }: Note): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function refusal(job: string, connection: string, note: Note | undefined): ProductError {
  const detail = note
    ? message('ledger.run_going_on', { job, connection, ...note, process: String(note.process) })
    : message('ledger.another_run_going_on', { job, connection });
  return new ProductError('usage', detail);
}
