import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Connection } from '../../src/model/connection.js';

const TOKEN_VARIABLE = 'LICENSE_SYNC_TOKEN_OF_THE_TESTS';
process.env[TOKEN_VARIABLE] = 's3cret-token';

export interface Seen {
  readonly path: string;
  readonly nonce: string;
  readonly body: Record<string, unknown>;
  readonly authorization: string;
}

export type Answer =
  | { readonly status?: number; readonly body: unknown; readonly headers?: Record<string, string> }
  | { readonly text: string; readonly status?: number }
  | 'reset'
  | 'hang';

/** A platform that answers as a test says, over real sockets, and remembers what it was asked. */
export class FakePlatform {
  readonly seen: Seen[] = [];
  readonly #server;
  answer: (seen: Seen, count: number) => Answer | Promise<Answer>;

  constructor(answer: (seen: Seen, count: number) => Answer | Promise<Answer>) {
    this.answer = answer;
    this.#server = createServer((request, response) => {
      void this.#handle(request, response);
    });
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
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
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const seen: Seen = {
      path: url.pathname,
      nonce: url.searchParams.get('g_nonce') ?? '',
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
      authorization: request.headers.authorization ?? '',
    };
    this.seen.push(seen);
    const answer = await this.answer(seen, this.seen.length);
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

/** The reply of a platform that carries every order out. */
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
