import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, sep } from 'node:path';
import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Clock } from '../../util/clock.js';
import { makeFolderSync } from '../../util/files.js';
import { APPLICATION_ID, OWN_FOLDER } from '../../util/ledger-address.js';
import type { MigrationObserver } from '../contract/upkeep.js';
import { inputsFolder } from '../files/inputs.js';
import type { Migration } from '../store/platform-scopes.js';
import { Database } from './database.js';
import { isBusy, openFailure } from './failures.js';
import { MIGRATIONS } from './migrations/index.js';

/** Ledgers of 0.1 have this version or a lower one. */
const LAST_VERSION_OF_01 = 17;
/** Folders of inputs, pending files of input folders, and locks. */
const SIDE_FOLDERS: ReadonlySet<string> = new Set(['inputs', 'inbox', 'locks']);
/** How long a statement and the opening wait for another process. */
const BUSY_MS = 10_000;
const RETRY_EVERY_MS = 25;
const CACHE_KIB = 16 * 1024;
/** Four times the default: pages that many commits change are written to the main file once. */
const CHECKPOINT_PAGES = 4000;
const WAL_KEPT_BYTES = 64 * 1024 * 1024;
/** Up to this size every page is checked when the ledger is opened. In larger ledgers damage is found when a page is read. */
const QUICK_CHECK_BYTES = 8 * 1024 * 1024;

/** A ledger file with an older schema is refused, or migrated after a copy was saved next to it. */
export type OlderFile =
  | { readonly kind: 'refuse' }
  | { readonly kind: 'migrate'; readonly migrated?: MigrationObserver };

/**
 * Opens or creates the ledger file: folder 0700, files 0600 (SQLite gives its side files the mode of the main one). A file that
 * isn't a ledger of this program, or is newer than the program, is refused before anything is changed.
 */
export async function connect(
  file: string,
  clock: Clock,
  older: OlderFile = { kind: 'migrate' },
): Promise<Database> {
  const deadline = clock.monotonic() + BUSY_MS;
  try {
    prepareFile(file);
  } catch (error) {
    throw openFailure(error, file);
  }
  for (;;) {
    try {
      return openOnce(file, older);
    } catch (error) {
      // Changing the journal mode of a new file doesn't wait for locks itself.
      if (!isBusy(error) || clock.monotonic() > deadline) throw openFailure(error, file);
    }
    await clock.sleep(RETRY_EVERY_MS);
  }
}

