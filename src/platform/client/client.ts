import { subscribe } from 'node:diagnostics_channel';
import type { Dispatcher, Pool } from 'undici';
import type { Message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Connection } from '../../model/connection.js';
import type { WireRequest } from '../../model/operation.js';
import { LONGEST_TIMER_MS } from '../../util/clock.js';
import { crashesAt, crashPoint } from '../../util/crash-point.js';
import { errorDetail } from '../../util/error-detail.js';
import { REDACTED_FROM } from '../../util/known-secrets.js';
import { VERSION } from '../../util/own-package.js';
import { redactor } from '../../util/redactor.js';
import { parseRetryAfter } from '../../util/retry-timing.js';
import type { AttemptEvent, ReplyHead } from './attempt-event.js';
import { type PinnedBase, pinBase, refuseUnverifiedTls } from './base-url.js';
import { stringifyJson } from './lossless.js';
import { lostReason, unsentReason } from './network-error.js';
import { type BodyReader, type BodyResult, MAX_REPLY_BYTES, readBody } from './reply-body.js';
import { SentSignal, type Watch } from './sent-signal.js';
import { resolveToken } from './token.js';

export type { AttemptEvent } from './attempt-event.js';

const CONNECT_MS = 10_000;
const IDLE_REUSE_MS = 1_000;
/** Published when header and body are with the socket; the system sends them even if this process dies now. */
const HANDED_OVER = 'undici:request:bodySent';

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
  /** It does no harm twice, so that it may go over a connection that was idle for long. */
  readonly repeatable?: boolean;
}

export interface PlatformClient {
  /** Where all its requests go. */
  readonly origin: string;
  /** Makes one attempt: one request at most, no redirect, no retry. Never rejects for what the network does. */
  send(request: WireRequest, attempt: Attempt): Promise<AttemptEvent>;
  /** The token comes from a command or a file, which may give another one after a 401. */
  readonly renewable: boolean;
  /** Fetches the token again after a 401; requests that were refused together share one fetch. Never rejects. */
  renewToken(refused: AttemptEvent): Promise<TokenRenewal>;
  /** The text with every occurrence of the connection's tokens replaced. */
  redact(text: string): string;
  /** Breaks what is in flight and closes all sockets. */
  close(): Promise<void>;
}

/** `renewed`: requests are sent with another token from now on; `same`: with the one that was refused. */
export type TokenRenewal =
  | { readonly kind: 'renewed' }
  | { readonly kind: 'same' }
  | { readonly kind: 'failed'; readonly why: Message };

/**
 * A client of one platform address, its token fetched. Rejects with `ProductError` (usage) for an address or
 * environment that would not keep the token safe (promises, security 3), and where there is no token.
 */
