import { createHmac, randomUUID } from 'node:crypto';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { type Message, message } from '../errors/message.js';
import { DRIFT_STATUSES } from '../model/comparison.js';
import type { WebhookTarget } from '../model/connection.js';
import { STATUSES } from '../model/status.js';
import { type Clock, LONGEST_TIMER_MS } from '../util/clock.js';
import { errorCode, errorDetail } from '../util/error-detail.js';
import { VERSION } from '../util/own-package.js';
import { readSecret } from '../util/read-secret.js';
import { parseRetryAfter, retryDelayMs } from '../util/retry-timing.js';
import { redactKnown } from '../util/secrets.js';
import type { AfterRunOptions, CommandEnd, Delivery } from './notification-types.js';

/** Fields of summaries. Some are optional: those of plans, reasons and errors. */
const FIELDS = [
  'run',
  'job',
  'operation',
  'connection',
  'status',
  'exitCode',
  'rows',
  'counts',
  'requests',
  'retries',
  'output',
  'reason',
  'error.code',
  'error.message',
  'startedAt',
  'endedAt',
  'durationMs',
  'executeMs',
  'parent',
  'sandbox',
  'actions',
] as const;

const COUNTED: ReadonlySet<string> = new Set([...STATUSES, ...DRIFT_STATUSES]);

/** `{field}` and `{counts.succeeded}`; a brace of JSON is followed by a quote or a space. */
const PLACEHOLDER = /\{([A-Za-z][\w.]*)\}/gu;

/** All fields that a template may name, for messages. */
const FIELDS_SHOWN = `${FIELDS.join(', ')}, counts.STATUS`;

interface Filled {
  readonly text: string;
  /** The template is JSON, and values were escaped for JSON strings. */
  readonly json: boolean;
  /** Names that no summary has. */
  readonly unknown: readonly string[];
}

/** Fills a template with a run's summary. Missing fields are empty; a status without rows is 0. */
export function fillTemplate(template: string, summary: Readonly<Record<string, unknown>>): Filled {
  const json = isJson(template);
  const unknown = new Set<string>();
  const text = template.replace(PLACEHOLDER, (_whole, name: string) => {
    const value = found(name, summary);
    if (value === undefined && !isKnown(name)) unknown.add(name);
    const words = wordsOf(value);
    return json ? JSON.stringify(words).slice(1, -1) : words;
  });
  return { text, json, unknown: [...unknown] };
}

/** True if the template is a JSON object or list when every placeholder is replaced by a number. */
function isJson(template: string): boolean {
  const example = template.replace(PLACEHOLDER, '0').trim();
  if (!/^[[{]/u.test(example)) return false;
  try {
    JSON.parse(example);
    return true;
  } catch {
    return false;
  }
}

function found(name: string, summary: Readonly<Record<string, unknown>>): unknown {
  const [first = '', ...rest] = name.split('.');
  const value = rest.reduce(member, member(summary, first));
  if (value === undefined && isCount(name)) return 0;
  // Without a result the reason is the error's text, so that a template needs only one field.
  return value === undefined && name === 'reason' ? member(summary.error, 'message') : value;
}

function member(of: unknown, name: string): unknown {
  if (typeof of !== 'object' || of === null || !Object.hasOwn(of, name)) return undefined;
  return (of as Record<string, unknown>)[name];
}

function isCount(name: string): boolean {
  return name.startsWith('counts.') && COUNTED.has(name.slice('counts.'.length));
}

function isKnown(name: string): boolean {
  return isCount(name) || FIELDS.some((it) => it === name || it.startsWith(`${name}.`));
}

/** `succeeded 3, rejected 1` for counts, `none` if there are none. */
function wordsOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(wordsOf).join('; ');
  if (typeof value !== 'object') return String(value);
  const parts = Object.entries(value).map(([name, part]) => `${name} ${wordsOf(part)}`);
  return parts.join(', ') || 'none';
}

const TOTAL_MS = 60_000;
/** A restarting receiver needs seconds, so the first wait is as long as the platform's fourth. */
const BACKOFF_AHEAD = 3;
/** Errors that a retry cannot resolve. */
const PERMANENT = new Set(['ERR_INVALID_CHAR', 'ERR_UNESCAPED_CHARACTERS', 'ERR_INVALID_HTTP_TOKEN']);
const BUSY = new Set([408, 425, 429]);

/** The result of one attempt. */
type WebhookReply =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterMs?: number }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'network'; readonly detail: string; readonly isPermanent: boolean };

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
export async function notifyWebhook(
  target: WebhookTarget,
  summary: CommandEnd['summary'],
  parts: AfterRunOptions,
): Promise<Delivery> {
  const url = new URL(target.url);
  const { host } = url;
  const secret = target.secret && (await readSecret(target.secret, parts.env));
  if (secret?.kind === 'unreadable') {
    const params = { host, ...secret.params, file: secret.params.path };
    return { kind: 'failed', why: message(`notify.secret_${secret.why}`, params) };
  }
  const { text, json } = bodyOf(target, summary, host, parts);
  const delivery = randomUUID();
  const signing = secret ? { secret: secret.text } : {};
  return postWithRetries({ target, url, body: text, json, delivery, ...signing }, parts);
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
    parts.onEvent({ event: 'warning', reason });
  }
  return { text: redactKnown(text), json };
}