function prepareFile(file: string): void {
  const folder = dirname(file);
  makeFolderSync(folder, 0o700);
  // The program's folder may have been created by a user or unpacked. Other folders may be shared, so their mode is kept.
  if (basename(folder) === OWN_FOLDER && process.platform !== 'win32') chmodSync(folder, 0o700);
  refuseEmptied(file);
  try {
    // Created here so that it never exists with another mode. An existing file must not be opened: closing it would release
    // the locks that this process has on it.
    closeSync(openSync(file, 'wx', 0o600));
    syncFolder(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Refuses an empty ledger file next to inputs of earlier runs: a full disk or a user has emptied it. Danger: used as a new
 * ledger, it would let every order be sent again.
 */
function refuseEmptied(file: string): void {
  const size = existsSync(file) ? statSync(file).size : undefined;
  const inputs = inputsFolder(dirname(file));
  if (size !== 0 || !existsSync(inputs) || readdirSync(inputs).every((it) => it.startsWith('.'))) return;
  throw new ProductError('internal', message('ledger.emptied', { location: file, inputs }));
}

function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Inspects a ledger file without changing it.
 * @returns the names of the ledger's files in its folder, and a message if its schema is older than the program's
 * @throws ProductError as `connect` does.
 */
export function inspect(file: string): { readonly kept: readonly string[]; readonly older?: Message } {
  try {
    const version = look(file);
    const base = basename(file);
    const kept = readdirSync(dirname(file)).filter((it) => it.startsWith(base) || SIDE_FOLDERS.has(it));
    return { kept, ...(isOlder(version) ? { older: olderSchema(file, version) } : {}) };
  } catch (error) {
    throw openFailure(error, file);
  }
}

/**
 * Whether a ledger in a folder contains runs of jobs outside that folder: version 0.1 used the current folder for the runs of
 * any job.
 * @throws unless the file is a ledger
 */
export function keepsJobsOfOtherFolders(file: string): boolean {
  return reading(file, (db) => {
    if (checkIdentity(db) <= LAST_VERSION_OF_01) return true;
    const within = `${dirname(dirname(file))}${sep}`;
    const sql = 'SELECT 1 AS one FROM runs WHERE substr(job_file, 1, length(?)) <> ? LIMIT 1';
    return db.get(sql, within, within) !== undefined;
  });
}

/** @returns the version of its schema; 0 if the file is empty */
function look(file: string): number {
  if (statSync(file).size === 0) return 0;
  return reading(file, (db) => {
    const version = checkIdentity(db);
    checkPages(db);
    return version;
  });
}

function reading<T>(file: string, work: (db: Database) => T): T {
  // A process that died while it created the ledger leaves a journal, which only a writer can roll back.
  const readOnly = !existsSync(`${file}-journal`);
  const db = new Database(file, { timeout: BUSY_MS, readOnly });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

function openOnce(file: string, older: OlderFile): Database {
  const version = look(file);
  if (older.kind === 'refuse' && isOlder(version))
    throw new ProductError('usage', olderSchema(file, version));
  const db = new Database(file, { timeout: BUSY_MS });
  try {
    makeDurable(db);
    migrate(db, older.kind === 'migrate' ? older.migrated : undefined);
    keepPrivate(file);
    db.watchFile();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** An empty file has no schema yet. */
function isOlder(version: number): boolean {
  return version > 0 && version < MIGRATIONS.length;
}

function olderSchema(location: string, found: number): Message {
  return message('ledger.older', { location, found, known: MIGRATIONS.length });
}

/**
 * Throws unless the database is a ledger supported by this program, or empty. Reads only.
 * @returns the version of its schema
 */
function checkIdentity(db: Database): number {
  const { location } = db;
  // In one transaction, because another process may be creating it.
  const { application, tables, found } = db.savepoint(() => ({
    application: db.pragma('application_id'),
    tables: db.get<{ n: number }>('SELECT count(*) AS n FROM sqlite_schema')?.n ?? 0,
    found: Number(db.pragma('user_version')),
  }));
  if (application !== APPLICATION_ID && (application !== 0 || tables > 0))
    throw new ProductError('internal', message('ledger.not_a_ledger', { location }));
  if (found > MIGRATIONS.length)
    throw new ProductError('usage', message('ledger.newer', { location, found, known: MIGRATIONS.length }));
  return found;
}

function checkPages(db: Database): void {
  if (Number(db.pragma('page_count')) * Number(db.pragma('page_size')) > QUICK_CHECK_BYTES) return;
  const found = db.pragma('quick_check(1)');
  if (found === 'ok') return;
  const reason = String(found).split('\n').at(-1) ?? '';
  throw new ProductError('internal', message('ledger.corrupt', { location: db.location, reason }));
}

/** Makes commits durable when they return. Libraries and file systems differ, so the settings are read back. */
function makeDurable(db: Database): void {
  db.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON');
  requirePragma(db, 'journal_mode', 'wal', db.pragma('journal_mode = WAL'));
  requirePragma(db, 'synchronous', 2, db.pragma('synchronous'));
  requirePragma(db, 'foreign_keys', 1, db.pragma('foreign_keys'));
  db.exec(`PRAGMA temp_store = FILE; PRAGMA cache_size = -${CACHE_KIB}`);
  db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  db.pragma(`journal_size_limit = ${WAL_KEPT_BYTES}`);
}

function requirePragma(db: Database, setting: string, expected: string | number, found: unknown): void {
  if (found === expected) return;
  const params = { location: db.location, setting, found: String(found) };
  throw new ProductError('internal', message('ledger.not_durable', params));
}

function migrateOnce(db: Database, step: Migration): void {
  if (typeof step === 'string') {
    db.exec(step);
    return;
  }
  db.exec(step.before);
  db.run(step.fill, step.parameter(db.all<never>(step.read)));
  db.exec(step.after);
}

/** Migrates the tables, each step in a separate transaction. A new ledger is created in one transaction. */
function migrate(db: Database, migrated?: MigrationObserver): void {
  let version = Number(db.pragma('user_version'));
  let saved: { readonly from: number; readonly copy: string } | undefined;
  while (version < MIGRATIONS.length) {
    version = db.transaction(() => {
      // Another process may have migrated while this one waited for the transaction.
      const at = Number(db.pragma('user_version'));
      if (at >= MIGRATIONS.length) return at;
      // Nothing can be written to the ledger between the copy and the first step.
      if (at > 0) saved ??= { from: at, copy: saveCopy(db.location) };
      const steps = at === 0 ? MIGRATIONS : MIGRATIONS.slice(at, at + 1);
      db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      for (const step of steps) migrateOnce(db, step);
      db.exec(`PRAGMA user_version = ${at + steps.length}`);
      return at + steps.length;
    });
  }
  checkIdentity(db);
  if (saved) migrated?.({ ...saved, to: version });
}

/**
 * Saves the committed state as `<file>.before-<version>`, with a number if that file exists.
 * @returns the path of the copy, which is on disk
 */
function saveCopy(file: string): string {
  const name = `${file}.before-${MIGRATIONS.length}`;
  let copy = name;
  for (let n = 2; existsSync(copy); n += 1) copy = `${name}-${n}`;
  copyFileTo(file, copy);
  return copy;
}

/**
 * Copies a consistent committed state, even during writes.
 * @param copy created completely, on disk and readable only by its owner, or not at all
 */
export function copyFileTo(file: string, copy: string): void {
  const temporary = `${copy}.tmp`;
  try {
    rmSync(temporary, { force: true });
    closeSync(openSync(temporary, 'wx', 0o600));
    const source = new Database(file, { timeout: BUSY_MS });
    try {
      source.run('VACUUM INTO ?', temporary);
    } finally {
      source.close();
    }
    const handle = openSync(temporary, 'r+');
    fsyncSync(handle);
    closeSync(handle);
    renameSync(temporary, copy);
    syncFolder(dirname(copy));
  } catch (error) {
    removeIfFile(temporary);
    const reason = error instanceof Error ? error.message : String(error);
    const text = message('ledger.copy_unsaved', { location: file, copy, reason });
    throw new ProductError('internal', text, { cause: error });
  }
}

function removeIfFile(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) rmSync(file, { force: true });
}

function keepPrivate(file: string): void {
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    if (existsSync(path) && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  }
}
