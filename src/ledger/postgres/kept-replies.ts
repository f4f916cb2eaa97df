import path from 'node:path';
import { cwd } from 'node:process';
import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { exactStringify } from '../../util/exact-json.js';
import { redactKnown } from '../../util/known-secrets.js';
import { ownProcess } from '../../util/process-alive.js';
import type { AttemptEnd, Intent } from '../contract/attempt.js';
import { Spool } from './spool.js';
import { takeInSpools } from './take-in-spool.js';
import type { Queryable } from './transaction.js';

const JOB_FILE = 'SELECT job_file FROM runs WHERE name = $1 AND host = $2';
/** Of more runs nobody will have left anything. */
const JOB_FILES = 'SELECT job_file FROM runs WHERE host = $1 ORDER BY id DESC LIMIT 500';

interface KeptTaker {
  closeKept(end: AttemptEnd): Promise<unknown>;
}

/** What the ledger couldn't be told lies on this machine: beside the run's job, or in the program's folder where that isn't here. */
export class KeptReplies {
  readonly #db: Queryable;
  readonly #location: string;
  readonly #note: (it: Message) => unknown;
  readonly #spool: Spool;
  /** By run. */
  readonly #folders = new Map<string, string | undefined>();

  constructor(db: Queryable, location: string, note: (it: Message) => unknown) {
    this.#db = db;
    this.#location = location;
    this.#note = note;
    this.#spool = new Spool(location);
  }

  /** Finds out where a run's would lie, while the ledger can tell. */
  async prepare(run: string): Promise<void> {
    if (this.#folders.has(run)) return;
    const found = await this.#db.get<{ job_file: string }>(JOB_FILE, [run, ownProcess().host]);
    this.#folders.set(run, found && path.dirname(found.job_file));
  }

  /** Keeps what attempts came to, gives what whoever wanted it written is told. */
  keepEnds(ends: readonly AttemptEnd[], why: unknown): ProductError {
    const run = ends[0]?.run ?? '-';
    const files = new Map<string, AttemptEnd[]>();
    for (const end of ends) {
      const at = this.#fileOf(end.run);
      files.set(at, [...(files.get(at) ?? []), end]);
    }
    const lost = [...files].flatMap(([at, its]) => this.#keep(at, its) ?? []);
    if (lost[0]) return lost[0];
    const about = { location: this.#location, run, file: this.#fileOf(run) };
    return new ProductError('internal', message('spool.ledger_lost', { ...about, reason: reasonOf(why) }), {
      cause: why,
    });
  }

  /** Keeps what an attempt came to that isn't in the ledger, or not as this one; gives what is told of it. */
  keepRefused(end: AttemptEnd, why: unknown): ProductError {
    const { run, batch, attempt } = end;
    const file = this.#fileOf(run);
    const about = { location: this.#location, run, batch, attempt, file };
    const lost = this.#keep(file, [end], { forPerson: true });
    return lost ?? new ProductError('internal', message('spool.refused', about), { cause: why });
  }

  /** What can't be stored anywhere is reported with all that it says: it may be the only trace of an order. */
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
      // Whoever goes on with the run tells its items as unknown; nothing of them left.
    }
  }

  /** The last word: where how much lies. */
  tell(): void {
    for (const [file, count] of this.#spool.kept) {
      if (count > 0) this.#note(message('spool.kept', { file, count }));
    }
  }

  /** Brings into the ledger what earlier processes kept here. */
  async takeIn(execution: KeptTaker, now: () => number): Promise<void> {
    const files = await this.#db.all<{ job_file: string }>(JOB_FILES, [ownProcess().host]);
    await takeInSpools([cwd(), ...files.map((it) => path.dirname(it.job_file))], {
      location: this.#location,
      knows: async (run) => (await this.#db.get('SELECT 1 FROM runs WHERE name = $1', [run])) !== undefined,
      close: (end) => execution.closeKept(end),
      now,
      tell: this.#note,
    });
  }

  #fileOf(run: string): string {
    return this.#spool.fileFor(this.#folders.get(run));
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
