import type { Message } from '../errors/message.js';
import type { Ledger, PendingBatch } from '../ledger/contract.js';
import type { Connection } from '../model/connection.js';
import type { Job } from '../model/job.js';
import type { Operation } from '../model/operation.js';
import type { ItemOutcome } from '../model/outcome.js';
import type { AttemptEvent, PlatformClient } from '../platform/client/client.js';
import { newNonce } from '../platform/client/nonce.js';
import type { RateLimiter } from '../platform/client/rate.js';
import { type RetryBudget, retryDelayMs } from '../platform/client/retry-timing.js';
import { judge, type Verdict } from '../platform/client/verdict.js';
import type { Clock } from '../util/clock.js';
import type { StopSignal } from './stop-signal.js';

export interface CarrierParts {
  readonly run: string;
  readonly job: Job;
  readonly operation: Operation;
  readonly connection: Connection;
  readonly ledger: Ledger;
  readonly client: PlatformClient;
  readonly rate: RateLimiter;
  readonly budget: RetryBudget;
  readonly clock: Clock;
  readonly stop: StopSignal;
  readonly warn: (warning: Message) => void;
}

/** What one batch came to in this process. */
export interface BatchEnd {
  /** By item: settled outcomes of this process. */
  readonly outcomes: readonly ItemOutcome[];
  readonly attempts: number;
  /** Set when the platform refused the request by HTTP status; three alike in a row stop the run. */
  readonly streak?: string;
  /** The run must not go on. */
  readonly stopped?: Message;
}

type Items = PendingBatch['items'];

/**
 * Carries one batch through its attempts. The order is what the promises rest on: the intent is durable before the
 * first byte leaves, and the outcome is durable before anybody counts it.
 */
export class BatchCarrier {
  readonly #parts: CarrierParts;

  constructor(parts: CarrierParts) {
    this.#parts = parts;
  }

  async carry(batch: PendingBatch): Promise<BatchEnd> {
    const { job, rate, budget, stop } = this.#parts;
    const outcomes: ItemOutcome[] = [];
    let items = batch.items;
    let tries = 0;
    budget.began();
    while (items.length > 0) {
      if (!(await rate.take(stop.signal)) || stop.cause) return { outcomes, attempts: tries };
      const attempt = await this.#attempt(batch, items, batch.attempts + tries + 1, tries >= job.run.retries);
      if (attempt.kind === 'withheld') return { outcomes, attempts: tries };
      tries += 1;
      const { verdict } = attempt;
      items = attempt.left;
      outcomes.push(...attempt.outcomes);
      if (verdict.kind === 'stop') return { outcomes, attempts: tries, stopped: verdict.reason };
      if (verdict.kind === 'settled') {
        for (const warning of verdict.warnings) this.#parts.warn(warning);
        if (items.length === 0) {
          return verdict.streak === undefined
            ? { outcomes, attempts: tries }
            : { outcomes, attempts: tries, streak: verdict.streak };
        }
      }
      const waited = await this.#wait(verdict, tries);
      if (!waited) return { outcomes, attempts: tries };
    }
    return { outcomes, attempts: tries };
  }

  async #attempt(batch: PendingBatch, wanted: Items, number: number, out: boolean) {
    const { run, job, operation, connection, ledger, client, clock, budget } = this.#parts;
    const nonce = newNonce();
    const intent = { run, batch: batch.batch, attempt: number, nonce, startedAt: clock.now() };
    const { withheld } = await ledger.execution.open(intent, { claim: job.safety.duplicates !== 'send' });
    const held = new Set(withheld.map((it) => it.item));
    const items = wanted.filter((it) => !held.has(it.item));
    if (items.length === 0) return { kind: 'withheld' } as const;

    const request = operation.compose(
      batch.envelope,
      items.map((it) => it.body),
      {
        ...(connection.appKey === undefined ? {} : { appKey: connection.appKey }),
        channelOrderId: `LS-${run}-${batch.batch}`,
      },
    );
    const event = await client.send(request, { nonce, timeoutMs: job.run.timeoutMs });
    // A retry is reserved before the reply is judged, so that those decided at the same time can't overdraw.
    const reserved = !out && budget.take();
    const verdict = this.#judge(request, items.length, event, !reserved);
    const settled = settle(verdict, items);
    await ledger.execution.close({
      run,
      batch: batch.batch,
      attempt: number,
      endedAt: clock.now(),
      ...(event.kind === 'reply' ? { httpStatus: event.httpStatus, reply: client.redact(event.text) } : {}),
      ...(event.kind === 'reply' ? {} : { reply: client.redact(event.detail) }),
      event: event.kind === 'reply' ? 'reply' : event.reason,
      sent: event.kind !== 'unsent',
      outcomes: settled,
    });
    const done = new Set(settled.map((it) => it.item));
    const left = items.filter((it) => !done.has(it.item));
    if (reserved && left.length === 0) budget.giveBack();
    if (verdict.kind === 'settled' && number > 1 && !verdict.exhausted) budget.giveBack();
    return { kind: 'tried', verdict, left, outcomes: settled.map((it) => it.outcome) } as const;
  }

  #judge(
    request: Parameters<typeof judge>[1],
    items: number,
    event: AttemptEvent,
    lastAttempt: boolean,
  ): Verdict {
    const { operation, connection } = this.#parts;
    const verdict = judge(operation, request, items, event, {
      retryCode500: connection.retryCode500,
      lastAttempt,
    });
    if (verdict.kind === 'retry' && (lastAttempt || this.#endsNow(verdict))) {
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
  async #wait(verdict: Verdict, tries: number): Promise<boolean> {
    const { clock, stop, rate } = this.#parts;
    const told = verdict.kind === 'retry' ? verdict.waitMs : undefined;
    const wait = retryDelayMs(tries, told);
    // A platform that asks for a pause asks all of us.
    if (told !== undefined) rate.hold(wait);
    return clock.sleep(wait, stop.signal);
  }
}

function settle(verdict: Verdict, items: Items): { item: number; outcome: ItemOutcome }[] {
  if (verdict.kind === 'retry') return [];
  const settled: { item: number; outcome: ItemOutcome }[] = [];
  items.forEach((it, index) => {
    const outcome = verdict.kind === 'stop' ? verdict.outcome : verdict.outcomes[index];
    if (outcome) settled.push({ item: it.item, outcome });
  });
  return settled;
}
