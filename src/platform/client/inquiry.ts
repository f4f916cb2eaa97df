import { type Message, message } from '../../errors/message.js';
import type { Connection } from '../../model/connection.js';
import type { JobBase, JobRun } from '../../model/job.js';
import type { JsonObject } from '../../model/json.js';
import type { Operation, WireRequest } from '../../model/operation.js';
import type { Clock } from '../../util/clock.js';
import { backoffMs } from '../../util/retry-timing.js';
import type { AttemptEvent, PlatformClient } from './client.js';
import { pauseText, type RequestedPause } from './platform-pause.js';
import { type PauseEvent, RequestGate, type Turn } from './request-gate.js';
import { newNonce } from './request-target.js';
import { isAnswer, judge, type Verdict } from './verdict.js';

/** `requests`: number of attempts. */
export type Answer =
  | { readonly kind: 'records'; readonly records: readonly JsonObject[]; readonly requests: number }
  /**
   * `detail`: the program's or the platform's text. `rejected`: the platform replied with a refusal of this request.
   */
  | {
      readonly kind: 'none';
      readonly detail: Message | string;
      readonly requests: number;
      readonly rejected?: true;
    };

/** Why no more requests are sent: a refusal of all requests (401, 403, a redirect), or the wait time is exceeded. */
export interface InquiryStop {
  readonly kind: 'refused' | 'pause_too_long';
  readonly why: Message;
}

interface InquiryParts {
  readonly client: PlatformClient;
  readonly connection: Connection;
  readonly job: Pick<JobBase, 'run'>;
  readonly clock: Clock;
  /** Ends waits between attempts and for pauses. */
  readonly signal?: AbortSignal;
  /** Called with pauses that the platform requests, and with undefined when they are over. */
  readonly onPause?: (pause: PauseEvent | undefined) => void;
}

/** Sends read-only operations to the platform, with the rate, time limit, retries and maximum wait time of the job. */
export class Inquiry {
  readonly #parts: InquiryParts;
  readonly #gate: RequestGate;
  #stopped: InquiryStop | undefined;
  #requests = 0;
  #retries = 0;

  constructor(parts: InquiryParts) {
    const { client, job, connection, clock, onPause } = parts;
    this.#parts = parts;
    this.#gate = new RequestGate({
      perSecond: lowerRate(job.run, connection),
      origin: client.origin,
      patienceMs: job.run.patienceMs,
      clock,
      timezone: connection.timezone,
      ...(onPause ? { onPause } : {}),
    });
  }

  get stopped(): InquiryStop | undefined {
    return this.#stopped;
  }

  /** Number of attempts, and how many of them were retries. */
  get made(): { readonly requests: number; readonly retries: number } {
    return { requests: this.#requests, retries: this.#retries };
  }

  async ask(operation: Operation, fields: JsonObject): Promise<Answer> {
    const { job, clock, signal, client } = this.#parts;
    const request = operation.compose({}, [fields], { channelOrderId: '' });
    let requests = 0;
    let retries = 0;
    let renewed = false;
    while (!this.#stopped) {
      const turn = await this.#gate.take(signal);
      if (turn.kind === 'stopped') return { kind: 'none', detail: message('platform.given_up'), requests };
      if (turn.kind === 'pause_too_long') {
        this.#stopped = { kind: 'pause_too_long', why: patienceOver(turn.asked, job.run.patienceMs) };
        break;
      }
      requests += 1;
      const { verdict, event } = await this.#attempt(operation, request, turn, retries >= job.run.retries);
      if (verdict.kind === 'stop') {
        const renewal =
          !renewed && refusesToken(verdict, event) && (await renewToken(client, verdict, event));
        if (renewal === 'renewed') {
          renewed = true;
          continue;
        }
        this.#stopped = { kind: 'refused', why: renewal || verdict.reason };
        break;
      }
      const outcome = verdict.kind === 'settled' ? verdict.outcomes[0] : undefined;
      if (verdict.kind === 'settled' && verdict.noMatch)
        return { kind: 'none', detail: verdict.noMatch, requests, rejected: true };
      if (outcome?.status === 'succeeded')
        return { kind: 'records', records: outcome.records ?? [], requests };
      if (outcome) {
        const detail = outcome.message ?? '';
        return {
          kind: 'none',
          detail,
          requests,
          ...(outcome.status === 'rejected' ? { rejected: true } : {}),
        };
      }
      if (verdict.kind === 'retry' && verdict.pause) continue;
      retries += 1;
      this.#retries += 1;
      if (!(await clock.sleep(backoffMs(retries), signal)))
        return { kind: 'none', detail: message('platform.given_up'), requests };
    }
    return { kind: 'none', detail: this.#stopped?.why ?? '', requests };
  }

  async #attempt(
    operation: Operation,
    request: WireRequest,
    turn: Turn,
    lastAttempt: boolean,
  ): Promise<{ readonly verdict: Verdict; readonly event: AttemptEvent }> {
    const { client, connection, job } = this.#parts;
    this.#requests += 1;
    const event = await client.send(request, {
      nonce: newNonce(),
      timeoutMs: job.run.timeoutMs,
      repeatable: operation.repeatable,
    });
    const options = { retryCode500: connection.retryCode500, lastAttempt };
    const verdict = judge(operation, request, 1, event, options);
    this.#gate.done(turn, event, isAnswer(verdict), operation.repeatable);
    return { verdict, event };
  }
}

type Stop = Extract<Verdict, { kind: 'stop' }>;

/** True if the token was refused (HTTP 401) and nothing proves that the request was executed. */
export function refusesToken(verdict: Verdict, event: AttemptEvent): verdict is Stop {
  const status = event.kind === 'unsent' ? undefined : event.httpStatus;
  return status === 401 && verdict.kind === 'stop' && verdict.outcome.status === 'not_sent';
}

/** Fetches the token again. Returns the reason if there is no other token. */
export async function renewToken(
  client: PlatformClient,
  { reason: refused }: Stop,
  event: AttemptEvent,
): Promise<'renewed' | Message> {
  if (!client.renewable) return refused;
  const renewal = await client.renewToken(event);
  if (renewal.kind === 'renewed') return 'renewed';
  return renewal.kind === 'same'
    ? refused
    : message('platform.token_not_renewed', { refused, why: renewal.why });
}

/** The lower of the two rate limits applies. */
export function lowerRate(
  run: Pick<JobRun, 'requestsPerSecond'>,
  connection: Pick<Connection, 'requestsPerSecond'>,
): number | undefined {
  const rates = [run.requestsPerSecond, connection.requestsPerSecond].filter((it) => it !== undefined);
  return rates.length > 0 ? Math.min(...rates) : undefined;
}

/** Why no more requests are sent once a pause exceeds the maximum wait time. */
export function patienceOver(asked: RequestedPause, patienceMs: number): Message {
  return message('platform.patience_over', { asked: pauseText(asked), patience: durationText(patienceMs) });
}

const UNITS = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** A duration as written in a job file: `15m`, `90s`, `1500ms`. */
function durationText(ms: number): string {
  const unit = UNITS.find(([, length]) => ms > 0 && ms % length === 0);
  return unit ? `${ms / unit[1]}${unit[0]}` : `${ms}ms`;
}
