import { type Message, message } from '../../errors/message.js';
import type { ClaimOptions, Lease, PendingBatch, Refusal } from '../../ledger/contract/execution.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RevertedBy } from '../../ledger/contract/reversals.js';
import type { Connection } from '../../model/connection.js';
import type { ItemOutcome } from '../../model/item.js';
import type { Job } from '../../model/job.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { Operation, WireRequest } from '../../model/operation.js';
import type { AttemptEvent, PlatformClient } from '../../platform/client/client.js';
import { patienceOver, refusesToken, renewToken } from '../../platform/client/inquiry.js';
import type { RequestGate, Turn } from '../../platform/client/request-gate.js';
import { newNonce } from '../../platform/client/request-target.js';
import { isAnswer, judge, type Verdict } from '../../platform/client/verdict.js';
import type { Clock } from '../../util/clock.js';
import { crashPoint } from '../../util/crash-point.js';
import { backoffMs, type RetryBudget } from '../../util/retry-timing.js';
import type { StopSignal } from '../../util/stop-signal.js';
import { countItems, type RunLog } from '../run-events.js';
import {
  deferredOutcomes,
  isRepeatSafe,
  outcomesOf,
  reclassifyResolved,
  reclassifySent,
  reclassifyUncertain,
  returnedIds,
  without,
} from './attempt-outcomes.js';

export interface BatchSenderParts {
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
  /** Licence orders that were reverted: a reply that names one of them created nothing new. */
  readonly revertedOrders: ReadonlyMap<string, RevertedBy>;
  /** The worker's lease for these batches; absent if the process holds the run's lock. */
  readonly lease?: Lease | undefined;
}

/** The end of one batch in this process. */
export interface BatchEnd {
  /** By item: final outcomes from this process. With `hasIdsToCompare` the ledger may correct them until `kept` resolves. */
  readonly outcomes: readonly ItemOutcome[];
  readonly attempts: number;
  /** Included in `attempts`. A wait that the platform requested does not count as a retry. */
  readonly retries: number;
  /** Set when the platform refused the request by HTTP status. Three equal values in a row stop the run. */
  readonly streak?: string;
  /** Why the run must stop. */
  readonly stopped?: Message;
  /** The ledger refused the attempt: this process may not send the batch, or not yet. */
  readonly refused?: Refusal;
  /** The last reply gave ids to items, and the ledger has to compare them with those of other items. */
  readonly hasIdsToCompare: boolean;
  /** Resolves when the outcomes are in the ledger; rejects if the ledger could not store them. */
  readonly kept: Promise<void>;
}

type Items = PendingBatch['items'];

/**
 * Sends one batch, including its retries. The order is the guarantee: the intent is durable before the first byte is
 * sent, and the outcome before it is counted. `send` resolves before the last outcome is durable, so that the next
 * batch's intent can share its commit.
 */
export class BatchSender {
  readonly #parts: BatchSenderParts;

  constructor(parts: BatchSenderParts) {
    this.#parts = parts;
  }

  async send(batch: PendingBatch): Promise<BatchEnd> {
    const { run, job, gate, budget, stop, client } = this.#parts;
    const outcomes: ItemOutcome[] = [];
    let items = batch.items;
    let tries = 0;
    let retries = 0;
    let isUncertain = batch.uncertain;
    let afterPause = batch.paused === true;
    let sentBefore = batch.sent === true;
    let renewed = false;
    let durable = Promise.resolve();
    let hasIdsToCompare = false;
    const end = (more: Pick<BatchEnd, 'streak' | 'stopped' | 'refused'> = {}): BatchEnd => ({
      outcomes,
      attempts: tries,
      retries,
      hasIdsToCompare,
      kept: durable,
      ...more,
    });
    budget.recordStart();
    while (items.length > 0) {
      const turn = await gate.take(stop.signal);
      if (turn.kind === 'pause_too_long') {
        const why = patienceOver(turn.asked, job.run.patienceMs);
        return end({ stopped: message('run.patience_over', { why, run }) });
      }
      if (turn.kind === 'stopped') return end();
      const number = batch.attempts + tries + 1;
      const attempt = await this.#attempt(batch, items, turn, {
        number,
        retries,
        isUncertain,
        afterPause,
        sentBefore,
        renewed,
      });
      if (attempt.kind === 'withheld') return end({ refused: attempt.refused });
      tries += 1;
      const { verdict } = attempt;
      const from = outcomes.length;
      durable = attempt.durable.then((written) => {
        outcomes.splice(from, written.length, ...written);
      });
      hasIdsToCompare = attempt.hasIdsToCompare;
      sentBefore ||= attempt.event.kind !== 'unsent';
      if (verdict.kind === 'retry') isUncertain ||= verdict.uncertain;
      items = attempt.left;
      outcomes.push(...attempt.outcomes);
      if (attempt.unauthorized) {
        await durable;
        const renewal = await renewToken(client, attempt.unauthorized, attempt.event);
        if (renewal !== 'renewed') return end({ stopped: message('run.then_resume', { why: renewal, run }) });
        renewed = true;
        afterPause = true;
        continue;
      }
      if (verdict.kind === 'stop')
        return end({ stopped: message('run.then_resume', { why: verdict.reason, run }) });
      if (verdict.kind === 'settled') {
        for (const warning of verdict.warnings) this.#parts.warn(warning);
        if (items.length === 0) return end({ streak: verdict.streak });
      }
      // The next attempt must not start before this one is closed.
      await durable;
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

