import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Sandbox, startSandbox } from '../../src/api/index.js';

export interface Received {
  readonly path: string;
  readonly body: Record<string, unknown>;
}

/** The sandbox, which also records what comes in. */
export class RecordedSandbox {
  readonly #sandbox: Sandbox;
  readonly #door: Server;
  #received: Received[] = [];

  private constructor(sandbox: Sandbox, door: Server) {
    this.#sandbox = sandbox;
    this.#door = door;
  }

  static async open(): Promise<RecordedSandbox> {
    const sandbox = await startSandbox();
    let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {};
    const door = createServer((incoming, response) => handle(incoming, response));
    door.keepAliveTimeout = 600_000;
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
    const recorded = new RecordedSandbox(sandbox, door);
    handle = (incoming, response) => void recorded.#pass(incoming, response);
    return recorded;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#door.address() as AddressInfo).port}`;
  }

  /** What came since the last time this was asked. */
  taken(): readonly Received[] {
    const taken = this.#received;
    this.#received = [];
    return taken;
  }

  async close(): Promise<void> {
    this.#door.closeAllConnections();
    await new Promise((resolve) => this.#door.close(resolve));
    await this.#sandbox.close();
  }

  async #pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const { pathname } = new URL(incoming.url ?? '/', this.url);
    this.#received.push({ path: pathname, body: text === '' ? {} : JSON.parse(text) });
    const host = `127.0.0.1:${this.#sandbox.port}`;
    const options = { method: incoming.method, headers: { ...incoming.headers, host } };
    const onwards = request(`${this.#sandbox.url}${incoming.url}`, options, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    onwards.on('error', () => response.destroy());
    onwards.end(text);
  }
}
