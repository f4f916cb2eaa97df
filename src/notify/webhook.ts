import { createHmac, randomUUID } from 'node:crypto';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { type Message, message } from '../errors/message.js';
import type { WebhookTarget } from '../model/notification.js';
import { type Clock, LONGEST_TIMER_MS } from '../util/clock.js';
import { errorCode, errorDetail } from '../util/error-detail.js';
import { redactKnown } from '../util/known-secrets.js';
import { VERSION } from '../util/own-package.js';
import { parseRetryAfter, retryDelayMs } from '../util/retry-timing.js';
import type { AfterRunOptions, CommandEnd, Delivery } from './contract.js';
import { findSecret } from './secret.js';
import { FIELDS_SHOWN, fillTemplate } from './template.js';

const TOTAL_MS = 60_000;
/** A restarting receiver needs seconds, so waits start where the platform's are after three. */
const BACKOFF_AHEAD = 3;
/** Errors that a repeat can't change. */
const HOPELESS = new Set(['ERR_INVALID_CHAR', 'ERR_UNESCAPED_CHARACTERS', 'ERR_INVALID_HTTP_TOKEN']);
const BUSY = new Set([408, 425, 429]);

/** The result of one attempt. */
type WebhookAnswer =
  | { readonly kind: 'taken' }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterMs?: number }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'network'; readonly detail: string; readonly hopeless: boolean };

interface Post {
  readonly target: WebhookTarget;
  readonly url: URL;
  readonly body: string;
  readonly json: boolean;
  /** The same for every attempt, so that a receiver recognises repeats. */
  readonly delivery: string;
  readonly secret?: string;
}

/**
 * Notifies a webhook of a run: a POST, signed if there is a secret, repeated after network errors, timeouts, 408, 425,
 * 429 and 5xx as often as the target allows, for a minute at most. Redirects are not followed. Never rejects for what
 * the network or the receiver does.
 */
export async function tellWebhook(
  target: WebhookTarget,
  summary: CommandEnd['summary'],
  parts: AfterRunOptions,
): Promise<Delivery> {
  const url = new URL(target.url);
  const { host } = url;
  const secret = target.secret && (await findSecret(target.secret, host, parts.env));
  if (secret?.kind === 'missing') return { kind: 'not_told', why: secret.why };
  const { text, json } = bodyOf(target, summary, host, parts);
  const delivery = randomUUID();
  const signed = secret ? { secret: secret.value } : {};
  return deliver({ target, url, body: text, json, delivery, ...signed }, parts);
}

/** The body, without any credential that this process has fetched. */
function bodyOf(
  { template }: WebhookTarget,
  summary: CommandEnd['summary'],
  host: string,
  parts: AfterRunOptions,
): { readonly text: string; readonly json: boolean } {
  if (template === undefined) return { text: redactKnown(JSON.stringify(summary)), json: true };
  const { text, json, unknown } = fillTemplate(template, summary);
  for (const field of unknown) {
    const reason = message('notify.unknown_field', { host, field, known: FIELDS_SHOWN });
    parts.tell({ event: 'warning', reason });
  }
  return { text: redactKnown(text), json };
}

async function deliver(post: Post, parts: AfterRunOptions): Promise<Delivery> {
  const { target, url } = post;
  const { clock, signal } = parts;
  const { host } = url;
  const until = clock.monotonic() + (parts.totalMs ?? TOTAL_MS);
  for (let attempts = 1; ; attempts += 1) {
    const allowedMs = Math.min(target.timeoutMs, Math.max(1, until - clock.monotonic()), LONGEST_TIMER_MS);
    const answer = await attempt(post, allowedMs, parts);
    if (answer.kind === 'taken') return { kind: 'told', to: host, attempts };
    const stopped: Delivery = { kind: 'not_told', why: message('notify.given_up', { to: host }) };
    if (signal.aborted) return stopped;
    const why = notTold(answer, host, attempts, allowedMs);
    if (attempts > target.retries || !worthAnother(answer)) return { kind: 'not_told', why };
    const asked = answer.kind === 'status' ? answer.retryAfterMs : undefined;
    const waitMs = retryDelayMs(attempts + BACKOFF_AHEAD, asked);
    // With no time left after the wait, waiting would only delay whoever started the run.
    if (clock.monotonic() + waitMs >= until) return { kind: 'not_told', why };
    if (!(await clock.sleep(waitMs, signal))) return stopped;
  }
}

