import { randomInt } from 'node:crypto';
import pLimit from 'p-limit';
import type { Intent } from '../contract/attempt.js';
import type { ClaimOptions, Cleared } from '../contract/execution.js';
import { type Claims, lockKindred } from './claims.js';
import type { Database } from './database.js';
import { ConnectionLost, LostCommit } from './failures.js';
import type { Came } from './group-write.js';
import { type AskedIntent, beginIntents, type HeldLock, type IntentAnswer, isContested } from './intents.js';
import type { KeptReplies } from './kept-replies.js';
import { openLooking } from './open-looking.js';
import type { RunNumbers } from './run-numbers.js';
import type { Queryable } from './transaction.js';

/** How many intents may be looked at at once. */
const LOOKS = 4;
/** A process counts what it began on lines of its own of a run's sums: all would wait for each other on one. */
const SLOTS = 32_000;

export interface WritableIntent extends AskedIntent {
  readonly options: ClaimOptions;
  /** The newest scope that `kindred` knows of. */
  readonly newestScope: number;
}

export interface IntentPlace {
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
  readonly #looks = pLimit(LOOKS);
  readonly #slot = randomInt(SLOTS);
  readonly #kindred = new Map<string, Pick<WritableIntent, 'kindred' | 'newestScope'>>();

  constructor(db: Database, numbers: RunNumbers, claims: Claims, place: IntentPlace) {
    this.#db = db;
    this.#numbers = numbers;
    this.#claims = claims;
    this.#place = place;
  }

  async asked(intent: Intent, options: ClaimOptions): Promise<WritableIntent> {
    const run = await this.#numbers.of(intent.run);
    await this.#place.kept.prepare(intent.run);
    const known = this.#kindred.get(intent.run) ?? (await this.#readKindred(intent.run));
    return { intent, options, run, ...known, lock: this.#place.lockOf(run.whole ?? intent.run) };
  }

  async #readKindred(run: string): Promise<Pick<WritableIntent, 'kindred' | 'newestScope'>> {
    const newest = await this.#db.get<{ id: number }>('SELECT max(id) AS id FROM scopes');
    const kindred = await this.#numbers.kindredScopes(await this.#numbers.of(run));
    const known = { kindred, newestScope: newest?.id ?? 0 };
    this.#kindred.set(run, known);
    return known;
  }

  /** @param lane no two that are under way at once have the same */
  async write(asked: readonly WritableIntent[], lane: number): Promise<readonly Came<IntentAnswer>[]> {
    const kindred = [
      ...new Map(asked.map(({ run, kindred: of }) => [of.length > 0 ? run : undefined, run])).keys(),
    ];
    const runs = kindred.flatMap((it) => (it ? [it] : [])).sort((one, other) => one.number - other.number);
    try {
      const answers =
        runs.length === 0
          ? await this.begin((sql, params = []) => this.#db.alone(sql, params), asked, lane)
          : await this.#db.transaction(async (tx) => {
              for (const run of runs) await lockKindred(tx, run);
              return this.begin((sql, params) => tx.all(sql, params), asked, lane);
            });
      return answers.map((value) => ({ value }));
    } catch (error) {
      if (!isContested(error) && !(error instanceof LostCommit) && asked.length === 1) throw error;
      return this.failed(asked, error);
    }
  }

  begin(
    all: Queryable['all'],
    asked: readonly WritableIntent[],
    lane: number,
  ): Promise<readonly IntentAnswer[]> {
    const newestScope = Math.min(...asked.map((it) => it.newestScope));
    return beginIntents(all, asked, { newestScope, slot: this.#slot - lane });
  }

  /** The one that spoils it for all must not take the others down, and what may have been written is found by looking. */
  async failed(asked: readonly WritableIntent[], error: unknown): Promise<readonly Came<IntentAnswer>[]> {
    if (error instanceof LostCommit) await this.#settled(error, asked);
    else if (error instanceof ConnectionLost) throw error;
    return asked.map(() => ({ value: 'look' }));
  }

  look(asked: WritableIntent): Promise<Cleared> {
    return this.#looks(() => this.#look(asked));
  }

  async #look(asked: WritableIntent): Promise<Cleared> {
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
  async #settled(lost: LostCommit, asked: readonly WritableIntent[]): Promise<void> {
    try {
      await this.#db.settled(lost);
    } catch (error) {
      for (const { intent } of asked) this.#place.kept.keepUnsent(intent);
      throw error;
    }
  }
}
