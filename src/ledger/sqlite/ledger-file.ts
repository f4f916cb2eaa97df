import { type BigIntStats, fdatasync, fdatasyncSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { type Clock, systemClock } from '../../util/clock.js';

/** Another process's checkpoint may write to the file while it is read. */
const READS = 5;

/** The content of the main file without the log. */
interface Content {
  readonly id: string;
  /** The highest run; runs are never removed. */
  readonly run: string | null;
}

/**
 * Detects that the file of an open ledger was removed, moved or replaced: later commits are lost when the process ends.
 *
 * Danger: the file must never be opened and closed by other means than SQLite's. Closing it would release the locks of this
 * process, which belong to the process and not to the handle.
 */
export class LedgerFile {
  readonly #location: string;
  readonly #main: BigIntStats;
  #log: BigIntStats | undefined;
  /** Time of its last change; undefined until its content was read. */
  #changedAt: bigint | undefined;
  #content: Content | undefined;
  #lost: Message | undefined;
  #overwritten = false;

  /** @param location of a file that SQLite has opened */
  constructor(location: string) {
    this.#location = location;
    this.#main = statSync(location, { bigint: true });
  }

  /** Other content was written into the file, so the log does not belong to it. */
  get isOverwritten(): boolean {
    return this.#overwritten;
  }

  /**
   * One `stat` each of the file and its log, unless the file was written to.
   * @throws ProductError internal when the path no longer leads to the file that was opened
   */
  check(): void {
    this.#lost ??= this.#look();
    if (this.#lost) throw new ProductError('internal', this.#lost);
  }

  #look(): Message | undefined {
    const location = this.#location;
    const main = statusOf(location);
    if (!main) return message('ledger.file_gone', { location });
    if (!isSame(main, this.#main)) return message('ledger.file_replaced', { location });
    const log = statusOf(`${location}-wal`);
    if (this.#log && !log) return message('ledger.file_gone', { location: `${location}-wal` });
    if (this.#log && log && !isSame(log, this.#log))
      return message('ledger.file_replaced', { location: `${location}-wal` });
    this.#log = log;
    if (main.mtimeNs === this.#changedAt) return undefined;
    this.#changedAt = main.mtimeNs;
    return this.#lookInside();
  }

  /** A checkpoint adds to what is in the file; an older copy or another ledger has less. */
  #lookInside(): Message | undefined {
    const before = this.#content;
    const now = this.#read();
    if (now === 'unreadable')
      return before ? message('ledger.file_replaced', { location: this.#location }) : undefined;
    if (before && (now === undefined || now.id !== before.id || (now.run ?? '') < (before.run ?? ''))) {
      this.#overwritten = true;
      return message('ledger.file_replaced', { location: this.#location });
    }
    this.#content = now;
    return undefined;
  }

  /** undefined: all of the ledger is in the log so far. */
  #read(): Content | undefined | 'unreadable' {
    for (let tried = 1; ; tried += 1) {
      try {
        return contentOf(this.#location);
      } catch {
        if (tried === READS) return 'unreadable';
      }
    }
  }
}

function contentOf(location: string): Content | undefined {
  const url = new URL(`file://${location.split('/').map(encodeURIComponent).join('/')}?immutable=1`);
  const db = new DatabaseSync(process.platform === 'win32' ? location : url, { readOnly: true });
  try {
    const tables = "SELECT count(*) AS n FROM sqlite_schema WHERE name IN ('ledger_identity', 'runs')";
    if ((db.prepare(tables).get() as { n: number }).n < 2) return undefined;
    return db
      .prepare('SELECT (SELECT id FROM ledger_identity) AS id, (SELECT max(name) FROM runs) AS run')
      .get() as unknown as Content;
  } finally {
    db.close();
  }
}

function statusOf(file: string): BigIntStats | undefined {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A folder that was replaced by a file, or can no longer be read.
    return undefined;
  }
}

function isSame(a: BigIntStats, b: BigIntStats): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

/** How a file is flushed: by the event loop, or by another thread. */
export interface FlushWays {
  readonly here: (file: number) => void;
  readonly beside: (file: number) => Promise<void>;
}

const SYSTEM: FlushWays = { here: fdatasyncSync, beside: promisify(fdatasync) };

/** In milliseconds. About the delay until a busy event loop receives the result of another thread. */
const SHORT = 2;
/** Weight of a flush in the mean: a fast disk is slow occasionally. */
const WEIGHT = 1 / 16;
/** Number of flushes by another thread before the event loop tries again. */
const TRY_AGAIN_AFTER = 500;

/**
 * Flushes a file in the faster way. On a fast disk the event loop flushes itself, and callers that wait for the commit continue
 * in the same turn. On a slow disk another thread flushes, and the event loop receives replies during the flush.
 */
export class DiskFlush {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #ways: FlushWays;
  /** Mean of the last flushes, in milliseconds. */
  #usual = 0;
  #besideFor = 0;

  constructor(clock: Pick<Clock, 'monotonic'> = systemClock, ways: FlushWays = SYSTEM) {
    this.#clock = clock;
    this.#ways = ways;
  }

  /** Rejects with the system's error. */
  async flush(file: number): Promise<void> {
    if (this.#besideFor > 0) {
      this.#besideFor -= 1;
      return this.#ways.beside(file);
    }
    const startedAt = this.#clock.monotonic();
    this.#ways.here(file);
    this.#usual += (this.#clock.monotonic() - startedAt - this.#usual) * WEIGHT;
    if (this.#usual <= SHORT) return;
    this.#besideFor = TRY_AGAIN_AFTER;
    // The next try alone must show whether the disk is still slow.
    this.#usual = SHORT;
  }
}
