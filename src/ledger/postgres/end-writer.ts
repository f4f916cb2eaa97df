import type { Clock } from '../../util/clock.js';
import { currentUser } from '../../util/current-user.js';
import { type AttemptClosed, type AttemptEnd, ENDED } from '../contract/attempt.js';
import type { Claims } from './claims.js';
import type { Database } from './database.js';
import { type AskedEnd, endAttempts } from './ends.js';
import { ConnectionLost, isPassing, LostCommit, sqlState } from './failures.js';
import { insertGivenIds, registerGivenIds } from './given-ids.js';
import type { Came } from './group-write.js';
import type { KeptReplies } from './kept-replies.js';
import { keepLateEnd } from './late-ends.js';
import type { RunNumbers } from './run-numbers.js';

/** How often one is tried that the server doesn't take just now. */
const AGAIN_EVERY_MS = 250;

export interface EndPlace {
  /** Keeps on this machine what the ledger couldn't take. */
  readonly kept: Pick<KeptReplies, 'keepEnds' | 'keepRefused'>;
}

/** Writes what attempts came to, many at once, and again until it is there. */
export class EndWriter {
  readonly #db: Database;
  readonly #numbers: RunNumbers;
  readonly #claims: Claims;
  readonly #clock: Clock;
  readonly #place: EndPlace;
  /** They lie on this machine already. */
  readonly #takenIn = new WeakSet<AttemptEnd>();

  constructor(
    db: Database,
    numbers: RunNumbers,
    { claims, clock }: { readonly claims: Claims; readonly clock: Clock },
    place: EndPlace,
  ) {
    this.#db = db;
    this.#numbers = numbers;
    this.#claims = claims;
    this.#clock = clock;
    this.#place = place;
  }

  /** @param from `kept`: it was kept on this machine before */
  async asked(end: AttemptEnd, from?: 'kept'): Promise<AskedEnd> {
    if (from) this.#takenIn.add(end);
    return { end, run: await this.#numbers.of(end.run) };
  }

  /** @param tried whether that was tried, with other statements in its transaction, and what came of it */
  async write(
    asked: readonly AskedEnd[],
    tried?: { readonly error: unknown },
  ): Promise<readonly Came<AttemptClosed>[]> {
    let ended: ReadonlySet<AskedEnd> = new Set();
    try {
      if (tried) throw tried.error;
      // Where an id is registered already this fails, and each is looked at.
      [, ended] = await this.#db.together((all) =>
        Promise.all([insertGivenIds(all, asked), endAttempts(all, asked)]),
      );
    } catch (error) {
      if (!(await this.#mayGoWell(error))) {
        const told = this.#keep(asked, error);
        return asked.map(() => ({ error: told }));
      }
      // One that can't be written must not take the others down; what was written is found by looking.
    }
    return this.look(asked, ended);
  }

  /** @param ended those that are written; the others are looked at */
  look(asked: readonly AskedEnd[], ended: ReadonlySet<AskedEnd>): Promise<readonly Came<AttemptClosed>[]> {
    return Promise.all(asked.map((it) => (ended.has(it) ? { value: ENDED } : this.#endAlone(it))));
  }

  async #endAlone(asked: AskedEnd): Promise<Came<AttemptClosed>> {
    const until = this.#clock.monotonic() + this.#db.patienceMs;
    for (;;) {
      try {
        const value = await this.#db.transaction(async (tx) => {
          await registerGivenIds((sql, params) => tx.all(sql, params), this.#numbers, [asked]);
          if ((await endAttempts((sql, params) => tx.all(sql, params), [asked])).has(asked)) return ENDED;
          return keepLateEnd(tx, this.#claims, asked, currentUser());
        });
        return { value };
      } catch (error) {
        const again = error instanceof LostCommit || isPassing(error);
        if (again && (await this.#mayGoWell(error)) && this.#clock.monotonic() < until) {
          await this.#clock.sleep(AGAIN_EVERY_MS);
          continue;
        }
        // What the ledger itself says of the attempt is no fault of the connection's.
        const isRefusal = sqlState(error) === undefined && !(error instanceof ConnectionLost || again);
        return { error: isRefusal ? this.#refused(asked.end, error) : this.#keep([asked], error) };
      }
    }
  }

  /** False where the server can't be had any more. */
  async #mayGoWell(error: unknown): Promise<boolean> {
    if (!(error instanceof LostCommit)) return !(error instanceof ConnectionLost);
    return this.#db.settled(error).then(
      () => true,
      () => false,
    );
  }

  /** The ledger has no place for it, as another attempt has that: what was answered is kept for a person. */
  #refused(end: AttemptEnd, why: unknown): unknown {
    if (!end.sent || end.nonce === undefined || this.#takenIn.has(end)) return why;
    return this.#place.kept.keepRefused(end, why);
  }

  #keep(asked: readonly AskedEnd[], why: unknown): unknown {
    return this.#place.kept.keepEnds(
      asked.map((it) => it.end),
      why,
    );
  }
}
