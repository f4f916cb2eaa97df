import { type Message, message } from '../../errors/message.js';
import type { Lease } from '../../ledger/contract/attempt.js';
import type { ClaimOptions, PendingBatch, Refusal } from '../../ledger/contract/execution.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Undoing } from '../../ledger/contract/undoings.js';
import type { Connection } from '../../model/connection.js';
import type { Job } from '../../model/job.js';
import type { Operation } from '../../model/operation.js';
import type { ItemOutcome } from '../../model/outcome.js';
import type { AttemptEvent, PlatformClient } from '../../platform/client/client.js';
import { patienceOver, refusesToken, renewToken } from '../../platform/client/inquiry.js';
import { newNonce } from '../../platform/client/nonce.js';
import type { RequestGate, Turn } from '../../platform/client/request-gate.js';
import { isAnswer, judge, type Verdict } from '../../platform/client/verdict.js';
import type { Clock } from '../../util/clock.js';
import { crashPoint } from '../../util/crash-point.js';
import { backoffMs, type RetryBudget } from '../../util/retry-timing.js';
import type { StopSignal } from '../../util/stop-signal.js';
import { countItems, type RunLog } from '../run-events.js';
import { afterSent, doubtUndone, harmless, putOff, settle, withDoubt, without } from './attempt-outcomes.js';
import { batchRequest } from './batch-request.js';
import { idsGiven, SeenIds } from './given-ids.js';

export interface CarrierParts {
  readonly run: string;
  readonly job: Job;
  readonly operation: Operation;
  readonly connection: Connection;
  readonly ledger: Ledger;
  readonly client: PlatformClient;
  readonly gate: RequestGate;
  readonly budget: RetryBudget;
  readonly clock: Clock;
  readonly stop: StopSignal;
  readonly warn: (warning: Message) => void;
  /** Absent: nothing is logged. */
  readonly log?: RunLog;
  readonly claim: ClaimOptions;
  /** Licence orders that were taken back: a reply that names one of them made nothing new. */
  readonly undoneOrders: ReadonlyMap<string, Undoing>;
  /** By what a worker may send these batches; absent where the process holds the run's lock. */
  readonly lease?: Lease | undefined;
}

/** What became of one batch in this process. */
export interface BatchEnd {
  /** By item: settled outcomes of this process. */
  readonly outcomes: readonly ItemOutcome[];
  readonly attempts: number;
  /** Of these; waiting for a pause that the platform asked for makes none. */
  readonly retries: number;
  /** Set when the platform refused the request by HTTP status; three alike in a row stop the run. */
  readonly streak?: string;
  /** The run must not go on. */
  readonly stopped?: Message;
  /** The ledger let nothing leave: the batch isn't this process's to send, or not yet. */
  readonly refused?: Refusal;
  /** Resolves when all of it is in the ledger, rejects when the ledger couldn't take it. */
  readonly kept: Promise<void>;
}

type Items = PendingBatch['items'];

/**
 * Sends one batch, with its further attempts. The promises rest on the order: the intent is durable before the first
 * byte leaves, the outcome before anybody counts it. The last attempt's outcome is still on its way to the ledger when
 * `carry` resolves, so that the next batch's intent can share its commit.
 */
export class BatchCarrier {
  readonly #parts: CarrierParts;
  readonly #seen = new SeenIds();

  constructor(parts: CarrierParts) {
    this.#parts = parts;
  }

