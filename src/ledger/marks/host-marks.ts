import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { homeFolder, isAlive, ownProcess, type ProcessPlace } from '../../util/process.js';

/** An attempt that this user has committed. A ledger without it has lost records. */
export interface SentAttempt {
  readonly run: string;
  /** Number within the run. */
  readonly batch: number;
  readonly attempt: number;
  readonly nonce: string;
}

/** Marks of a ledger for this user: what it contained when it was last used. */
export interface HostMarks {
  readonly id: string;
  /** The ledger's location. */
  readonly location: string;
  /** When they were written: milliseconds since 1970. */
  readonly at: number;
  /** The time of the last acceptance seen; 0: none. */
  readonly epoch: number;
  /** The highest run. */
  readonly run?: string;
  /** The last ones, in the order of writing. */
  readonly attempts: readonly SentAttempt[];
  /** Scopes of the platforms to which this user has sent with the ledger. */
  readonly platforms: readonly string[];
}

/** Enough for the attempts of several processes that send at the same time. */
const ATTEMPTS_KEPT = 64;

/** A write takes less than a millisecond. The process waits without its event loop, so not for long. */
const LOCK_TRIES = 1000;
const LOCK_WAIT_MS = 2;

/**
 * The marks of a user, one file for each ledger, outside the folders that a backup of the ledger restores. A ledger can be used
 * without them: `write` returns a failure and does not throw.
 */
export class MarksFolder {
  readonly folder: string;

  constructor(env: NodeJS.ProcessEnv) {
    const named = env.XDG_STATE_HOME;
    // The XDG specification requires that relative paths are ignored.
    const home =
      named !== undefined && path.isAbsolute(named) ? named : path.join(homeFolder(env), '.local', 'state');
    this.folder = path.join(home, 'license-sync', 'ledgers');
  }

  read(id: string): HostMarks | undefined {
    return this.#read(`${id}.json`);
  }

  /** Marks of all ledgers. */
  all(): readonly HostMarks[] {
    let names: string[];
    try {
      names = readdirSync(this.folder).filter((it) => it.endsWith('.json'));
    } catch {
      return [];
    }
    return names.flatMap((it) => this.#read(it) ?? []);
  }

  /**
   * Merges marks with the stored ones, because another process of the user may have written since. Marks of a later epoch
   * replace earlier ones.
   * @returns why they could not be written
   */
  write(marks: HostMarks): string | undefined {
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      const unlock = this.#lock(marks.id);
      try {
        this.#replace(merged(this.read(marks.id), marks));
      } finally {
        unlock();
      }
      return undefined;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? String(error);
    }
  }

  /** Marks that cannot be removed stay: the acceptance in the ledger is later than they are, and applies. */
  remove(id: string): void {
    try {
      rmSync(path.join(this.folder, `${id}.json`), { force: true });
    } catch {
      // `write` reports that the folder is read-only.
    }
  }

  #read(name: string): HostMarks | undefined {
    try {
      const found = JSON.parse(readFileSync(path.join(this.folder, name), 'utf8')) as HostMarks;
      return typeof found.id === 'string' && Array.isArray(found.attempts) ? found : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * Keeps other processes from writing between this one's read and write, which would lose its marks. The lock of a killed
   * process is removed. A lock that stays taken (its process is suspended, or was killed while it wrote the lock) is
   * removed, and the marks are written without it.
   */
  #lock(id: string): () => void {
    const file = path.join(this.folder, `${id}.lock`);
    for (let tried = 0; tried < LOCK_TRIES; tried += 1) {
      try {
        writeFileSync(file, JSON.stringify(ownProcess()), { flag: 'wx', mode: 0o600 });
        return () => rmSync(file, { force: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      if (!isHeld(file)) rmSync(file, { force: true });
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_WAIT_MS);
    }
    rmSync(file, { force: true });
    return () => {};
  }

  #replace(marks: HostMarks): void {
    const file = path.join(this.folder, `${marks.id}.json`);
    const temporary = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
    try {
      writeFileSync(temporary, JSON.stringify(marks), { mode: 0o600 });
      renameSync(temporary, file);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }
}

/** False if the process that took the lock has exited. A lock that is just being written counts as held. */
function isHeld(lock: string): boolean {
  try {
    return isAlive(JSON.parse(readFileSync(lock, 'utf8')) as ProcessPlace);
  } catch {
    return true;
  }
}

function merged(stored: HostMarks | undefined, added: HostMarks): HostMarks {
  if (!stored) return added;
  const platforms = [...new Set([...stored.platforms, ...added.platforms])];
  if (stored.epoch > added.epoch) return { ...stored, platforms };
  if (stored.epoch < added.epoch) return { ...added, platforms };
  const nonces = new Set(added.attempts.map((it) => it.nonce));
  const attempts = [...stored.attempts.filter((it) => !nonces.has(it.nonce)), ...added.attempts];
  const run = [stored.run, added.run]
    .filter((it) => it !== undefined)
    .sort()
    .at(-1);
  return {
    ...added,
    at: Math.max(stored.at, added.at),
    ...(run === undefined ? {} : { run }),
    attempts: attempts.slice(-ATTEMPTS_KEPT),
    platforms,
  };
}