  /** One attempt within its turn. The turn is always returned to the gate. */
  async #attempt(batch: PendingBatch, batchItems: Items, turn: Turn, place: AttemptPlace) {
    const { gate, stop, operation } = this.#parts;
    let event: AttemptEvent | undefined;
    let hasReply = false;
    try {
      if (stop.cause) return { kind: 'withheld', refused: undefined } as const;
      const result = await this.#send(batch, batchItems, place);
      if (result.kind === 'tried') {
        event = result.event;
        hasReply = isAnswer(result.unauthorized ?? result.verdict);
      }
      return result;
    } finally {
      gate.done(turn, event, hasReply, operation.repeatable);
    }
  }

  async #send(
    batch: PendingBatch,
    batchItems: Items,
    { number, retries, isUncertain, afterPause, sentBefore, renewed }: AttemptPlace,
  ): Promise<Tried> {
    const { run, job, operation, connection, ledger, client, clock, budget, claim, lease } = this.#parts;
    const nonce = newNonce();
    const startedAt = clock.now();
    const openedMs = clock.monotonic();
    const intent = { run, batch: batch.batch, attempt: number, nonce, startedAt, afterPause, lease };
    crashPoint('before-intent');
    const { withheld, refused } = await ledger.execution.open(intent, claim);
    const items = refused ? [] : without(batchItems, withheld);
    if (items.length === 0) return { kind: 'withheld', refused };
    crashPoint('after-intent');

    const target = { run, batch: batch.batch, envelope: batch.envelope };
    const bodies = items.map((item) => item.body);
    const request = batchRequest(operation, connection, target, bodies);
    const startedMs = clock.monotonic();
    const { repeatable } = operation;
    const event = await client.send(request, { nonce, timeoutMs: job.run.timeoutMs, repeatable });
    crashPoint('reply-received');
    const durationMs = Math.round(clock.monotonic() - startedMs);
    // A retry is reserved before the reply is judged, so that concurrent attempts cannot overdraw the budget.
    const reserved = retries < job.run.retries && budget.take();
    const judged = this.#judge(request, items.length, event, { last: !reserved, isUncertain, sentBefore });
    const decided = reclassifyResolved(judged, operation, this.#parts.revertedOrders);
    // The batch is sent again with a new token. Until the token is fetched, its items wait as in a pause.
    const unauthorized = !renewed && client.renewable && refusesToken(decided, event) ? decided : undefined;
    const verdict: Verdict = unauthorized ? waitingFor(unauthorized) : decided;
    const settled = outcomesOf(verdict, items);
    const paused = verdict.kind === 'retry' && (verdict.pause !== undefined || unauthorized !== undefined);
    const given = returnedIds(settled, this.#parts);
    const closed = ledger.execution.close({
      run,
      batch: batch.batch,
      attempt: number,
      nonce,
      lease,
      // The clock may have been set since. `resolve --verify` accepts only what was created during the attempt.
      endedAt: startedAt + Math.round(clock.monotonic() - openedMs),
      httpStatus: event.kind === 'reply' ? event.httpStatus : undefined,
      reply: client.redact(event.kind === 'reply' ? event.text : event.detail),
      event: event.kind === 'reply' ? 'reply' : event.reason,
      sent: event.kind !== 'unsent',
      outcomes: paused ? deferredOutcomes(verdict.otherwise, items) : settled,
      noEffect: isRepeatSafe(operation, verdict),
      given,
    });
    const durable = closed.then((closing) => {
      this.#parts.log?.add({
        run,
        event: 'attempt',
        batch: batch.batch,
        attempt: number,
        nonce,
        httpStatus: event.kind === 'unsent' ? undefined : event.httpStatus,
        outcome: event.kind === 'reply' ? 'reply' : event.reason,
        sent: event.kind !== 'unsent',
        durationMs,
        items: items.length,
        settled: countItems(settled.map(({ outcome }) => outcome)),
      });
      if (closing.kind === 'late') {
        const entry = { run, batch: batch.batch, attempt: number };
        this.#parts.log?.add({ ...entry, event: 'late_reply', settled: closing.settled });
      }
      crashPoint('outcome-written');
      return (closing.outcomes ?? settled).map(({ outcome }) => outcome);
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
      outcomes: settled.map(({ outcome }) => outcome),
      hasIdsToCompare: given !== undefined,
      durable,
    };
  }

  #judge(
    request: Parameters<typeof judge>[1],
    items: number,
    event: AttemptEvent,
    {
      last,
      isUncertain,
      sentBefore,
    }: Pick<AttemptPlace, 'isUncertain' | 'sentBefore'> & { readonly last: boolean },
  ): Verdict {
    const { operation, connection } = this.#parts;
    const options = { retryCode500: connection.retryCode500, lastAttempt: last };
    const alone = judge(operation, request, items, event, options);
    const judged = sentBefore && event.kind === 'unsent' ? reclassifySent(alone, event.detail) : alone;
    const verdict = isUncertain && !operation.repeatable ? reclassifyUncertain(judged) : judged;
    if (verdict.kind === 'retry' && this.#endsNow(verdict)) {
      return {
        kind: 'settled',
        outcomes: Array.from({ length: items }, () => verdict.otherwise),
        warnings: [],
      };
    }
    return verdict;
  }

  /** True when the run is stopping. A batch that may have taken effect must not be reported as `not_sent`. */
  #endsNow(verdict: Verdict & { kind: 'retry' }): boolean {
    return this.#parts.stop.cause !== undefined && verdict.uncertain;
  }

  /** False when the run stops during the wait. The batch then stays pending and is reported as `not_sent`. */
  async #wait(retry: number, after: { readonly batch: number; readonly attempt: number }): Promise<boolean> {
    const { run, clock, stop, log } = this.#parts;
    const wait = backoffMs(retry);
    log?.add({ run, event: 'waiting', ...after, waitMs: Math.round(wait) });
    return clock.sleep(wait, stop.signal);
  }
}

