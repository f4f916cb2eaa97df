import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { homeFolder } from '../../util/current-user.js';

/** An attempt that this user has committed: a ledger that lacks it lost records. */
export interface SentAttempt {
  readonly run: string;
  /** Number within the run. */
  readonly batch: number;
  readonly attempt: number;
  readonly nonce: string;
}

/** What this user has seen in a ledger, by the ledger's id. */
export interface HostMarks {
  readonly id: string;
  /** Where the ledger was. */
  readonly location: string;
  /** When they were written: milliseconds since 1970. */
  readonly at: number;
  /** The time of the last acceptance that was seen; 0: none. */
  readonly epoch: number;
  /** The highest run. */
  readonly run?: string;
  /** The last ones, in the order in which they were written. */
  readonly attempts: readonly SentAttempt[];
  /** Scopes of the platforms that this user sent to with it. */
  readonly platforms: readonly string[];
}

/** Several processes send at once; the attempts of each must be among them. */
const ATTEMPTS_KEPT = 64;

/**
 * The marks of a user, a file for each ledger, outside the folders that a backup of the ledger restores. Without them a ledger
 * can still be used: writing reports a failure and throws nothing.
 */
export class MarksFolder {
  readonly folder: string;

  constructor(env: NodeJS.ProcessEnv) {
    const named = env.XDG_STATE_HOME;
    // The specification of XDG has relative paths ignored.
    const home =
      named !== undefined && path.isAbsolute(named) ? named : path.join(homeFolder(env), '.local', 'state');
    this.folder = path.join(home, 'license-sync', 'ledgers');
  }

  read(id: string): HostMarks | undefined {
    return this.#read(`${id}.json`);
  }

  /** Of all ledgers. */
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
   * Adds to what is there: another process of the user may have written since. Marks of a later epoch replace earlier ones.
   * @returns why they could not be written
   */
  write(marks: HostMarks): string | undefined {
    try {
      // A process that wrote at the same moment may have replaced the file: then it is written again.
      for (let tried = 0; tried < 5; tried += 1) {
        this.#replace(merged(this.read(marks.id), marks));
        const now = this.read(marks.id);
        const last = marks.attempts.at(-1);
        if (!last || !now || now.epoch > marks.epoch || now.attempts.some((it) => it.nonce === last.nonce))
          return undefined;
      }
      return undefined;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? String(error);
    }
  }

  remove(id: string): void {
    rmSync(path.join(this.folder, `${id}.json`), { force: true });
  }

  #read(name: string): HostMarks | undefined {
    try {
      const found = JSON.parse(readFileSync(path.join(this.folder, name), 'utf8')) as HostMarks;
      return typeof found.id === 'string' && Array.isArray(found.attempts) ? found : undefined;
    } catch {
      return undefined;
    }
  }

  #replace(marks: HostMarks): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
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

function merged(there: HostMarks | undefined, mine: HostMarks): HostMarks {
  if (!there) return mine;
  const platforms = [...new Set([...there.platforms, ...mine.platforms])];
  if (there.epoch > mine.epoch) return { ...there, platforms };
  if (there.epoch < mine.epoch) return { ...mine, platforms };
  const own = new Set(mine.attempts.map((it) => it.nonce));
  const attempts = [...there.attempts.filter((it) => !own.has(it.nonce)), ...mine.attempts];
  const run = [there.run, mine.run]
    .filter((it) => it !== undefined)
    .sort()
    .at(-1);
  return {
    ...mine,
    at: Math.max(there.at, mine.at),
    ...(run === undefined ? {} : { run }),
    attempts: attempts.slice(-ATTEMPTS_KEPT),
    platforms,
  };
}
