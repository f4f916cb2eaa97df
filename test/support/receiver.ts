import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Certificate } from './certificate.js';

export interface Received {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Reception =
  | number
  | { readonly status: number; readonly headers: Record<string, string> }
  | 'hang'
  | 'reset'
  /** 200, and a body that never ends. */
  | 'drip';

/** Takes notifications over real sockets and answers as a test says; keeps what it got. */
export class Receiver {
  readonly seen: Received[] = [];
  answer: (seen: Received, count: number) => Reception = () => 200;
  readonly #server: Server;
  readonly #secure: boolean;
  readonly #sockets = new Set<Socket>();
  #waiting: (() => void)[] = [];

  constructor(certificate?: Certificate) {
    const listener: RequestListener = (request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const seen = { method, path: url, headers, body };
        this.seen.push(seen);
        for (const go of this.#waiting.splice(0)) go();
        const answer = this.answer(seen, this.seen.length);
        if (answer === 'hang') return;
        if (answer === 'reset') {
          request.socket.resetAndDestroy();
          return;
        }
        if (answer === 'drip') {
          response.writeHead(200).write('.');
          return;
        }
        const { status, headers: own } =
          typeof answer === 'number' ? { status: answer, headers: {} } : answer;
        response.writeHead(status, own).end('thanks');
      });
    };
    this.#secure = certificate !== undefined;
    this.#server = certificate ? createSecureServer(certificate, listener) : createServer(listener);
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket)).on('error', () => {});
    });
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `${this.#secure ? 'https' : 'http'}://${this.host}`;
  }

  /** Resolves when there have been so many requests. */
  async got(count: number): Promise<void> {
    while (this.seen.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
