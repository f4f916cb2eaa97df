import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Connection } from '../../src/model/connection.js';
import { type Created, unreached } from './unreached.js';

const TOKEN_VARIABLE = 'LICENSE_SYNC_TOKEN_OF_THE_TESTS';
process.env[TOKEN_VARIABLE] = 's3cret-token';

export interface Seen {
  readonly path: string;
  readonly nonce: string;
  readonly query: URLSearchParams;
  readonly body: Record<string, unknown>;
  /** Known when the request has arrived. */
  authorization: string;
}

export type Answer =
  | { readonly status?: number; readonly body: unknown; readonly headers?: Record<string, string> }
  | { readonly text: string; readonly status?: number }
  | 'reset'
  | 'hang'
  /** To requests of this process only: no server listens, and no byte leaves. */
  | 'unreached';

/** A platform that answers as a test says, over real sockets, and remembers what it was asked. */
export class FakePlatform {
  readonly seen: Seen[] = [];
  readonly #server;
  #port = 0;
  answer: (seen: Seen, count: number) => Answer | Promise<Answer>;
  /** Of requests that were made in this process and are still on their way here, by nonce. */
  readonly #decided = new Map<string, { readonly seen: Seen; readonly answer: Answer | Promise<Answer> }>();
  #release = (): void => {};

  constructor(answer: (seen: Seen, count: number) => Answer | Promise<Answer>) {
    this.answer = answer;
    this.#server = createServer((request, response) => {
      void this.#handle(request, response);
    });
  }

  async start(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
    this.#release = unreached((it) => this.#decide(it));
    return this;
  }

  /** Whether it is to reach no server: the only answer that must be known before a request leaves. */
  #decide({ origin, path, body }: Created): boolean {
    if (String(origin) !== this.url) return false;
    const seen = sight(new URL(path, this.url), String(body ?? ''));
    // The client dispatches an attempt again when its connection was idle for too long. It still arrives once.
    if (this.#decided.has(seen.nonce)) return false;
    this.seen.push(seen);
    const answer = this.answer(seen, this.seen.length);
    if (answer !== 'unreached') {
      this.#decided.set(seen.nonce, { seen, answer });
      return false;
    }
    this.seen.splice(this.seen.indexOf(seen), 1);
    return true;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  connection(change: Partial<Connection> = {}): Connection {
    return {
      name: 'fake',
      sandbox: false,
      baseUrl: this.url,
      appKey: 'app',
      token: { kind: 'env', name: TOKEN_VARIABLE },
      timestamps: 'milliseconds',
      timezone: 'Asia/Shanghai',
      allowInsecureHttp: false,
      confirm: 'default',
      retryCode500: 'retry',
      ...change,
    };
  }

  async stop(): Promise<void> {
    this.#release();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const arrived = sight(url, text);
    const decided = this.#decided.get(arrived.nonce);
    this.#decided.delete(arrived.nonce);
    const seen = decided?.seen ?? arrived;
    seen.authorization = request.headers.authorization ?? '';
    if (!decided) this.seen.push(seen);
    const answer = await (decided?.answer ?? this.answer(seen, this.seen.length));
    if (answer === 'unreached') throw new Error('only requests of this process can be kept from leaving');
    if (answer === 'hang') return;
    if (answer === 'reset') {
      request.socket.resetAndDestroy();
      return;
    }
    const headers = 'headers' in answer ? answer.headers : undefined;
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...headers });
    response.end('text' in answer ? answer.text : JSON.stringify(answer.body));
  }
}

function sight(url: URL, text: string): Seen {
  return {
    path: url.pathname,
    nonce: url.searchParams.get('g_nonce') ?? '',
    query: url.searchParams,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    authorization: '',
  };
}

/** The reply of a platform that executes every order. */
export function ordersDone(seen: Seen): Answer {
  const orders = seen.body.orderList as { sequence: number; customerName: string }[];
  return {
    body: {
      code: 0,
      message: 'success',
      data: orders.map((it) => ({
        sequence: it.sequence,
        licenseOrderId: `LO-${String(seen.body.channelOrderId)}-${it.sequence}`,
        customerId: 'C1',
      })),
    },
  };
}

/** The same, with another licence order each time that an order number comes: `LO-SO-1-1`, then `LO-SO-1-1.2`. */
export function ordersMadeAnew(): (seen: Seen) => Answer {
  const times = new Map<string, number>();
  return (seen) => {
    const number = String(seen.body.channelOrderId);
    const time = (times.get(number) ?? 0) + 1;
    times.set(number, time);
    if (time === 1) return ordersDone(seen);
    return JSON.parse(
      JSON.stringify(ordersDone(seen)).replaceAll(
        /"licenseOrderId":"([^"]*)"/g,
        `"licenseOrderId":"$1.${time}"`,
      ),
    ) as Answer;
  };
}
