import { subscribe } from 'node:diagnostics_channel';
import { Pool } from 'undici';
import type { Connection } from '../../model/connection.js';
import type { WireRequest } from '../../model/operation.js';
import { crashesAt, crashPoint } from '../../util/crash-point.js';
import { VERSION } from '../../util/version.js';
import type { AttemptEvent, ReplyHead } from './attempt-event.js';
import { type PinnedBase, pinBase, refuseUnverifiedTls } from './base-url.js';
import { REDACTED_FROM } from './known-secrets.js';
import { stringifyJson } from './lossless.js';
import { errorDetail, lostReason, unsentReason } from './network-error.js';
import { redactor } from './redactor.js';
import { MAX_REPLY_BYTES, readBody } from './reply-body.js';
import { parseRetryAfter } from './retry-timing.js';
import { SentSignal, type Watch } from './sent-signal.js';
import { resolveToken } from './token.js';

export type { AttemptEvent } from './attempt-event.js';

const CONNECT_MS = 10_000;
/** Published when header and body are with the socket; the system sends them even if this process dies now. */
const HANDED_OVER = 'undici:request:bodySent';
/** Timers take at most 31 bits of milliseconds; beyond it Node would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

export interface ClientOptions {
  /** With its `baseUrl` set. */
  readonly connection: Connection;
  /** Sockets kept open at most. */
  readonly concurrency: number;
  /** For one connection to stand, handshake included; default 10 s. The attempt's own time holds too. */
  readonly connectTimeoutMs?: number;
  /** Bound of a reply's body, inflated; default 10 MB. */
  readonly maxReplyBytes?: number;
  /** Default `process.env`. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface Attempt {
  /** Fresh for every attempt; goes out as `g_nonce`. */
  readonly nonce: string;
  /** For all of it: connection, headers and the whole body. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface PlatformClient {
  /** Makes one attempt: one request at most, no redirect, no retry. Never rejects for what the network does. */
  send(request: WireRequest, attempt: Attempt): Promise<AttemptEvent>;
  /** The text with every occurrence of the connection's token replaced. */
  redact(text: string): string;
  /** Breaks what is in flight and closes all sockets. */
  close(): Promise<void>;
}

/**
 * A client of one platform address, its token fetched. Rejects with `ProductError` (usage) for an address or
 * environment that would not keep the token safe (reliability.md, security 3), and where there is no token.
 */
export async function createClient(options: ClientOptions): Promise<PlatformClient> {
  const env = options.env ?? process.env;
  const { connection } = options;
  refuseUnverifiedTls(env);
  if (crashesAt('headers-sent')) subscribe(HANDED_OVER, () => crashPoint('headers-sent'));
  const base = pinBase(connection.baseUrl ?? '', connection.name, connection.allowInsecureHttp);
  const secret = (await resolveToken(connection.token, connection.name, env)).reveal();
  const pool = new Pool(base.origin, {
    connections: Math.max(1, options.concurrency),
    pipelining: 1,
    // HTTP/2 would put many attempts on one socket, and one broken socket would leave them all in doubt.
    allowH2: false,
    // The attempt's own deadline counts, whole; these two would only start anew with each piece.
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeout: options.connectTimeoutMs ?? CONNECT_MS,
    connect: { rejectUnauthorized: true },
  });
  const redact = redactor([secret]);
  const context: Context = {
    pool,
    base,
    signal: new SentSignal(),
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': `license-sync/${VERSION}`,
    },
    redact,
    redactReply: secret.length >= REDACTED_FROM ? redact : (text) => text,
    maxReplyBytes: options.maxReplyBytes ?? MAX_REPLY_BYTES,
  };
  return {
    send: (request, attempt) => send(context, request, attempt),
    redact,
    close: async () => {
      await pool.destroy();
      context.signal.close();
    },
  };
}

interface Context {
  readonly pool: Pool;
  readonly base: PinnedBase;
  readonly signal: SentSignal;
  readonly headers: Record<string, string>;
  readonly redact: (text: string) => string;
  readonly redactReply: (text: string) => string;
  readonly maxReplyBytes: number;
}

