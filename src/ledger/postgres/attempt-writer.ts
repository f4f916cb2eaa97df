import type { AttemptClosed, AttemptEnd, Intent } from '../contract/attempt.js';
import type { ClaimOptions, Cleared } from '../contract/execution.js';
import type { Database } from './database.js';
import { type EndPlace, EndWriter } from './end-writer.js';
import { type AskedEnd, endAttempts } from './ends.js';
import { ConnectionLost, LostCommit } from './failures.js';
import { insertGivenIds } from './given-ids.js';
import { type Came, GroupWrite } from './group-write.js';
import { type IntentPlace, IntentWriter, type WritableIntent } from './intent-writer.js';
import type { IntentAnswer } from './intents.js';
import type { RunNumbers } from './run-numbers.js';

/** How many transactions may be under way at once. */
const LANES = 2;

type Asked = { readonly intent: WritableIntent } | { readonly end: AskedEnd };

/**
 * Writes intents and what attempts came to, many of both at once: a slot whose request has ended begins its next one in
 * the same commit.
 *
 * A batch takes the place of one that has ended: a process that dies must leave no more attempts open than were under way.
 * A transaction that ends as many as it begins leaves no more of them open; any other one waits for the ends before it.
 */
export class AttemptWriter {
  readonly #db: Database;
  readonly #intents: IntentWriter;
  readonly #ends: EndWriter;
  readonly #group = new GroupWrite<Asked, IntentAnswer | AttemptClosed>(
    (asked, lane) => this.#write(asked, lane),
    LANES,
  );
  /** Transactions under way that write ends. */
  readonly #ending = new Set<Promise<unknown>>();

  constructor(
    db: Database,
    how: { readonly numbers: RunNumbers } & ConstructorParameters<typeof EndWriter>[2],
    place: IntentPlace & EndPlace,
  ) {
    this.#db = db;
    this.#intents = new IntentWriter(db, how.numbers, how.claims, place);
    this.#ends = new EndWriter(db, how.numbers, how, place);
  }

  /** @throws ProductError internal where the batch isn't to be sent; ConnectionLost after all patience */
  async open(intent: Intent, options: ClaimOptions): Promise<Cleared> {
    const asked = await this.#intents.asked(intent, options);
    // Of a further attempt the statement would only say that it must be looked at.
    const answer =
      intent.attempt === 1 ? ((await this.#group.add({ intent: asked })) as IntentAnswer) : 'look';
    if (answer === 'begun') return { withheld: [] };
    if (answer !== 'look') return { withheld: [], refused: answer.refused };
    return this.#intents.look(asked);
  }

  /**
   * @param from `kept`: it was kept on this machine before
   * @throws ProductError internal where its attempt isn't open, or the ledger couldn't take it
   */
  async close(end: AttemptEnd, from?: 'kept'): Promise<AttemptClosed> {
    return (await this.#group.add({ end: await this.#ends.asked(end, from) })) as AttemptClosed;
  }

  idle(): Promise<void> {
    return this.#group.idle();
  }

  #write(asked: readonly Asked[], lane: number): Promise<readonly Came<IntentAnswer | AttemptClosed>[]> {
    const intents = asked.flatMap((it) => ('intent' in it ? [it.intent] : []));
    const ends = asked.flatMap((it) => ('end' in it ? [it.end] : []));
    // Only those that were before: of two that waited for each other none would end.
    const before = intents.length > ends.length ? [...this.#ending] : [];
    const written = (async () => {
      await Promise.all(before);
      const came = await this.#writeBoth(ends, intents, lane);
      return asked.map((it) => ('end' in it ? came.ends.shift()! : came.intents.shift()!));
    })();
    if (ends.length > 0) {
      const over = written.catch(() => {}).finally(() => this.#ending.delete(over));
      this.#ending.add(over);
    }
    return written;
  }

  async #writeBoth(
    ends: readonly AskedEnd[],
    intents: readonly WritableIntent[],
    lane: number,
  ): Promise<{ readonly ends: Came<AttemptClosed>[]; readonly intents: Came<IntentAnswer>[] }> {
    const isKindred = intents.some((it) => it.kindred.length > 0);
    if (ends.length === 0 || intents.length === 0 || isKindred) {
      const ended = ends.length > 0 ? await this.#ends.write(ends) : [];
      const begun = intents.length > 0 ? await eachOf(intents, this.#intents.write(intents, lane)) : [];
      return { ends: [...ended], intents: [...begun] };
    }
    let written: readonly [ReadonlySet<AskedEnd>, readonly IntentAnswer[]];
    try {
      written = await this.#db.together(async (all) => {
        const registered = insertGivenIds(all, ends);
        const both = [endAttempts(all, ends), this.#intents.begin(all, intents, lane)] as const;
        const [, ...answers] = await Promise.all([registered, ...both]);
        return answers;
      });
    } catch (error) {
      const isGone = error instanceof LostCommit || error instanceof ConnectionLost;
      const ended = await this.#ends.write(ends, isGone ? { error } : undefined);
      const begun = await eachOf(intents, this.#intents.failed(intents, error));
      return { ends: [...ended], intents: [...begun] };
    }
    const [ended, answers] = written;
    return {
      ends: [...(await this.#ends.look(ends, ended))],
      intents: answers.map((value) => ({ value })),
    };
  }
}

/** What fails for all of them fails for each. */
function eachOf<T>(
  asked: readonly unknown[],
  came: Promise<readonly Came<T>[]>,
): Promise<readonly Came<T>[]> {
  return came.catch((error: unknown) => asked.map(() => ({ error })));
}
