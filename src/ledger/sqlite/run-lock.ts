import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../../util/clock.js';
import { isAlive, ownProcess } from '../../util/process.js';
import type { LockAnswer, LockHolder } from '../contract/run-lock.js';
import { Database } from './database.js';
import { isBusy, openFailure } from './failures.js';

/** How often and how long to look for the note of another holder, which is written right after its lock is acquired. */
const LOOK_EVERY_MS = 20;
const LOOKS = 15;

/** Files of the locks of this process. */
const OWN = new Set<string>();

/**
 * Takes the lock of a job and connection, or returns its holder at once. The lock is the operating system's lock on a small
 * database file (a write transaction that writes nothing), so it is released whenever its process ends.
 */
export async function lockRun(
  ledger: string,
  job: string,
  connection: string,
  run: string,
  clock: Clock,
): Promise<LockAnswer> {
  const { folder, file, noteFile } = lockFiles(ledger, job, connection);
  let db = take(folder, file);
  if (!db) {
    const note = await readNote(noteFile, clock);
    // No holder: another process only checked it (`lockHolder`), or it is free by now.
    db = note ? undefined : take(folder, file);
    if (!db) return { kind: 'held', holder: note };
  }
  const locked = db;
  try {
    writeNote(noteFile, { run, ...ownProcess() });
  } catch (error) {
    locked.close();
    throw openFailure(error, file);
  }
  OWN.add(file);
  let held = true;
  const release = async (): Promise<void> => {
    if (!held) return;
    held = false;
    OWN.delete(file);
    try {
      rmSync(noteFile, { force: true });
    } catch {
      // The folder became read-only. A note without its lock names no holder (`lockHolder`).
    }
    locked.exec('ROLLBACK');
    locked.close();
  };
  return { kind: 'taken', lock: { release } };
}

/**
 * The holder of the lock of a job and connection, if its process is still running. The check creates no file and prevents no
 * other process from taking the lock.
 */
export function lockHolder(ledger: string, job: string, connection: string): LockHolder | undefined {
  const { folder, file, noteFile } = lockFiles(ledger, job, connection);
  const note = noteIn(noteFile);
  if (!note || !isAlive(note)) return undefined;
  if (OWN.has(file)) return note;
  // The note may be of a killed process whose id was reused (in containers even by this process). Only the lock is certain.
  if (!existsSync(file)) return undefined;
  try {
    const free = take(folder, file);
    if (!free) return note;
    free.exec('ROLLBACK');
    free.close();
    return undefined;
  } catch {
    // This user may not open the file, so only the note is left.
    return note;
  }
}

function lockFiles(ledger: string, job: string, connection: string) {
  const folder = join(dirname(ledger), 'locks');
  const name = createHash('sha256')
    .update(JSON.stringify([job, connection]))
    .digest('hex')
    .slice(0, 32);
  return { folder, file: join(folder, `${name}.lock`), noteFile: join(folder, `${name}.json`) };
}

/** The connection with the lock; undefined when another connection has it. */
function take(folder: string, file: string): Database | undefined {
  let db: Database | undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    make(file);
    db = new Database(file, { timeout: 0 });
    // Not EXCLUSIVE: two that try at the same moment may both fail.
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
    // An existing file must not be opened: closing it would release this process's lock on it.
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function writeNote(file: string, note: LockHolder): void {
  // Only the lock's holder writes it, so one name is sufficient, and killed processes leave at most one file.
  const temporary = `${file}.new`;
  writeFileSync(temporary, JSON.stringify(note), { mode: 0o600 });
  renameSync(temporary, file);
}

/** The lock's holder; undefined if unknown. A note of a dead process is from an earlier holder. */
async function readNote(file: string, clock: Clock): Promise<LockHolder | undefined> {
  for (let look = 0; look < LOOKS; look += 1) {
    const note = noteIn(file);
    if (note && isAlive(note)) return note;
    await clock.sleep(LOOK_EVERY_MS);
  }
  return undefined;
}

/** undefined while it is not written yet. */
function noteIn(file: string): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LockHolder;
  } catch {
    return undefined;
  }
}
