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
import { OWN_FOLDER } from '../../util/ledger-place.js';
import { makeFolderSync } from '../../util/make-folder.js';
import type { MigrationObserver } from '../contract/upkeep.js';
import { inputsFolder } from '../files/inputs.js';
import type { Migration } from '../shared/platform-scopes.js';
import { Database } from './database.js';
import { isBusy, openFailure } from './failures.js';
import { MIGRATIONS } from './migrations/index.js';

/** Marks the file as a ledger of license-sync: the letters LSYC. */
const APPLICATION_ID = 0x4c53_5943;
/** Ledgers of 0.1 have this version or a lower one. */
const LAST_VERSION_OF_01 = 17;
/** Of inputs, of what input folders remember, and of locks. */
const SIDE_FOLDERS: ReadonlySet<string> = new Set(['inputs', 'inbox', 'locks']);
/** How long a statement, and how long the opening, waits for another process. */
const BUSY_MS = 10_000;
const RETRY_EVERY_MS = 25;
const CACHE_KIB = 16 * 1024;
/** Four times the usual: pages that many commits touch reach the main file once. */
const CHECKPOINT_PAGES = 4000;
const WAL_KEPT_BYTES = 64 * 1024 * 1024;
/** Up to this size every page is looked at when the ledger is opened; beyond, damage shows when it is met. */
const QUICK_CHECK_BYTES = 8 * 1024 * 1024;

/** What happens to a ledger file with an older schema: it is refused, or migrated after a copy was saved next to it. */
export type OlderFile =
  | { readonly kind: 'refuse' }
  | { readonly kind: 'migrate'; readonly migrated?: MigrationObserver };

/**
 * Opens or makes the ledger file: folder 0700, files 0600 (SQLite gives its side files the mode of the main one).
 * Anything that isn't a ledger of this program, or is newer than it, is refused before a byte of it is changed.
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
      // Changing the journal mode of a new file doesn't wait for others by itself.
      if (!isBusy(error) || clock.monotonic() > deadline) throw openFailure(error, file);
    }
    await clock.sleep(RETRY_EVERY_MS);
  }
}

function prepareFile(file: string): void {
  const folder = dirname(file);
  makeFolderSync(folder, 0o700);
  // A folder of the program's own that was made by hand or unpacked; another one belongs to somebody else too.
  if (basename(folder) === OWN_FOLDER && process.platform !== 'win32') chmodSync(folder, 0o700);
  refuseEmptied(file);
  try {
    // Made by hand so that it never exists with another mode. An existing file must not be opened here: closing it
    // would let go of the locks that this process has on it.
    closeSync(openSync(file, 'wx', 0o600));
    syncFolder(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * A ledger of no bytes beside the inputs of earlier runs was emptied, by a full disk or by hand: taken for a new one,
 * it would let every order be sent again.
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
 * Looks at a ledger file without changing it. Gives the names of all that lies beside it and is the ledger's, and whether
 * its schema is older than the program's.
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
 * Whether a ledger was kept in a folder because commands were given there: 0.1 did so with the runs of any job. The ledger of
 * the folder's own jobs is not one for a job elsewhere.
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

/** @returns the version of its schema; 0 where it is empty */
function look(file: string): number {
  if (statSync(file).size === 0) return 0;
  return reading(file, (db) => {
    const version = checkIdentity(db);
    checkPages(db);
    return version;
  });
}

function reading<T>(file: string, work: (db: Database) => T): T {
  // A process that died in the middle of making the ledger leaves a journal; only a writer can roll that back.
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
 * Throws unless the database is a ledger that this program knows, or empty. Reads only.
 * @returns the version of its schema
 */
function checkIdentity(db: Database): number {
  const { location } = db;
  // At one moment: another process may be making it.
  const { application, tables, found } = db.part(() => ({
    application: db.pragma('application_id'),
    tables: db.get<{ n: number }>('SELECT count(*) AS n FROM sqlite_schema')?.n ?? 0,
    found: Number(db.pragma('user_version')),
  }));
  if (application !== APPLICATION_ID && (application !== 0 || tables > 0)) {
    throw new ProductError('internal', message('ledger.not_a_ledger', { location }));
  }
  if (found > MIGRATIONS.length) {
    throw new ProductError('usage', message('ledger.newer', { location, found, known: MIGRATIONS.length }));
  }
  return found;
}

function checkPages(db: Database): void {
  if (Number(db.pragma('page_count')) * Number(db.pragma('page_size')) > QUICK_CHECK_BYTES) return;
  const found = db.pragma('quick_check(1)');
  if (found === 'ok') return;
  const reason = String(found).split('\n').at(-1) ?? '';
  throw new ProductError('internal', message('ledger.corrupt', { location: db.location, reason }));
}

/** A commit must be on disk when it returns; libraries and file systems differ, so the settings are read back. */
function makeDurable(db: Database): void {
  db.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON');
  requirePragma(db, 'journal_mode', 'wal', db.pragma('journal_mode = WAL'));
  requirePragma(db, 'synchronous', 2, db.pragma('synchronous'));
  requirePragma(db, 'foreign_keys', 1, db.pragma('foreign_keys'));
  db.exec(`PRAGMA temp_store = FILE; PRAGMA cache_size = -${CACHE_KIB}`);
  db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  db.pragma(`journal_size_limit = ${WAL_KEPT_BYTES}`);
}

function requirePragma(db: Database, setting: string, wanted: string | number, found: unknown): void {
  if (found === wanted) return;
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

/** Brings the tables up to date, each step in a transaction of its own; a new ledger is made in one. */
function migrate(db: Database, migrated?: MigrationObserver): void {
  let version = Number(db.pragma('user_version'));
  let saved: { readonly from: number; readonly copy: string } | undefined;
  while (version < MIGRATIONS.length) {
    version = db.transaction(() => {
      // Another process may have been faster while this one waited for the transaction.
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
 * Saves what is committed as `<file>.before-<version>`; another number follows where there is such a copy already.
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
 * Copies what is committed at one moment, whoever writes meanwhile.
 * @param copy is on disk, readable only by its owner, or not there at all
 */
export function copyFileTo(file: string, copy: string): void {
  const making = `${copy}.tmp`;
  try {
    rmSync(making, { force: true });
    closeSync(openSync(making, 'wx', 0o600));
    const source = new Database(file, { timeout: BUSY_MS });
    try {
      source.run('VACUUM INTO ?', making);
    } finally {
      source.close();
    }
    const handle = openSync(making, 'r+');
    fsyncSync(handle);
    closeSync(handle);
    renameSync(making, copy);
    syncFolder(dirname(copy));
  } catch (error) {
    removeIfFile(making);
    const reason = error instanceof Error ? error.message : String(error);
    const said = message('ledger.copy_unsaved', { location: file, copy, reason });
    throw new ProductError('internal', said, { cause: error });
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
