import { type Message, message } from '../../../errors/message.js';
import { ProductError } from '../../../errors/product-error.js';
import type { LookupLine } from '../../../ledger/contract/plan.js';
import type { LookupAnswer, LookupRequest } from '../../../mapping/lookup/records.js';
import { LookupRecords, type ReadMembers } from '../../../mapping/lookup/records.js';
import { Inquiry, type InquiryStop } from '../../../platform/client/inquiry.js';
import { operationNamed } from '../../../platform/operations/catalogue.js';
import { exactStringify } from '../../../util/exact-json.js';
import { wholeRunOf } from '../../../util/run-id.js';
import { type OpenedPlatform, openPlatform } from '../../open-platform.js';
import type { RunContext } from '../../run-context.js';
import { pauseEvent } from '../../run-events.js';
import { answerOf, LookupCache, lookupKey } from './lookup-cache.js';
import type { RowLookups } from './lookup-window.js';

/** Limit of replies in the cache, without those that rows in progress retain. */
const CACHE_BYTES = 48 * 1024 * 1024;
/** Replies are written to the ledger in groups of this size. */
const WRITTEN_AT_ONCE = 200;
const CHARACTERS_AT_ONCE = 4 * 1024 * 1024;

const CLOSED = new Error('planning is over');

/**
 * Requests the lookups of a run that is being planned: each distinct request once, at most `concurrency` in flight,
 * with the connection's rate, retries and wait times. Replies are stored in the ledger, so a plan that is created again
 * (after a kill) requests only the missing ones.
 */
export class PlannedLookups implements RowLookups {
  readonly #context: RunContext;
  readonly #members: ReadMembers;
  readonly #cache = new LookupCache(CACHE_BYTES);
  /** Requests in flight, by key. */
  readonly #inFlight = new Map<string, Promise<void>>();
  /** Replies that are not in the ledger yet. */
  #unwritten = new Map<string, { readonly line: LookupLine; readonly answer: LookupAnswer }>();
  #characters = 0;
  #writing: Promise<void> = Promise.resolve();
  readonly #queue: (() => void)[] = [];
  #free: number;
  readonly #startedAt: number;
  #platform: Promise<{ readonly opened: OpenedPlatform; readonly inquiry: Inquiry }> | undefined;
  /** The ledger had replies when planning began. */
  #resumed: Promise<boolean> | undefined;
  /** Consecutive lookups without a valid reply. */
  #failing = 0;
  #failure: unknown;

  constructor(context: RunContext, members: ReadMembers) {
    this.#context = context;
    this.#members = members;
    this.#startedAt = context.services.clock.now();
    this.#free = Math.max(1, context.settings.job.run.concurrency);
  }

  find(request: LookupRequest): LookupAnswer | undefined {
    return this.#cache.get(request.key) ?? this.#unwritten.get(lookupKey(request))?.answer;
  }

