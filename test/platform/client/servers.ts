import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net';
import { afterEach } from 'vitest';
import type { Connection } from '../../../src/model/connection.js';
import type { WireRequest } from '../../../src/model/operation.js';
import {
  type Attempt,
  type ClientOptions,
  createClient,
  type PlatformClient,
} from '../../../src/platform/client/client.js';
import { newNonce } from '../../../src/platform/client/request-target.js';

export const TOKEN = 'tok-7f3a9c51/+=';

const open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  open.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        for (const socket of sockets) socket.destroy();
      }),
  );
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

/** An HTTP server of this process on a free port; gives its port. Closed after the test. */
export function http(listener: RequestListener): Promise<number> {
  return listen(createServer(listener));
}

/** A bare TCP server, for what no HTTP server would do. */
export function tcp(onSocket: (socket: Socket) => void): Promise<number> {
  return listen(createTcp(onSocket));
}

/** A port where no process listens. */
export async function closedPort(): Promise<number> {
  const server = createTcp();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export function connectionTo(baseUrl: string): Connection {
  return {
    name: 'test',
    sandbox: false,
    baseUrl,
    token: { kind: 'env', name: 'TOKEN' },
    timestamps: 'milliseconds',
    timezone: 'Asia/Shanghai',
    allowInsecureHttp: false,
    confirm: 'default',
    retryCode500: 'retry',
  };
}

export async function client(
  baseUrl: string | number,
  options: Partial<ClientOptions> = {},
): Promise<PlatformClient> {
  const url = typeof baseUrl === 'number' ? `http://127.0.0.1:${baseUrl}` : baseUrl;
  const connection = connectionTo(url);
  const made = await createClient({ connection, concurrency: 4, env: { TOKEN }, ...options });
  open.push(() => made.close());
  return made;
}

export const ORDER: WireRequest = {
  method: 'POST',
  path: '/order/api/order/v1/licenseOrder/batchOrder',
  query: { appKey: 'key & co' },
  body: { channelCode: 'C1', orderList: [{ sequence: 1 }] },
};

export function attempt(timeoutMs = 5_000): Attempt {
  return { nonce: newNonce(), timeoutMs };
}
