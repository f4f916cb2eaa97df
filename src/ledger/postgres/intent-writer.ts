import { randomInt } from 'node:crypto';
import pLimit from 'p-limit';
import type { Intent } from '../contract/attempt.js';
import type { ClaimOptions, Cleared } from '../contract/execution.js';
import { type Claims, lockKindred } from './claims.js';
import type { Database, Queryable } from './database.js';
import { ConnectionLost, LostCommit } from './failures.js';
import { type Came, GroupWrite } from './group-write.js';
import { type AskedIntent, beginIntents, type HeldLock, type IntentAnswer, isContested } from './intents.js';
import type { KeptReplies } from './kept-replies.js';
import { openLooking } from './open-looking.js';
import type { RunNumbers } from './run-numbers.js';

/** How many statements may be under way at once, and how many intents that are looked at. */
const LANES = 2;
const LOOKS = 4;
/** A process counts what it began on lines of its own of a run's sums: all would wait for each other on one. */
const SLOTS = 32_000;

interface Asked extends AskedIntent {
  readonly options: ClaimOptions;
  /** The newest scope that `kindred` knows of. */
  readonly newestScope: number;
}

export interface IntentPlace {
  /** Resolves once what attempts came to until now is in the ledger, or can't be. */
  readonly endsWritten: () => Promise<void>;
  /** The lock of a run, where this process holds it. */
  readonly lockOf: (run: string) => HeldLock | undefined;
  readonly kept: Pick<KeptReplies, 'prepare' | 'keepUnsent'>;
}

/** Writes intents, many at once. One whose COMMIT has no answer is looked up before anybody hears of it. */
export class IntentWriter {
  readonly #db: Database;
  readonly #numbers: RunNumbers;
  readonly #claims: Claims;
  readonly #place: IntentPlace;
  readonly #group = new GroupWrite<Asked, IntentAnswer>((asked, lane) => this.#begin(asked, lane), LANES);
  readonly #looks = pLimit(LOOKS);
  readonly #slot = randomInt(SLOTS);
  readonly #kindred = new Map<string, Pick<Asked, 'kindred' | 'newestScope'>>();

  constructor(db: Database, numbers: RunNumbers, claims: Claims, place: IntentPlace) {
    this.#db = db;
    this.#numbers = numbers;
    this.#claims = claims;
    this.#place = place;
  }

  /** @throws ProductError internal where the batch isn't to be sent; ConnectionLost after all patience */
  async open(intent: Intent, options: ClaimOptions): Promise<Cleared> {
    const asked = await this.#asked(intent, options);
    // Of a further attempt the statement would only say that it must be looked at.
    const answer = intent.attempt === 1 ? await this.#group.add(asked) : 'look';
    if (answer === 'begun') return { withheld: [] };
    if (answer !== 'look') return { withheld: [], refused: answer.refused };
    return this.#looks(() => this.#look(asked));
  }

  idle(): Promise<void> {
    return this.#group.idle();
  }

  async #asked(intent: Intent, options: ClaimOptions): Promise<Asked> {
    const run = await this.#numbers.of(intent.run);
    await this.#place.kept.prepare(intent.run);
    const known = this.#kindred.get(intent.run) ?? (await this.#readKindred(intent.run));
    return { intent, options, run, ...known, lock: this.#place.lockOf(run.whole ?? intent.run) };
  }

  async #readKindred(run: string): Promise<Pick<Asked, 'kindred' | 'newestScope'>> {
    const newest = await this.#db.get<{ id: number }>('SELECT max(id) AS id FROM scopes');
    const kindred = await this.#numbers.kindredScopes(await this.#numbers.of(run));
    const known = { kindred, newestScope: newest?.id ?? 0 };
    this.#kindred.set(run, known);
    return known;
  }

  async #begin(asked: readonly Asked[], lane: number): Promise<readonly Came<IntentAnswer>[]> {
    const how = { newestScope: Math.min(...asked.map((it) => it.newestScope)), slot: this.#slot - lane };
    const begin = (all: Queryable['all']) => beginIntents(all, asked, how);
    const kindred = [
      ...new Map(asked.map(({ run, kindred: of }) => [of.length > 0 ? run : undefined, run])).keys(),
    ];
    // A batch takes the place of one that has ended: a process that dies leaves no more attempts open than were under way.
    await this.#place.endsWritten();
    const runs = kindred.flatMap((it) => (it ? [it] : [])).sort((one, other) => one.number - other.number);
    try {
      const answers =
        runs.length === 0
          ? await begin((sql, params = []) => this.#db.alone(sql, params))
          : await this.#db.transaction(async (tx) => {
              for (const run of runs) await lockKindred(tx, run);
              return begin((sql, params) => tx.all(sql, params));
            });
      return answers.map((value) => ({ value }));
    } catch (error) {
      // The one that spoils it for all must not take the others down, and what may have been written is found by looking.
      if (error instanceof LostCommit) await this.#settled(error, asked);
      else if (!isContested(error) && asked.length === 1) throw error;
      else if (error instanceof ConnectionLost) throw error;
      return asked.map(() => ({ value: 'look' }));
    }
  }

  async #look(asked: Asked): Promise<Cleared> {
    try {
      const { kindred } = await this.#readKindred(asked.intent.run);
      return await this.#db.transaction((tx) =>
        openLooking(tx, this.#claims, { ...asked, kindred, slot: this.#slot }),
      );
    } catch (error) {
      // An earlier try may have written it.
      if (error instanceof LostCommit || error instanceof ConnectionLost) {
        this.#place.kept.keepUnsent(asked.intent);
      }
      throw error;
    }
  }

  /** Resolves once it is certain what became of the intents; until then they may be written behind our back. */
  async #settled(lost: LostCommit, asked: readonly Asked[]): Promise<void> {
    try {
      await this.#db.settled(lost);
    } catch (error) {
      for (const { intent } of asked) this.#place.kept.keepUnsent(intent);
      throw error;
    }
  }
}
