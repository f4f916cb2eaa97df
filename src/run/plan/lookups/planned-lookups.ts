import { type Message, message } from '../../../errors/message.js';
import { ProductError } from '../../../errors/product-error.js';
import type { LookupLine } from '../../../ledger/contract/lookups.js';
import type { LookupAnswer, LookupRequest } from '../../../mapping/lookup/contract.js';
import type { ReadMembers } from '../../../mapping/lookup/read-members.js';
import { LookupRecords } from '../../../mapping/lookup/records.js';
import { Inquiry, type InquiryStop } from '../../../platform/client/inquiry.js';
import { operationNamed } from '../../../platform/operations/index.js';
import { exactStringify } from '../../../util/exact-json.js';
import { wholeRunOf } from '../../../util/run-id.js';
import { type OpenedPlatform, openPlatform } from '../../open-platform.js';
import type { RunContext } from '../../run-context.js';
import { pauseEvent } from '../../run-events.js';
import { answerOf, lookupKey } from './answer-of.js';
import { AnswersAtHand } from './answers-at-hand.js';
import type { RowLookups } from './contract.js';

/** Of answers in memory, without what rows under way hold. */
const BYTES_AT_HAND = 48 * 1024 * 1024;
/** Answers are written to the ledger so many at a time, or so many characters. */
const WRITTEN_AT_ONCE = 200;
const CHARACTERS_AT_ONCE = 4 * 1024 * 1024;

const CLOSED = new Error('planning is over');

/**
 * Asks the platform for the look-ups of a run that is being planned: once for each distinct request, `concurrency` at a
 * time, with the connection's pace, retries and pauses. Answers are kept in the ledger; a plan that is made again, as
 * after a kill, asks only for those that it doesn't have.
 */
export class PlannedLookups implements RowLookups {
  readonly #context: RunContext;
  readonly #members: ReadMembers;
  readonly #atHand = new AnswersAtHand(BYTES_AT_HAND);
  /** What was asked and isn't answered yet. */
  readonly #asked = new Map<string, Promise<void>>();
  /** Answers that are not in the ledger yet. */
  #unwritten = new Map<string, { readonly line: LookupLine; readonly answer: LookupAnswer }>();
  #characters = 0;
  #writing: Promise<void> = Promise.resolve();
  readonly #queue: (() => void)[] = [];
  #free: number;
  readonly #startedAt: number;
  #platform: Promise<{ readonly opened: OpenedPlatform; readonly inquiry: Inquiry }> | undefined;
  /** The ledger had answers when planning began. */
  #resumed: Promise<boolean> | undefined;
  /** Look-ups in a row that the platform didn't answer. */
  #failing = 0;
  #failure: unknown;

  constructor(context: RunContext, members: ReadMembers) {
    this.#context = context;
    this.#members = members;
    this.#startedAt = context.services.clock.now();
    this.#free = Math.max(1, context.settings.job.run.concurrency);
  }

  find(request: LookupRequest): LookupAnswer | undefined {
    return this.#atHand.get(request.key) ?? this.#unwritten.get(lookupKey(request))?.answer;
  }

  /** Sees to it that these are asked; doesn't wait for the answers. */
  want(requests: readonly LookupRequest[]): void {
    for (const request of requests) {
      if (this.#failure !== undefined || this.#asked.has(request.key) || this.find(request)) continue;
      const asking = this.#answer(request).catch((error: unknown) => this.#fail(error));
      this.#asked.set(
        request.key,
        asking.finally(() => this.#asked.delete(request.key)),
      );
    }
  }

  /**
   * Waits for the answers to these, and gives them. None where planning is stopped meanwhile.
   * @throws ProductError usage when the platform refuses us, safety when it asks to wait for too long or answers nobody
   */
  async answers(requests: readonly LookupRequest[]): Promise<ReadonlyMap<string, LookupAnswer>> {
    const found = new Map<string, LookupAnswer>();
    for (const request of requests) {
      let answer = this.find(request);
      while (!answer && !this.#context.services.stop.cause) {
        this.want([request]);
        await this.#asked.get(request.key);
        if (this.#failure !== undefined) throw this.#failure;
        answer = this.find(request);
      }
      if (answer) found.set(request.key, answer);
    }
    return found;
  }

  /** Waits for what is under way, and writes what is left; call it however planning ended. */
  async close(): Promise<void> {
    // Nothing more is asked by those that still wait for a turn.
    this.#failure ??= CLOSED;
    await Promise.all(this.#asked.values());
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
    if (this.#atHand.gone || (await this.#hadAnswers())) {
      const [line] = await ledger.lookups.find(id, [key]);
      // What got no good answer is asked again by a plan that is made again, but not twice by one.
      const answer = line && answerOf(line, this.#members);
      if (line && answer && (answer.kind === 'records' || line.askedAt >= this.#startedAt)) {
        this.#atHand.put(request.key, answer);
        return;
      }
    }
    await this.#turn();
    try {
      if (this.#failure !== undefined || stop.cause) return;
      const { inquiry } = await this.#open();
      const operation = operationNamed(request.operation);
      const came = await inquiry.ask(operation, request.fields);
      if (stop.cause) return;
      if (inquiry.stopped) throw stopped(inquiry.stopped, wholeRunOf(id));
      const { requests } = came;
      const line = {
        key,
        operation: request.operation,
        request: request.fields,
        requests,
        askedAt: clock.now(),
      };
      if (came.kind === 'none') {
        this.#keep(request, { ...line, answer: { kind: 'none', detail: came.detail } }, came);
        this.#failing = came.rejected ? 0 : this.#failing + 1;
        const most = settings.job.run.stopAfterFailures;
        if (this.#failing < most) return;
        const params = { count: this.#failing, why: came.detail, run: wholeRunOf(id) };
        throw new ProductError('safety', message('lookup.too_many_failures', params));
      }
      this.#failing = 0;
      const json = exactStringify(came.records);
      const records = new LookupRecords(came.records, this.#members.of(request.operation));
      const answer = { kind: 'records', count: came.records.length, json } as const;
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
    this.#atHand.put(request.key, answer);
  }

  /** One write after the other; while one is under way its answers still count as unwritten. */
  #write(): Promise<void> {
    const { services, id } = this.#context;
    const write = async (): Promise<void> => {
      const written = [...this.#unwritten.values()];
      if (written.length === 0) return;
      this.#characters = 0;
      await services.ledger.lookups.add(
        id,
        written.map((it) => it.line),
      );
      for (const { line } of written) this.#unwritten.delete(line.key);
    };
    this.#writing = this.#writing.then(write, write);
    return this.#writing;
  }

  /** Whether the ledger had answers of this run when it began to be planned. */
  #hadAnswers(): Promise<boolean> {
    const { services, id } = this.#context;
    this.#resumed ??= services.ledger.lookups.counts(id).then(({ asked }) => asked > 0);
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
        tell: (pause) => {
          observer.paused(pause);
          if (pause) log?.add(pauseEvent(id, pause, clock.now()));
        },
      });
      return { opened, inquiry };
    });
    return this.#platform;
  }

  /** Waits until one of the `concurrency` places is free. */
  async #turn(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
  }

  #release(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#free += 1;
  }

  /** The first failure ends planning; those that follow from it say nothing new. */
  #fail(error: unknown): void {
    this.#failure ??= error;
  }
}

function stopped({ kind, why }: InquiryStop, run: string): ProductError {
  return kind === 'refused'
    ? new ProductError('usage', message('lookup.refused', { why }))
    : new ProductError('safety', message('lookup.impatient', { why, run }));
}
