import type { Clock } from '../../util/clock.js';
import { currentUser } from '../../util/process.js';
import { type AttemptClosed, type AttemptEnd, ENDED } from '../contract/execution.js';
import { type CompletionRequest, endAttempts } from './completions.js';
import type { Database } from './database.js';
import { ConnectionLost, isPassing, LostCommit, sqlState } from './failures.js';
import type { GroupResult } from './group-write.js';
import { keepLateReply } from './late-replies.js';
import { insertReturnedIds, registerReturnedIds } from './returned-ids.js';
import type { RunNumbers } from './runner.js';
import type { SpooledReplies } from './spooled-replies.js';

/** Interval of retries while the server temporarily refuses an end. */
const AGAIN_EVERY_MS = 250;
/** The ends of requests sent before the ledger was closed must not be lost. */
const EVEN_CLOSED = { closed: 'written' } as const;

export interface CompletionContext {
  /** Keeps ends on this machine that could not be written to the ledger. */
  readonly kept: Pick<SpooledReplies, 'keepEnds' | 'keepRefused'>;
}

/** Writes ends of attempts, many at once, with retries. */
export class CompletionWriter {
  readonly #db: Database;
  readonly #numbers: RunNumbers;
  readonly #clock: Clock;
  readonly #place: CompletionContext;
  /** Ends imported from a file of this machine. */
  readonly #imported = new WeakSet<AttemptEnd>();

  constructor(db: Database, numbers: RunNumbers, clock: Clock, place: CompletionContext) {
    this.#db = db;
    this.#numbers = numbers;
    this.#clock = clock;
    this.#place = place;
  }

  /** @param from `kept`: it was kept on this machine before */
  async prepare(end: AttemptEnd, from?: 'kept'): Promise<CompletionRequest> {
    if (from) this.#imported.add(end);
    return { end, run: await this.#numbers.of(end.run) };
  }

  /** @param tried the error of an earlier attempt, with other statements in its transaction */
  async write(
    requests: readonly CompletionRequest[],
    tried?: { readonly error: unknown },
  ): Promise<readonly GroupResult<AttemptClosed>[]> {
    let ended: ReadonlySet<CompletionRequest> = new Set();
    try {
      if (tried) throw tried.error;
      // This fails if an id is already registered; then each is checked alone.
      [, ended] = await this.#db.together((all) =>
        Promise.all([insertReturnedIds(all, requests), endAttempts(all, requests)]),
      );
    } catch (error) {
      if (!(await this.#isReachable(error))) {
        const reported = this.#keep(requests, error);
        return requests.map(() => ({ error: reported }));
      }
      // One that can't be written must not make the others fail, and some may have been written.
    }
    return this.look(requests, ended);
  }

  /** @param ended requests that were written; the others are checked alone */
  look(
    requests: readonly CompletionRequest[],
    ended: ReadonlySet<CompletionRequest>,
  ): Promise<readonly GroupResult<AttemptClosed>[]> {
    return Promise.all(
      requests.map((request) => (ended.has(request) ? { value: ENDED } : this.#endAlone(request))),
    );
  }

  async #endAlone(request: CompletionRequest): Promise<GroupResult<AttemptClosed>> {
    const { end } = request;
    const until = this.#clock.monotonic() + this.#db.patienceMs;
    for (;;) {
      try {
        const value = await this.#db.transaction(async (tx) => {
          await registerReturnedIds((sql, params) => tx.all(sql, params), this.#numbers, [request]);
          if ((await endAttempts((sql, params) => tx.all(sql, params), [request])).has(request)) return ENDED;
          return keepLateReply(tx, request, currentUser());
        }, EVEN_CLOSED);
        return { value: request.end === end ? value : { ...value, outcomes: request.end.outcomes } };
      } catch (error) {
        const isTemporary = error instanceof LostCommit || isPassing(error);
        if (isTemporary && (await this.#isReachable(error)) && this.#clock.monotonic() < until) {
          await this.#clock.sleep(AGAIN_EVERY_MS);
          continue;
        }
        // Neither the server nor the connection failed: the ledger refused the end.
        const isRefusal = sqlState(error) === undefined && !(error instanceof ConnectionLost || isTemporary);
        return { error: isRefusal ? this.#refused(request.end, error) : this.#keep([request], error) };
      }
    }
  }

  /** False when the server is unreachable. */
  async #isReachable(error: unknown): Promise<boolean> {
    if (!(error instanceof LostCommit)) return !(error instanceof ConnectionLost);
    return this.#db.resolveLostCommit(error).then(
      () => true,
      () => false,
    );
  }

  /** The ledger refused the end, because another attempt has its number. The reply is kept for a user. */
  #refused(end: AttemptEnd, why: unknown): unknown {
    if (!end.sent || end.nonce === undefined || this.#imported.has(end)) return why;
    return this.#place.kept.keepRefused(end, why);
  }

  #keep(requests: readonly CompletionRequest[], why: unknown): unknown {
    return this.#place.kept.keepEnds(
      requests.map((it) => it.end),
      why,
    );
  }
}