  want(requests: readonly LookupRequest[]): void {
    for (const request of requests) {
      if (this.#failure !== undefined || this.#inFlight.has(request.key) || this.find(request)) continue;
      const reply = this.#answer(request).catch((error: unknown) => this.#fail(error));
      this.#inFlight.set(
        request.key,
        reply.finally(() => this.#inFlight.delete(request.key)),
      );
    }
  }

  /**
   * Waits for these replies. Some are missing if planning is stopped in the meantime.
   * @throws ProductError usage if the platform rejects the connection; safety if it requests too long a wait or sends
   * no valid replies
   */
  async answers(requests: readonly LookupRequest[]): Promise<ReadonlyMap<string, LookupAnswer>> {
    const found = new Map<string, LookupAnswer>();
    for (const request of requests) {
      let answer = this.find(request);
      while (!answer && !this.#context.services.stop.cause) {
        this.want([request]);
        await this.#inFlight.get(request.key);
        if (this.#failure !== undefined) throw this.#failure;
        answer = this.find(request);
      }
      if (answer) found.set(request.key, answer);
    }
    return found;
  }

  /** Waits for requests in flight and writes the remaining replies. Must be called when planning has ended. */
  async close(): Promise<void> {
    // Lookups that are waiting for a slot send nothing more.
    this.#failure ??= CLOSED;
    await Promise.all(this.#inFlight.values());
    await this.#write();
    const platform = await this.#platform?.catch(() => undefined);
    await platform?.opened.close();
  }

  warnings(): readonly Message[] {
    return [];
  }

  async #answer(request: LookupRequest): Promise<void> {
    const { services, id, settings } = this.#context;
    const { ledger, stop, clock } = services;
    const key = lookupKey(request);
    if (this.#cache.hasEvicted || (await this.#hadAnswers())) {
      const [line] = await ledger.lookups.find(id, [key]);
      // A lookup without a valid reply is requested again when the plan is created again, but only once per planning.
      const answer = line && answerOf(line, this.#members);
      if (line && answer && (answer.kind === 'records' || line.askedAt >= this.#startedAt)) {
        this.#cache.put(request.key, answer);
        return;
      }
    }
    await this.#turn();
    try {
      if (this.#failure !== undefined || stop.cause) return;
      const { inquiry } = await this.#open();
      const operation = operationNamed(request.operation);
      const reply = await inquiry.ask(operation, request.fields);
      if (stop.cause) return;
      if (inquiry.stopped) throw stopped(inquiry.stopped, wholeRunOf(id));
      const { requests } = reply;
      const line = {
        key,
        operation: request.operation,
        request: request.fields,
        requests,
        askedAt: clock.now(),
      };
      if (reply.kind === 'none') {
        this.#keep(request, { ...line, answer: { kind: 'none', detail: reply.detail } }, reply);
        this.#failing = reply.rejected ? 0 : this.#failing + 1;
        const maxFailures = settings.job.run.stopAfterFailures;
        if (this.#failing < maxFailures) return;
        const params = { count: this.#failing, why: reply.detail, run: wholeRunOf(id) };
        throw new ProductError('safety', message('lookup.too_many_failures', params));
      }
      this.#failing = 0;
      const json = exactStringify(reply.records);
      const records = new LookupRecords(reply.records, this.#members.of(request.operation));
      const answer = { kind: 'records', count: reply.records.length, json } as const;
      this.#keep(request, { ...line, answer }, { kind: 'records', records });
      if (this.#characters >= CHARACTERS_AT_ONCE || this.#unwritten.size >= WRITTEN_AT_ONCE)
        await this.#write();
    } finally {
      this.#release();
    }
  }

  #keep(request: LookupRequest, line: LookupLine, answer: LookupAnswer): void {
    this.#unwritten.set(line.key, { line, answer });
    if (line.answer.kind === 'records') this.#characters += line.answer.json.length;
    this.#cache.put(request.key, answer);
  }

  /** Writes run one after another. During a write its replies are still in `#unwritten`. */
  #write(): Promise<void> {
    const { services, id } = this.#context;
    const write = async (): Promise<void> => {
      const written = [...this.#unwritten.values()];
      if (written.length === 0) return;
      this.#characters = 0;
      await services.ledger.lookups.add(
        id,
        written.map((entry) => entry.line),
      );
      for (const { line } of written) this.#unwritten.delete(line.key);
    };
    this.#writing = this.#writing.then(write, write);
    return this.#writing;
  }

  /** Whether the ledger had replies of this run when planning began. */
  #hadAnswers(): Promise<boolean> {
    const { services, id } = this.#context;
    this.#resumed ??= services.ledger.lookups.counts(id).then(({ asked: requested }) => requested > 0);
    return this.#resumed;
  }

  #open(): Promise<{ readonly opened: OpenedPlatform; readonly inquiry: Inquiry }> {
    const { services, settings, id } = this.#context;
    const { clock, stop, observer, stateFolder, env, log } = services;
    const { job, connection } = settings;
    this.#platform ??= openPlatform(connection, job, stateFolder, env).then((opened) => {
      const inquiry = new Inquiry({
        client: opened.client,
        connection,
        job,
        clock,
        signal: stop.signal,
        onPause: (pause) => {
          observer.paused(pause);
          if (pause) log?.add(pauseEvent(id, pause, clock.now()));
        },
      });
      return { opened, inquiry };
    });
    return this.#platform;
  }

  /** Waits for one of the `concurrency` slots. */
  async #turn(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
  }

  #release(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#free += 1;
  }

  /** The first failure ends planning; later ones are its consequences. */
  #fail(error: unknown): void {
    this.#failure ??= error;
  }
}

function stopped({ kind, why }: InquiryStop, run: string): ProductError {
  return kind === 'refused'
    ? new ProductError('usage', message('lookup.refused', { why }))
    : new ProductError('safety', message('lookup.impatient', { why, run }));
}
