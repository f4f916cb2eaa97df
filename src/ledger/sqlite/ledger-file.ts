import { type BigIntStats, statSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';

/** A checkpoint of another process may write to the file while it is read. */
const READS = 5;

/** What the main file contains by itself, without the log. */
interface Content {
  readonly id: string;
  /** The highest run; runs are never removed. */
  readonly run: string | null;
}

/**
 * Notices that the file of an open ledger was removed, moved or replaced: what is committed then is lost when the process ends.
 *
 * Danger: the file must never be opened and closed by other means than SQLite's. Closing it would release the locks of this
 * process, which belong to the process and not to the handle.
 */
export class LedgerFile {
  readonly #location: string;
  readonly #main: BigIntStats;
  #log: BigIntStats | undefined;
  /** When it was last written to; undefined until its content was read. */
  #changedAt: bigint | undefined;
  #content: Content | undefined;
  #lost: Message | undefined;
  #overwritten = false;

  /** @param location of a file that SQLite has opened */
  constructor(location: string) {
    this.#location = location;
    this.#main = statSync(location, { bigint: true });
  }

  /** Other content was written into the file: the log does not belong to it. */
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
    if (now === 'unreadable') {
      return before ? message('ledger.file_replaced', { location: this.#location }) : undefined;
    }
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

function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}
