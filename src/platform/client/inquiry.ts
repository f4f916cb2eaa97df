import { type Message, message } from '../../errors/message.js';
import type { Connection } from '../../model/connection.js';
import type { JobBase } from '../../model/job.js';
import type { JsonObject } from '../../model/json.js';
import type { Operation } from '../../model/operation.js';
import type { Clock } from '../../util/clock.js';
import type { PlatformClient } from './client.js';
import { newNonce } from './nonce.js';
import { RateLimiter } from './rate.js';
import { retryDelayMs } from './retry-timing.js';
import { judge } from './verdict.js';

export type Answer =
  | { readonly kind: 'records'; readonly records: readonly JsonObject[] }
  /** `detail`: the program's words, or the platform's. */
  | { readonly kind: 'none'; readonly detail: Message | string };

export interface InquiryParts {
  readonly client: PlatformClient;
  readonly connection: Connection;
  readonly job: Pick<JobBase, 'run'>;
  readonly clock: Clock;
  /** Ends waiting between attempts. */
  readonly signal?: AbortSignal;
}

/** Asks the platform by operations that only read, with the pace, time limit and retries of the job. */
export class Inquiry {
  readonly #parts: InquiryParts;
  readonly #rate: RateLimiter;
  /** The platform refused all of us (401, 403, a redirect): it is asked nothing more. */
  #stopped: Message | undefined;
  #requests = 0;
  #retries = 0;

  constructor(parts: InquiryParts) {
    const { job, connection, clock } = parts;
    const rates = [job.run.requestsPerSecond, connection.requestsPerSecond].filter((it) => it !== undefined);
    this.#parts = parts;
    this.#rate = new RateLimiter(rates.length > 0 ? Math.min(...rates) : undefined, clock);
  }

  get stopped(): Message | undefined {
    return this.#stopped;
  }

  /** Attempts made so far, and how many of them were repeats. */
  get made(): { readonly requests: number; readonly retries: number } {
    return { requests: this.#requests, retries: this.#retries };
  }

  async ask(operation: Operation, fields: JsonObject): Promise<Answer> {
    const { client, connection, job, clock, signal } = this.#parts;
    const request = operation.compose({}, [fields], { channelOrderId: '' });
    for (let attempt = 1; !this.#stopped; attempt += 1) {
      await this.#rate.take();
      this.#requests += 1;
      if (attempt > 1) this.#retries += 1;
      const event = await client.send(request, { nonce: newNonce(), timeoutMs: job.run.timeoutMs });
      const lastAttempt = attempt > job.run.retries;
      const options = { retryCode500: connection.retryCode500, lastAttempt };
      const verdict = judge(operation, request, 1, event, options);
      if (verdict.kind === 'stop') {
        this.#stopped = verdict.reason;
        break;
      }
      const outcome = verdict.kind === 'settled' ? verdict.outcomes[0] : undefined;
      if (outcome?.status === 'succeeded') return { kind: 'records', records: outcome.records ?? [] };
      if (outcome) return { kind: 'none', detail: outcome.message ?? '' };
      const wait = retryDelayMs(attempt, verdict.kind === 'retry' ? verdict.waitMs : undefined);
      if (!(await clock.sleep(wait, signal))) return { kind: 'none', detail: message('platform.given_up') };
    }
    return { kind: 'none', detail: this.#stopped ?? '' };
  }
}
