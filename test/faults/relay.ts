import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Connection } from '../../src/model/connection.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/serve.js';
import type { SandboxStats } from '../../src/sandbox/stats.js';

export interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** One request on its way, in the hands of a test. */
export interface Exchange {
  /** Counted from 1. */
  readonly number: number;
  readonly response: ServerResponse;
  /** Path and query. */
  readonly target: string;
  /** The request's body, as JSON. */
  readonly body: Record<string, unknown>;
  /** Has the platform execute it; gives the platform's own reply. */
  carryOut(): Promise<Reply>;
}

export type Happening = (exchange: Exchange) => Promise<void> | void;

/**
 * Stands between the program and a real sandbox, on real sockets: what reaches the sandbox has its effect, and what
 * becomes of the request before, and of the reply after, is up to a test.
 */
export class Relay {
  readonly #sandbox: Sandbox;
  readonly #happening: Happening;
  readonly #server = createServer((request, response) => void this.#pass(request, response));
  #requests = 0;

  private constructor(sandbox: Sandbox, happening: Happening) {
    this.#sandbox = sandbox;
    this.#happening = happening;
  }

  static async start(happening: Happening): Promise<Relay> {
    const relay = new Relay(await startSandbox(), happening);
    await new Promise<void>((resolve) => relay.#server.listen(0, '127.0.0.1', resolve));
    return relay;
  }

  /** Requests that came in. */
  get requests(): number {
    return this.#requests;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  stats(): SandboxStats {
    return this.#sandbox.stats();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.#sandbox.close();
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#requests += 1;
    const number = this.#requests;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const carryOut = (): Promise<Reply> => passOn(this.#sandbox.url, request, Buffer.concat(chunks));
    const target = request.url ?? '';
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
    await this.#happening({ number, response, target, body, carryOut });
  }
}

/**
 * Not by fetch: the program watches all that undici sends in its process, and breaks the connection of a client that
 * sends a nonce for the second time.
 */
async function passOn(base: string, request: IncomingMessage, body: Buffer): Promise<Reply> {
  const passed = httpRequest(`${base}${request.url}`, {
    method: request.method,
    headers: { authorization: request.headers.authorization, 'content-type': 'application/json' },
    agent: false,
  });
  passed.end(body);
  const [reply] = (await once(passed, 'response')) as [IncomingMessage];
  return {
    status: reply.statusCode ?? 0,
    body: (await json(reply)) as Record<string, unknown>,
  };
}

/** A connection to an address, with a token that needs no fetching. */
export function connectionTo(baseUrl: string, change: Partial<Connection> = {}): Connection {
  return {
    name: 'faulty',
    sandbox: false,
    baseUrl,
    appKey: 'app',
    token: { kind: 'sandbox' },
    timestamps: 'milliseconds',
    timezone: 'Asia/Shanghai',
    allowInsecureHttp: false,
    confirm: 'default',
    retryCode500: 'retry',
    ...change,
  };
}