async function postWithRetries(post: Post, parts: AfterRunOptions): Promise<Delivery> {
  const { target, url } = post;
  const { clock, signal } = parts;
  const { host } = url;
  const until = clock.monotonic() + (parts.totalMs ?? TOTAL_MS);
  for (let attempts = 1; ; attempts += 1) {
    const allowedMs = Math.min(target.timeoutMs, Math.max(1, until - clock.monotonic()), LONGEST_TIMER_MS);
    const reply = await attempt(post, allowedMs, parts);
    if (reply.kind === 'accepted') return { kind: 'delivered', to: host, attempts };
    const stopped: Delivery = { kind: 'failed', why: message('notify.given_up', { to: host }) };
    if (signal.aborted) return stopped;
    const why = notNotified(reply, host, attempts, allowedMs);
    if (attempts > target.retries || !isRetryable(reply)) return { kind: 'failed', why };
    const requestedMs = reply.kind === 'status' ? reply.retryAfterMs : undefined;
    const waitMs = retryDelayMs(attempts + BACKOFF_AHEAD, requestedMs);
    // If no time is left after the wait, waiting would only delay the command.
    if (clock.monotonic() + waitMs >= until) return { kind: 'failed', why };
    if (!(await clock.sleep(waitMs, signal))) return stopped;
  }
}

/**
 * Makes one request. It ends when its time is over or the program stops, whatever the socket does. Node's own client is
 * used because it releases a connecting socket at once, so that the process can end.
 */
function attempt(post: Post, allowedMs: number, { clock, signal }: AfterRunOptions): Promise<WebhookReply> {
  const { url, body } = post;
  const send = url.protocol === 'https:' ? secureRequest : plainRequest;
  return new Promise((resolve) => {
    const abort = new AbortController();
    const end = (reply: WebhookReply): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      resolve(reply);
      abort.abort();
    };
    const fail = (error: unknown): void => {
      end({
        kind: 'network',
        detail: redactKnown(errorDetail(error)),
        isPermanent: PERMANENT.has(errorCode(error)),
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
      // The response body is not used, so it is not awaited.
      const request = send(url, options, (response) => end(replyOf(response, clock)));
      request.on('error', fail).end(body);
    } catch (error) {
      fail(error);
    }
  });
}

function replyOf({ statusCode: status = 0, headers }: IncomingMessage, clock: Clock): WebhookReply {
  if (status >= 200 && status < 300) return { kind: 'accepted' };
  const retryAfterMs = parseRetryAfter(headers['retry-after'], clock.now());
  return { kind: 'status', status, retryAfterMs };
}

/** `now`: milliseconds since 1970. The job's headers cannot replace the headers of the signature. */
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

function isRetryable(reply: Exclude<WebhookReply, { kind: 'accepted' }>): boolean {
  if (reply.kind === 'status') return reply.status >= 500 || BUSY.has(reply.status);
  return reply.kind === 'timeout' || !reply.isPermanent;
}

function notNotified(
  reply: Exclude<WebhookReply, { kind: 'accepted' }>,
  host: string,
  attempts: number,
  allowedMs: number,
): Message {
  if (reply.kind === 'timeout') {
    return message('notify.timeout', { host, attempts, seconds: Math.round(allowedMs / 100) / 10 });
  }
  if (reply.kind === 'network')
    return message('notify.unreachable', { host, attempts, detail: reply.detail });
  const { status } = reply;
  if (status >= 300 && status < 400) return message('notify.redirected', { host, status });
  return message('notify.http_status', { host, attempts, status });
}