  async carry(batch: PendingBatch): Promise<BatchEnd> {
    const { run, job, gate, budget, stop, client } = this.#parts;
    const outcomes: ItemOutcome[] = [];
    let items = batch.items;
    let tries = 0;
    let retries = 0;
    let doubted = batch.doubtful;
    let afterPause = batch.paused === true;
    let sentBefore = batch.sent === true;
    let renewed = false;
    let kept = Promise.resolve();
    const end = (more: Pick<BatchEnd, 'streak' | 'stopped' | 'refused'> = {}): BatchEnd => ({
      outcomes,
      attempts: tries,
      retries,
      kept,
      ...more,
    });
    budget.began();
    while (items.length > 0) {
      const turn = await gate.take(stop.signal);
      if (turn.kind === 'impatient') {
        const why = patienceOver(turn.asked, job.run.patienceMs);
        return end({ stopped: message('run.patience_over', { why, run }) });
      }
      if (turn.kind === 'gone') return end();
      const number = batch.attempts + tries + 1;
      const attempt = await this.#attempt(batch, items, turn, {
        number,
        retries,
        doubted,
        afterPause,
        sentBefore,
        renewed,
      });
      if (attempt.kind === 'withheld') return end(attempt.refused ? { refused: attempt.refused } : {});
      tries += 1;
      const { verdict } = attempt;
      kept = attempt.kept;
      sentBefore ||= attempt.event.kind !== 'unsent';
      if (verdict.kind === 'retry') doubted ||= verdict.doubtful;
      items = attempt.left;
      outcomes.push(...attempt.outcomes);
      if (attempt.unauthorized) {
        await kept;
        const again = await renewToken(client, attempt.unauthorized, attempt.event);
        if (again !== 'renewed') return end({ stopped: message('run.then_resume', { why: again, run }) });
        renewed = true;
        afterPause = true;
        continue;
      }
      if (verdict.kind === 'stop') {
        return end({ stopped: message('run.then_resume', { why: verdict.reason, run }) });
      }
      if (verdict.kind === 'settled') {
        for (const warning of verdict.warnings) this.#parts.warn(warning);
        if (items.length === 0) return end(verdict.streak === undefined ? {} : { streak: verdict.streak });
      }
      // A further attempt begins with this one closed.
      await kept;
      afterPause = verdict.kind === 'retry' && verdict.pause !== undefined;
      if (afterPause) continue;
      retries += 1;
      if (!(await this.#wait(retries, { batch: batch.batch, attempt: number }))) {
        retries -= 1;
        return end();
      }
    }
    return end();
  }

  /** One attempt within its turn, which is given back whatever happens. */
  async #attempt(batch: PendingBatch, wanted: Items, turn: Turn, at: AttemptPlace) {
    const { gate, stop, operation } = this.#parts;
    let event: AttemptEvent | undefined;
    let answered = false;
    try {
      if (stop.cause) return { kind: 'withheld', refused: undefined } as const;
      const tried = await this.#send(batch, wanted, at);
      if (tried.kind === 'tried') {
        event = tried.event;
        answered = isAnswer(tried.unauthorized ?? tried.verdict);
      }
      return tried;
    } finally {
      gate.done(turn, event, answered, operation.repeatable);
    }
  }

  async #send(
    batch: PendingBatch,
    wanted: Items,
    { number, retries, doubted, afterPause, sentBefore, renewed }: AttemptPlace,
  ): Promise<Tried> {
    const { run, job, operation, connection, ledger, client, clock, budget, claim, lease } = this.#parts;
    const nonce = newNonce();
    const startedAt = clock.now();
    const intent = { run, batch: batch.batch, attempt: number, nonce, startedAt, afterPause, lease };
    crashPoint('before-intent');
    const { withheld, refused } = await ledger.execution.open(intent, claim);
    const items = refused ? [] : without(wanted, withheld);
    if (items.length === 0) return { kind: 'withheld', refused };
    crashPoint('after-intent');

    const at = { run, batch: batch.batch, envelope: batch.envelope };
    const bodies = items.map((it) => it.body);
    const request = batchRequest(operation, connection, at, bodies);
    const began = clock.monotonic();
    const { repeatable } = operation;
    const event = await client.send(request, { nonce, timeoutMs: job.run.timeoutMs, repeatable });
    crashPoint('reply-received');
    const durationMs = Math.round(clock.monotonic() - began);
    // A retry is reserved before the reply is judged, so that those decided at the same time can't overdraw.
    const reserved = retries < job.run.retries && budget.take();
    const judged = this.#judge(request, items.length, event, { last: !reserved, doubted, sentBefore });
    const decided = doubtUndone(judged, operation, this.#parts.undoneOrders);
    // With another token the same batch is sent again: until that is fetched its items wait, as in a pause.
    const unauthorized = !renewed && client.renewable && refusesToken(decided, event) ? decided : undefined;
    const verdict: Verdict = unauthorized ? waitingFor(unauthorized) : decided;
    const settled = settle(verdict, items);
    const paused = verdict.kind === 'retry' && (verdict.pause !== undefined || unauthorized !== undefined);
    const given = idsGiven(settled, this.#parts);
    const closed = ledger.execution.close({
      run,
      batch: batch.batch,
      attempt: number,
      nonce,
      lease,
      endedAt: clock.now(),
      httpStatus: event.kind === 'reply' ? event.httpStatus : undefined,
      reply: client.redact(event.kind === 'reply' ? event.text : event.detail),
      event: event.kind === 'reply' ? 'reply' : event.reason,
      sent: event.kind !== 'unsent',
      outcomes: paused ? putOff(verdict.otherwise, items) : settled,
      noEffect: harmless(operation, verdict),
      ...(given ? { given } : {}),
    });
    const kept = closed.then((how) => {
      this.#parts.log?.add({
        run,
        event: 'attempt',
        batch: batch.batch,
        attempt: number,
        nonce,
        ...(event.kind === 'unsent' || event.httpStatus === undefined
          ? {}
          : { httpStatus: event.httpStatus }),
        outcome: event.kind === 'reply' ? 'reply' : event.reason,
        sent: event.kind !== 'unsent',
        durationMs,
        items: items.length,
        settled: countItems(settled.map((it) => it.outcome)),
      });
      if (how.kind === 'late') {
        const at = { run, batch: batch.batch, attempt: number };
        this.#parts.log?.add({ ...at, event: 'late_reply', settled: how.settled });
      }
      crashPoint('outcome-written');
    });
    const left = without(items, settled);
    if (reserved && (left.length === 0 || paused)) budget.giveBack();
    if (verdict.kind === 'settled' && retries > 0 && !verdict.exhausted) budget.giveBack();
    return {
      kind: 'tried',
      event,
      verdict,
      unauthorized,
      left,
      outcomes: this.#seen.counted(settled, given),
      kept,
    };
  }

  #judge(
    request: Parameters<typeof judge>[1],
    items: number,
    event: AttemptEvent,
    { last, doubted, sentBefore }: Pick<AttemptPlace, 'doubted' | 'sentBefore'> & { readonly last: boolean },
  ): Verdict {
    const { operation, connection } = this.#parts;
    const options = { retryCode500: connection.retryCode500, lastAttempt: last };
    const alone = judge(operation, request, items, event, options);
    const judged = sentBefore && event.kind === 'unsent' ? afterSent(alone, event.detail) : alone;
    const verdict = doubted && !operation.repeatable ? withDoubt(judged) : judged;
    if (verdict.kind === 'retry' && this.#endsNow(verdict)) {
      return {
        kind: 'settled',
        outcomes: Array.from({ length: items }, () => verdict.otherwise),
        warnings: [],
      };
    }
    return verdict;
  }

  /** A run that is stopping makes no more attempts; what may have had an effect must not be told as `not_sent`. */
  #endsNow(verdict: Verdict & { kind: 'retry' }): boolean {
    return this.#parts.stop.cause !== undefined && verdict.doubtful;
  }

  /** False when the run stops meanwhile; the batch stays pending then and shows as `not_sent`. */
  async #wait(retry: number, after: { readonly batch: number; readonly attempt: number }): Promise<boolean> {
    const { run, clock, stop, log } = this.#parts;
    const wait = backoffMs(retry);
    log?.add({ run, event: 'waiting', ...after, waitMs: Math.round(wait) });
    return clock.sleep(wait, stop.signal);
  }
}

type StopVerdict = Extract<Verdict, { kind: 'stop' }>;

function waitingFor({ outcome }: StopVerdict): Verdict {
  return { kind: 'retry', otherwise: outcome, doubtful: false, cause: 'http_401' };
}

interface AttemptPlace {
  /** Counted from 1 within the batch, over all processes. */
  readonly number: number;
  /** Made in this process before it. */
  readonly retries: number;
  readonly doubted: boolean;
  readonly afterPause: boolean;
  /** Bytes of an earlier attempt left. */
  readonly sentBefore: boolean;
  /** The token was fetched again for this batch. */
  readonly renewed: boolean;
}

type Tried =
  | { readonly kind: 'withheld'; readonly refused: Refusal | undefined }
  | {
      readonly kind: 'tried';
      readonly event: AttemptEvent;
      readonly verdict: Verdict;
      /** The token was refused, and may be fetched again. */
      readonly unauthorized: StopVerdict | undefined;
      readonly left: Items;
      readonly outcomes: readonly ItemOutcome[];
      readonly kept: Promise<void>;
    };