/**
 * Makes one request. It ends when its time is over or the program stops, whatever the socket does. Node's own client is
 * used because it releases a connecting socket at once, so that the process can end.
 */
function attempt(post: Post, allowedMs: number, { clock, signal }: AfterRunOptions): Promise<WebhookAnswer> {
  const { url, body } = post;
  const send = url.protocol === 'https:' ? secureRequest : plainRequest;
  return new Promise((resolve) => {
    const abort = new AbortController();
    const end = (answer: WebhookAnswer): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      resolve(answer);
      abort.abort();
    };
    const fail = (error: unknown): void => {
      end({
        kind: 'network',
        detail: redactKnown(errorDetail(error)),
        hopeless: HOPELESS.has(errorCode(error)),
      });
    };
    const giveUp = (): void => end({ kind: 'timeout' });
    const timer = setTimeout(giveUp, Math.ceil(allowedMs));
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) return giveUp();
    try {
      const headers = headersOf(post, clock.now());
      const options = {
        method: 'POST',
        headers,
        agent: false,
        signal: abort.signal,
        rejectUnauthorized: true,
      };
      // The answer's body changes nothing, so it isn't waited for.
      const request = send(url, options, (response) => end(answerOf(response, clock)));
      request.on('error', fail).end(body);
    } catch (error) {
      fail(error);
    }
  });
}

function answerOf({ statusCode: status = 0, headers }: IncomingMessage, clock: Clock): WebhookAnswer {
  if (status >= 200 && status < 300) return { kind: 'taken' };
  const retryAfterMs = parseRetryAfter(headers['retry-after'], clock.now());
  return { kind: 'status', status, retryAfterMs };
}

/** `now`: milliseconds since 1970. The job's own headers may change what a receiver reads, not what it trusts. */
function headersOf({ target, body, json, delivery, secret }: Post, now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const headers = new Map([
    ['content-type', json ? 'application/json' : 'text/plain; charset=utf-8'],
    ['user-agent', `license-sync/${VERSION}`],
  ]);
  for (const [name, value] of Object.entries(target.headers)) headers.set(name.toLowerCase(), value);
  headers.set('x-license-sync-event', 'run');
  headers.set('x-license-sync-delivery', delivery);
  headers.set('x-license-sync-timestamp', timestamp);
  headers.delete('x-license-sync-signature');
  if (secret !== undefined) {
    headers.set('x-license-sync-signature', `sha256=${signature(secret, timestamp, body)}`);
  }
  return Object.fromEntries(headers);
}

/** HMAC-SHA-256 of `TIMESTAMP.BODY`, hex. The timestamp keeps an old body from being replayed as a new one. */
function signature(secret: string, timestamp: string, body: string): string {
  return createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
}

function worthAnother(answer: Exclude<WebhookAnswer, { kind: 'taken' }>): boolean {
  if (answer.kind === 'status') return answer.status >= 500 || BUSY.has(answer.status);
  return answer.kind === 'timeout' || !answer.hopeless;
}

function notTold(
  answer: Exclude<WebhookAnswer, { kind: 'taken' }>,
  host: string,
  attempts: number,
  allowedMs: number,
): Message {
  if (answer.kind === 'timeout') {
    return message('notify.timeout', { host, attempts, seconds: Math.round(allowedMs / 100) / 10 });
  }
  if (answer.kind === 'network')
    return message('notify.unreachable', { host, attempts, detail: answer.detail });
  const { status } = answer;
  if (status >= 300 && status < 400) return message('notify.redirected', { host, status });
  return message('notify.http_status', { host, attempts, status });
}
