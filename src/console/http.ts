import { message } from '../errors/message.js';
import { WebRefusal } from './problem.js';

const SECURITY: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
};

/** Adds the security headers and, unless the response sets one, a `cache-control` that prevents caching. */
export function secured(answer: Response, scheme: 'http' | 'https'): Response {
  const headers = new Headers(answer.headers);
  for (const [name, value] of Object.entries(SECURITY)) headers.set(name, value);
  if (scheme === 'https') headers.set('strict-transport-security', 'max-age=31536000');
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  const { status, statusText } = answer;
  return new Response(answer.body, { status, statusText, headers });
}

/** 20,000 cells with their texts and those that they replace. */
const MAX_BODY_BYTES = 4 * 1_048_576;
const MAX_BODY_MS = 10_000;

/** The JSON body; undefined if the body is empty. */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  const text = await readText(request);
  if (text === '') return undefined;
  // Forms of other sites cannot send this type without a CORS preflight.
  if (!/^application\/json\b/i.test(type)) throw new WebRefusal(415, message('console.not_json'));
  try {
    return JSON.parse(text);
  } catch {
    throw new WebRefusal(400, message('console.bad_json'));
  }
}

async function readText(request: Request): Promise<string> {
  if (!request.body) return '';
  const reader = request.body.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new WebRefusal(408, message('console.too_slow'))), MAX_BODY_MS);
  });
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late]);
      if (done) return Buffer.concat(parts).toString('utf8');
      size += value.length;
      if (size > MAX_BODY_BYTES) throw new WebRefusal(413, message('console.too_large', { limit: '4 MB' }));
      parts.push(value);
    }
  } catch (error) {
    reader.cancel().catch(() => {});
    throw error instanceof WebRefusal ? error : new WebRefusal(400, message('console.cut_off'));
  } finally {
    clearTimeout(timer);
  }
}

const REPLY_TTL_MS = 600_000;
const MAX_REPLIES = 2000;
/** The reply to a correction can contain hundreds of rows. */
const MAX_REPLY_BYTES = 16 * 1024 ** 2;

/** A stored response, to be sent again. */
interface StoredResponse {
  readonly body: ArrayBuffer;
  readonly status: number;
  readonly headers: Headers;
}

interface PendingReply {
  readonly answer: Promise<StoredResponse>;
  readonly until: number;
  bytes: number;
}

/**
 * Browsers repeat a write if its connection breaks before the response; pages repeat one that got no response. A
 * write with an `X-Act` header (an id chosen by the page) is executed once; repetitions get the same response.
 */
export class RepeatedWrites {
  readonly #replies = new Map<string, PendingReply>();
  #bytes = 0;

  /** @param key the caller, the request and the id in `X-Act` */
  async once(key: string, work: () => Promise<Response>): Promise<Response> {
    const now = performance.now();
    for (const [old, { until }] of this.#replies)
      if (until < now || this.#replies.size >= MAX_REPLIES) this.#forget(old);
      else break;
    let reply = this.#replies.get(key);
    if (!reply) {
      reply = { answer: work().then(storedResponse), until: now + REPLY_TTL_MS, bytes: 0 };
      this.#replies.set(key, reply);
      reply.answer.then(
        ({ body }) => this.#addBytes(key, reply!, body.byteLength),
        // Nothing was executed, so a repetition may try again.
        () => {
          if (this.#replies.get(key) === reply) this.#forget(key);
        },
      );
    }
    const { body, status, headers } = await reply.answer;
    return new Response(body.byteLength === 0 ? undefined : body, { status, headers });
  }

  #addBytes(key: string, reply: PendingReply, bytes: number): void {
    if (this.#replies.get(key) !== reply) return;
    reply.bytes = bytes;
    this.#bytes += bytes;
    for (const old of this.#replies.keys()) {
      if (this.#bytes <= MAX_REPLY_BYTES || old === key) return;
      this.#forget(old);
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#replies.get(key)?.bytes ?? 0;
    this.#replies.delete(key);
  }
}

async function storedResponse(answer: Response): Promise<StoredResponse> {
  return { body: await answer.arrayBuffer(), status: answer.status, headers: answer.headers };
}

/** Limits of open streams: one session may have several pages open; each stream costs a connection. */
const MAX_PER_SESSION = 24;
const MAX_STREAMS = 1000;

export class EventStreams {
  readonly #open = new Map<string, number>();
  #all = 0;

  /**
   * Counts a stream while it is open.
   * @throws WebRefusal if the session or the console has too many open streams
   */
  async opened(key: string, open: () => Promise<Response>): Promise<Response> {
    const ofSession = this.#open.get(key) ?? 0;
    if (ofSession >= MAX_PER_SESSION || this.#all >= MAX_STREAMS)
      throw new WebRefusal(429, message('console.too_many_streams'), { headers: { 'retry-after': '10' } });
    this.#count(key, 1);
    let over = false;
    const end = (): void => {
      if (!over) this.#count(key, -1);
      over = true;
    };
    try {
      const answer = await open();
      if (!answer.body) end();
      return answer.body ? new Response(withEndCallback(answer.body, end), answer) : answer;
    } catch (error) {
      end();
      throw error;
    }
  }

  #count(key: string, change: 1 | -1): void {
    this.#all += change;
    const ofSession = (this.#open.get(key) ?? 0) + change;
    if (ofSession === 0) this.#open.delete(key);
    else this.#open.set(key, ofSession);
  }
}

/** The same stream; `end` is called when it has ended or is cancelled. */
function withEndCallback(body: ReadableStream<Uint8Array>, end: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      } catch (error) {
        end();
        controller.error(error);
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
}
