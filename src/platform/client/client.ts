import { subscribe } from 'node:diagnostics_channel';
import type { Dispatcher, Pool } from 'undici';
import type { Connection } from '../../model/connection.js';
import type { WireRequest } from '../../model/operation.js';
import { LONGEST_TIMER_MS } from '../../util/clock.js';
import { crashesAt, crashPoint } from '../../util/crash-point.js';
import { errorDetail } from '../../util/error-detail.js';
import { exactStringify } from '../../util/exact-json.js';
import { VERSION } from '../../util/own-package.js';
import { parseRetryAfter } from '../../util/retry-timing.js';
import { type AttemptEvent, lostReason, type ReplyHead, unsentReason } from './attempt-event.js';
import { type BodyReader, type BodyResult, MAX_REPLY_BYTES, readBody } from './reply-body.js';
import { type PinnedBase, pinBase, refuseUnverifiedTls, requestTarget } from './request-target.js';
import { SentSignal, type Watch } from './sent-signal.js';
import { ClientToken, type TokenRenewal } from './token.js';

export type { AttemptEvent } from './attempt-event.js';

const CONNECT_MS = 10_000;
const IDLE_REUSE_MS = 1_000;
/** Published when the socket has header and body: the system sends them even if this process exits now. */
const HANDED_OVER = 'undici:request:bodySent';

export interface ClientOptions {
  /** Requires `baseUrl`. */
  readonly connection: Connection;
  /** Sockets kept open at most. */
  readonly concurrency: number;
  /** Time limit for one connection, handshake included; default 10 s. The attempt's own limit applies, too. */
  readonly connectTimeoutMs?: number;
  /** Limit of a reply's body, decompressed; default 10 MB. */
  readonly maxReplyBytes?: number;
  /** Default `process.env`. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface Attempt {
  /** New for every attempt; sent as `g_nonce`. */
  readonly nonce: string;
  /** For the whole attempt: connection, headers and body. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** A repeat has no further effect, so a connection that was idle for long may be used. */
  readonly repeatable?: boolean;
}

export interface PlatformClient {
  readonly origin: string;
  /** Sends one request at most: no redirect, no retry. Never rejects because of a network failure. */
  send(request: WireRequest, attempt: Attempt): Promise<AttemptEvent>;
  /** The token comes from a command or a file, so it may differ after a 401. */
  readonly renewable: boolean;
  /** Fetches the token again after a 401; requests refused at the same time share one fetch. Never rejects. */
  renewToken(refused: AttemptEvent): Promise<TokenRenewal>;
  /** The text with every occurrence of the connection's tokens replaced. */
  redact(text: string): string;
  /** Aborts requests in flight and closes all sockets. */
  close(): Promise<void>;
}

/**
 * Creates a client of one platform address and fetches its token. Rejects with `ProductError` (usage) for an address or
 * environment that would expose the token (promises, security 3), and if there is no token.
 */
export async function createClient(options: ClientOptions): Promise<PlatformClient> {
  const env = options.env ?? process.env;
  const { connection } = options;
  refuseUnverifiedTls(env);
  if (crashesAt('headers-sent')) subscribe(HANDED_OVER, () => crashPoint('headers-sent'));
  const base = pinBase(connection.baseUrl ?? '', connection.name, connection.allowInsecureHttp);
  const token = await ClientToken.fetch(connection, env);
  // undici's pool is imported by its file: the index would also load `fetch`, caches and mocks.
  const { default: PoolClass } = await import('undici/lib/dispatcher/pool.js');
  const idleReuseMs = connection.idleReuseMs ?? IDLE_REUSE_MS;
  const pool = new PoolClass(base.origin, {
    // Timers may be late, for example after sleep: an expired idle connection is also detected when it is used.
    keepAliveTimeout: Math.max(1, idleReuseMs),
    keepAliveMaxTimeout: Math.max(1, idleReuseMs),
    connections: Math.max(1, options.concurrency),
    pipelining: 1,
    // HTTP/2 would put many attempts on one socket, and one broken socket would make all of them uncertain.
    allowH2: false,
    // The attempt has a deadline for the whole; these two would restart with each chunk.
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeout: options.connectTimeoutMs ?? CONNECT_MS,
    connect: { rejectUnauthorized: true },
  });
  const context: Context = {
    pool,
    base,
    signal: new SentSignal(),
    token,
    maxReplyBytes: options.maxReplyBytes ?? MAX_REPLY_BYTES,
    idleReuseMs,
  };
  const tokenByEvent = new WeakMap<AttemptEvent, string>();
  return {
    origin: base.origin,
    renewable: token.renewable,
    send: async (request, attempt) => {
      const tokenUsed = token.current;
      const event = await send(context, request, attempt);
      tokenByEvent.set(event, tokenUsed);
      return event;
    },
    renewToken: (refused) => token.renew(tokenByEvent.get(refused)),
    redact: (text) => token.redact(text),
    close: async () => {
      await pool.destroy();
      context.signal.close();
    },
  };
}

interface Context {
  readonly pool: Pick<Pool, 'dispatch' | 'destroy'>;
  readonly base: PinnedBase;
  readonly signal: SentSignal;
  readonly token: ClientToken;
  readonly maxReplyBytes: number;
  readonly idleReuseMs: number;
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
      const started = new Exchange(context, watch, (event) => {
        // Nothing was sent: the connection was idle for too long. Each such connection is closed, so the loop ends.
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
      started.begin(request, target);
      return started;
    };
    let exchange = begin(watched);
  });
}

/**
 * Handles data that has already arrived first: after a standstill (sleep, busy disk) timers fire before replies that
 * wait in the socket, and those would be treated as lost. Two turns of the event loop, as TLS needs one more.
 */
function afterArrivals(then: () => void): void {
  setImmediate(() => setImmediate(then));
}

/** One request and its reply; reports exactly one event. */
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
    const { pool, token } = this.#context;
    try {
      pool.dispatch(
        {
          method,
          path: target,
          headers: {
            authorization: `Bearer ${token.current}`,
            'content-type': 'application/json',
            accept: 'application/json',
            'user-agent': `license-sync/${VERSION}`,
          },
          body: body === undefined ? null : exactStringify(body),
          // undici treats GET as safe to repeat; here only the run repeats requests, as it counts them.
          idempotent: false,
        },
        this,
      );
    } catch (error) {
      this.onResponseError(undefined, error);
    }
  }

  /** Decides immediately: a socket that is still connecting would report much later. */
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
    this.#body = readBody(headerText(headers['content-encoding']), {
      limit: maxReplyBytes,
      contentType: headerText(headers['content-type']),
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
    const { token } = this.#context;
    const head = this.#head!;
    if (read.kind === 'text') {
      this.#conclude({ kind: 'reply', ...head, text: token.redactReply(read.text) });
      return;
    }
    this.#conclude({ kind: 'lost', reason: read.reason, detail: token.redact(read.detail), ...head });
    this.#controller?.abort(new Error(read.reason));
  }

  #failed(error: unknown): void {
    const { token, base } = this.#context;
    const detail = token.redact(errorDetail(error));
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

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function readHead(context: Context, httpStatus: number, headers: Headers): ReplyHead {
  const server = Date.parse(headerText(headers.date) ?? '');
  const now = Number.isNaN(server) ? Date.now() : server;
  const retryAfterMs = parseRetryAfter(headerText(headers['retry-after']), now);
  const location = headerText(headers.location);
  return {
    httpStatus,
    date: Number.isNaN(server) ? undefined : server,
    retryAfterMs,
    location: location === undefined ? undefined : context.token.redact(location),
  };
}

function headerText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}