type StopVerdict = Extract<Verdict, { kind: 'stop' }>;

function waitingFor({ outcome }: StopVerdict): Verdict {
  return { kind: 'retry', otherwise: outcome, uncertain: false, cause: 'http_401' };
}

interface AttemptPlace {
  /** Counted from 1 within the batch, over all processes. */
  readonly number: number;
  /** Earlier retries of this batch by this process. */
  readonly retries: number;
  readonly isUncertain: boolean;
  readonly afterPause: boolean;
  /** Bytes of an earlier attempt were sent. */
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
      /** The token was rejected and may be fetched again. */
      readonly unauthorized: StopVerdict | undefined;
      readonly left: Items;
      readonly outcomes: readonly ItemOutcome[];
      readonly hasIdsToCompare: boolean;
      /** The outcomes as stored in the ledger. */
      readonly durable: Promise<readonly ItemOutcome[]>;
    };

/** The request of a batch. Only `g_nonce` differs between attempts, in this or another process. */
export function batchRequest(
  operation: Operation,
  connection: Connection,
  batch: { readonly run: string; readonly batch: number; readonly envelope: JsonObject },
  bodies: readonly Json[],
): WireRequest {
  return operation.compose(batch.envelope, bodies, {
    ...(connection.appKey === undefined ? {} : { appKey: connection.appKey }),
    channelOrderId: `LS-${batch.run}-${batch.batch}`,
  });
}