export async function createClient(options: ClientOptions): Promise<PlatformClient> {
  const env = options.env ?? process.env;
  const { connection } = options;
  refuseUnverifiedTls(env);
  if (crashesAt('headers-sent')) subscribe(HANDED_OVER, () => crashPoint('headers-sent'));
  const base = pinBase(connection.baseUrl ?? '', connection.name, connection.allowInsecureHttp);
  const fetchToken = async () => (await resolveToken(connection.token, connection.name, env)).reveal();
  let secret = await fetchToken();
  // undici's pool by its own file: the index would load `fetch`, caches and mocks too.
  const { default: PoolClass } = await import('undici/lib/dispatcher/pool.js');
  const idleReuseMs = connection.idleReuseMs ?? IDLE_REUSE_MS;
  const pool = new PoolClass(base.origin, {
    // Timers may be late, as after the computer slept: what was idle for too long is also found when it is used.
    keepAliveTimeout: Math.max(1, idleReuseMs),
    keepAliveMaxTimeout: Math.max(1, idleReuseMs),
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
  const context: Context = {
    pool,
    base,
    signal: new SentSignal(),
    ...credentialOf([secret]),
    maxReplyBytes: options.maxReplyBytes ?? MAX_REPLY_BYTES,
    idleReuseMs,
  };
  const secrets = [secret];
  const usedBy = new WeakMap<AttemptEvent, string>();
  const renew = async (): Promise<TokenRenewal> => {
    try {
      const next = await fetchToken();
      if (next === secret) return { kind: 'same' };
      secret = next;
      secrets.push(next);
      Object.assign(context, credentialOf(secrets));
      return { kind: 'renewed' };
    } catch (error) {
      if (!(error instanceof ProductError)) throw error;
      return { kind: 'failed', why: error.detail };
    }
  };
  let renewal: { readonly of: string; readonly result: Promise<TokenRenewal> } | undefined;
  return {
    origin: base.origin,
    renewable: connection.token.kind === 'command' || connection.token.kind === 'file',
    send: async (request, attempt) => {
      const used = secret;
      const event = await send(context, request, attempt);
      usedBy.set(event, used);
      return event;
    },
    renewToken: async (refused) => {
      if (usedBy.get(refused) !== secret) return { kind: 'renewed' };
      if (renewal?.of !== secret) renewal = { of: secret, result: renew() };
      return renewal.result;
    },
    redact: (text) => context.redact(text),
    close: async () => {
      await pool.destroy();
      context.signal.close();
    },
  };
}

interface Context extends Credential {
  readonly pool: Pick<Pool, 'dispatch' | 'destroy'>;
  readonly base: PinnedBase;
  readonly signal: SentSignal;
  readonly maxReplyBytes: number;
  readonly idleReuseMs: number;
}

interface Credential {
  readonly headers: Record<string, string>;
  readonly redact: (text: string) => string;
  readonly redactReply: (text: string) => string;
}

/** @param secrets all tokens that were fetched; the last one is sent */
function credentialOf(secrets: readonly string[]): Credential {
  const long = secrets.filter((it) => it.length >= REDACTED_FROM);
  return {
    headers: {
      authorization: `Bearer ${secrets.at(-1)}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': `license-sync/${VERSION}`,
    },
    redact: redactor(secrets),
    redactReply: long.length > 0 ? redactor(long) : (text) => text,
  };
}

async function send(context: Context, request: WireRequest, attempt: Attempt): Promise<AttemptEvent> {
  const target = requestTarget(context.base.prefix, request, attempt.nonce);
  if (target === undefined) return { kind: 'unsent', reason: 'unsendable', detail: 'path' };
  if (attempt.signal?.aborted) return { kind: 'unsent', reason: 'aborted', detail: '' };
  const idleMs = attempt.repeatable ? Number.POSITIVE_INFINITY : context.idleReuseMs;
  const watched = context.signal.watch(attempt.nonce, idleMs);
  if (!watched) return { kind: 'unsent', reason: 'unsendable', detail: 'g_nonce in use' };
  return new Promise<AttemptEvent>((resolve) => {
    const onAbort = (): void => exchange.giveUp('aborted', '');
    const timeUp = (): void => exchange.giveUp('timeout', `${attempt.timeoutMs} ms`);
    const timer = setTimeout(() => afterArrivals(timeUp), Math.min(attempt.timeoutMs, LONGEST_TIMER_MS));
    attempt.signal?.addEventListener('abort', onAbort, { once: true });
    const begin = (watch: Watch): Exchange => {
      const begun = new Exchange(context, watch, (event) => {
        // Nothing left: the connection had been idle for too long. Each such one is closed, so this ends.
        if (event.kind === 'unsent' && watch.refusedIdle) {
          queueMicrotask(() => {
            const next = context.signal.watch(attempt.nonce, idleMs);
            if (next) exchange = begin(next);
          });
          return;
        }
        clearTimeout(timer);
        attempt.signal?.removeEventListener('abort', onAbort);
        resolve(event);
      });
      begun.begin(request, target);
      return begun;
    };
    let exchange = begin(watched);
  });
}

/**
 * Lets in first what has arrived: after a standstill (the computer slept, the disk was busy) timers come before the
 * replies that have been lying there, and those would count as lost. Two turns, as TLS takes one more.
 */
function afterArrivals(then: () => void): void {
  setImmediate(() => setImmediate(then));
}

/** One request and its reply, from undici's first word to its last; ends with one event, whatever comes later. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #context: Context;
  readonly #watch: Watch;
  readonly #end: (event: AttemptEvent) => void;
  #ended = false;
  #controller: Dispatcher.DispatchController | undefined;
  #head: ReplyHead | undefined;
  #body: BodyReader | undefined;

  constructor(context: Context, watch: Watch, end: (event: AttemptEvent) => void) {
    this.#context = context;
    this.#watch = watch;
    this.#end = end;
  }

  begin({ method, body }: WireRequest, target: string): void {
    const { pool, headers } = this.#context;
    try {
      pool.dispatch(
        {
          method,
          path: target,
          headers,
          body: body === undefined ? null : stringifyJson(body),
          // undici takes GET for safe to repeat; here nothing is repeated but by the run, which counts it.
          idempotent: false,
        },
        this,
      );
    } catch (error) {
      this.onResponseError(undefined, error);
    }
  }

  /** Decided here and now: a socket that is still connecting would report much later. */
  giveUp(reason: 'timeout' | 'aborted', detail: string): void {
    if (this.#ended) return;
    const kind = this.#watch.sent ? 'lost' : 'unsent';
    this.#watch.forbid();
    this.#conclude(kind === 'lost' ? { kind, reason, detail, ...this.#head } : { kind, reason, detail });
    this.#controller?.abort(new Error('given up'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#ended) controller.abort(new Error('given up'));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) return;
    const { maxReplyBytes } = this.#context;
    this.#head = readHead(this.#context, status, headers);
    this.#body = readBody(one(headers['content-encoding']), {
      limit: maxReplyBytes,
      contentType: one(headers['content-type']),
      result: (result) => this.#finish(result),
      drained: () => controller.resume(),
    });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#body?.add(chunk) === false) controller.pause();
  }

  onResponseEnd(): void {
    this.#watch.forget();
    this.#body?.end();
  }

  onResponseError(_: unknown, error: unknown): void {
    if (this.#body) this.#body.cut(error);
    else this.#failed(error);
    this.#watch.forget();
  }

  #finish(read: BodyResult): void {
    const { redact, redactReply } = this.#context;
    const head = this.#head!;
    if (read.kind === 'text') {
      this.#conclude({ kind: 'reply', ...head, text: redactReply(read.text) });
      return;
    }
    this.#conclude({ kind: 'lost', reason: read.reason, detail: redact(read.detail), ...head });
    this.#controller?.abort(new Error(read.reason));
  }

  #failed(error: unknown): void {
    const { redact, base } = this.#context;
    const detail = redact(errorDetail(error));
    this.#conclude(
      this.#watch.sent
        ? { kind: 'lost', reason: lostReason(error), detail }
        : { kind: 'unsent', reason: unsentReason(error, base.secure), detail },
    );
  }

  #conclude(event: AttemptEvent): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#end(event);
  }
}

/** Printable ASCII without `#`, `?` and the backslash. */
const PLAIN_PATH = /^\/[!"$->@-[\]-~]*$/u;
const DOT_SEGMENT = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/iu;

/**
 * Path and query of a request, `g_nonce` first. undefined for a path that a server or proxy might take for another
 * endpoint's: dot segments (an identifier `..`), a query of its own, characters that must be encoded; or half a
 * surrogate pair, which has no encoding.
 */
function requestTarget(prefix: string, request: WireRequest, nonce: string): string | undefined {
  const { path } = request;
  if (!PLAIN_PATH.test(path) || DOT_SEGMENT.test(path)) return undefined;
  let target = `${prefix}${path}?g_nonce=${encodeURIComponent(nonce)}`;
  try {
    for (const name in request.query) {
      target += `&${encodeURIComponent(name)}=${encodeURIComponent(request.query[name]!)}`;
    }
  } catch {
    return undefined;
  }
  return target;
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
