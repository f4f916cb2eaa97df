import type { Clock } from '../../util/clock.js';
import type { AttemptClosed, AttemptEnd, ClaimOptions, Cleared, Intent } from '../contract/execution.js';
import { type CompletionContext, CompletionWriter } from './completion-writer.js';
import { type CompletionRequest, endAttempts } from './completions.js';
import type { Database } from './database.js';
import { ConnectionLost, LostCommit } from './failures.js';
import { type GroupResult, GroupWrite } from './group-write.js';
import { IntentWriter, type SendLease, type WritableIntent } from './intent-writer.js';
import type { IntentAnswer } from './intents.js';
import { insertReturnedIds } from './returned-ids.js';
import type { RunNumbers } from './runner.js';

/** Maximum number of concurrent transactions. */
const LANES = 2;

type WriteRequest = { readonly intent: WritableIntent } | { readonly end: CompletionRequest };

/**
 * Writes intents and ends of attempts, many at once: a slot whose request has ended begins its next one in the same commit.
 *
 * A process that dies must leave no more attempts open than requests were in flight. A transaction that ends as many attempts
 * as it begins leaves no more of them open; any other one waits for the ends before it.
 */
export class AttemptWriter {
  readonly #db: Database;
  readonly #intents: IntentWriter;
  readonly #ends: CompletionWriter;
  readonly #group = new GroupWrite<WriteRequest, IntentAnswer | AttemptClosed>(
    (requests, lane) => this.#write(requests, lane),
    LANES,
  );
  /** Transactions in progress that write ends. */
  readonly #ending = new Set<Promise<unknown>>();

  constructor(
    db: Database,
    { numbers, clock }: { readonly numbers: RunNumbers; readonly clock: Clock },
    place: SendLease & CompletionContext,
  ) {
    this.#db = db;
    this.#intents = new IntentWriter(db, numbers, place);
    this.#ends = new CompletionWriter(db, numbers, clock, place);
  }

  /** @throws ProductError internal when the batch must not be sent; ConnectionLost when the wait time is exceeded */
  async open(intent: Intent, options: ClaimOptions): Promise<Cleared> {
    const request = await this.#intents.prepare(intent, options);
    // A further attempt always needs the full check.
    const answer =
      intent.attempt === 1 ? ((await this.#group.add({ intent: request })) as IntentAnswer) : 'look';
    if (answer === 'begun') return { withheld: [] };
    if (answer !== 'look') return { withheld: [], refused: answer.refused };
    return this.#intents.look(request);
  }

  /**
   * @param from `kept`: it was kept on this machine before
   * @throws ProductError internal when its attempt isn't open, or it could not be written
   */
  async close(end: AttemptEnd, from?: 'kept'): Promise<AttemptClosed> {
    return (await this.#group.add({ end: await this.#ends.prepare(end, from) })) as AttemptClosed;
  }

  idle(): Promise<void> {
    return this.#group.idle();
  }

  #write(
    requests: readonly WriteRequest[],
    lane: number,
  ): Promise<readonly GroupResult<IntentAnswer | AttemptClosed>[]> {
    const intents = requests.flatMap((it) => ('intent' in it ? [it.intent] : []));
    const ends = requests.flatMap((it) => ('end' in it ? [it.end] : []));
    // Only earlier transactions: two that waited for each other would deadlock.
    const before = intents.length > ends.length ? [...this.#ending] : [];
    const written = (async () => {
      await Promise.all(before);
      const results = await this.#writeBoth(ends, intents, lane);
      return requests.map((it) => ('end' in it ? results.ends.shift()! : results.intents.shift()!));
    })();
    if (ends.length > 0) {
      const over = written.catch(() => {}).finally(() => this.#ending.delete(over));
      this.#ending.add(over);
    }
    return written;
  }

  async #writeBoth(
    ends: readonly CompletionRequest[],
    intents: readonly WritableIntent[],
    lane: number,
  ): Promise<{ readonly ends: GroupResult<AttemptClosed>[]; readonly intents: GroupResult<IntentAnswer>[] }> {
    const hasRelated = intents.some((it) => it.related.length > 0);
    if (ends.length === 0 || intents.length === 0 || hasRelated) {
      const ended = ends.length > 0 ? await this.#ends.write(ends) : [];
      const begun = intents.length > 0 ? await eachOf(intents, this.#intents.write(intents, lane)) : [];
      return { ends: [...ended], intents: [...begun] };
    }
    let written: readonly [ReadonlySet<CompletionRequest>, readonly IntentAnswer[]];
    try {
      written = await this.#db.together(async (all) => {
        const registered = insertReturnedIds(all, ends);
        const both = [endAttempts(all, ends), this.#intents.begin(all, intents, lane)] as const;
        const [, ...answers] = await Promise.all([registered, ...both]);
        return answers;
      });
    } catch (error) {
      const isLost = error instanceof LostCommit || error instanceof ConnectionLost;
      const ended = await this.#ends.write(ends, isLost ? { error } : undefined);
      const begun = await eachOf(intents, this.#intents.failed(intents, error));
      return { ends: [...ended], intents: [...begun] };
    }
    const [ended, answers] = written;
    return { ends: [...(await this.#ends.look(ends, ended))], intents: answers.map((value) => ({ value })) };
  }
}

/** An error of the whole group becomes the error of each request. */
function eachOf<T>(
  requests: readonly unknown[],
  results: Promise<readonly GroupResult<T>[]>,
): Promise<readonly GroupResult<T>[]> {
  return results.catch((error: unknown) => requests.map(() => ({ error })));
}