async function send(context: Context, request: WireRequest, attempt: Attempt): Promise<AttemptEvent> {
  const target = requestTarget(context.base.prefix, request, attempt.nonce);
  if (target === undefined) return { kind: 'unsent', reason: 'unsendable', detail: 'path' };
  if (attempt.signal?.aborted) return { kind: 'unsent', reason: 'aborted', detail: '' };
  const watch = context.signal.watch(attempt.nonce);
  if (!watch) return { kind: 'unsent', reason: 'unsendable', detail: 'g_nonce in use' };
  const abort = new AbortController();
  let head: ReplyHead | undefined;
  return new Promise<AttemptEvent>((resolve) => {
    const giveUp = (reason: 'timeout' | 'aborted'): void => {
      // Decided here and now: a socket that is still connecting would report much later.
      const detail = reason === 'timeout' ? `${attempt.timeoutMs} ms` : '';
      const kind = watch.sent ? 'lost' : 'unsent';
      watch.forbid();
      abort.abort();
      end(kind === 'lost' ? { kind, reason, detail, ...head } : { kind, reason, detail });
    };
    const onAbort = (): void => giveUp('aborted');
    const timer = setTimeout(() => giveUp('timeout'), Math.min(attempt.timeoutMs, LONGEST_TIMER_MS));
    attempt.signal?.addEventListener('abort', onAbort, { once: true });
    const end = (event: AttemptEvent): void => {
      clearTimeout(timer);
      attempt.signal?.removeEventListener('abort', onAbort);
      resolve(event);
    };
    const onHead = (it: ReplyHead): void => {
      head = it;
    };
    void exchange(context, request, target, watch, abort.signal, onHead).then(end);
  });
}

/** The exchange itself, to its own end, however late; never rejects. */
async function exchange(
  context: Context,
  request: WireRequest,
  target: string,
  watch: Watch,
  signal: AbortSignal,
  onHead: (head: ReplyHead) => void,
): Promise<AttemptEvent> {
  try {
    const body = request.body === undefined ? null : stringifyJson(request.body);
    const response = await context.pool.request({
      method: request.method,
      path: target,
      headers: context.headers,
      body,
      signal,
      // undici takes GET for safe to repeat; here nothing is repeated but by the run, which counts it.
      idempotent: false,
    });
    const head = readHead(context, response.statusCode, response.headers);
    onHead(head);
    const encoding = one(response.headers['content-encoding']);
    const read = await readBody(response.body, encoding, context.maxReplyBytes);
    if (read.kind === 'text') return { kind: 'reply', ...head, text: context.redactReply(read.text) };
    return { kind: 'lost', reason: read.reason, detail: context.redact(read.detail), ...head };
  } catch (error) {
    const detail = context.redact(errorDetail(error));
    return watch.sent
      ? { kind: 'lost', reason: lostReason(error), detail }
      : { kind: 'unsent', reason: unsentReason(error, context.base.secure), detail };
  } finally {
    watch.forget();
  }
}

/**
 * Path and query of a request, `g_nonce` first. undefined for a path that a server or proxy might take for another
 * endpoint's: dot segments (an identifier `..`), a query of its own, characters that must be encoded; or half a
 * surrogate pair, which has no encoding.
 */
function requestTarget(prefix: string, request: WireRequest, nonce: string): string | undefined {
  const { path } = request;
  const dots = path.split('/').some((it) => /^(?:\.|%2e){1,2}$/iu.test(it));
  const pairs = Object.entries(request.query);
  const whole = pairs.flat().every((it) => !/\p{Cs}/u.test(it));
  if (!/^\/[\x21-\x7e]*$/u.test(path) || /[?#\\]/u.test(path) || dots || !whole) return undefined;
  const query = [['g_nonce', nonce] as const, ...pairs]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
  return `${prefix}${path}?${query}`;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function readHead(context: Context, httpStatus: number, headers: Headers): ReplyHead {
  const server = Date.parse(one(headers.date) ?? '');
  const now = Number.isNaN(server) ? Date.now() : server;
  const retryAfterMs = parseRetryAfter(one(headers['retry-after']), now);
  const location = one(headers.location);
  return {
    httpStatus,
    ...(Number.isNaN(server) ? {} : { date: server }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(location === undefined ? {} : { location: context.redact(location) }),
  };
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}
