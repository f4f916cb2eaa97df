import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { clientSecretOf } from '../app/console/client-secret.js';
import { type ConsoleGround, openConsole } from '../app/console/ground.js';
import type { AppContext } from '../app/context.js';
import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { consoleApp, type Respond } from './app.js';
import { Assets } from './assets.js';
import { OidcSignIn } from './auth/oidc.js';
import { SignIn } from './auth/sign-in.js';
import { secured } from './headers.js';
import { House } from './house.js';
import { ROUTES } from './routes/index.js';
import { addressOf, isServer, reachedAt, refuseInTheClear, type TlsFiles, tlsFiles } from './served-at.js';

export interface ConsoleOptions {
  /** 0: any free one. */
  readonly port: number;
  readonly host: string;
  /** Hears of faults of the program. */
  readonly tell: (text: string) => void;
}

export interface ServedConsole {
  /** With the token that signs in once, where only this machine reaches it. */
  readonly url: string;
  /** Resolves once the token of `url` was used; absent where there is none. */
  readonly linkUsed: Promise<void> | undefined;
  readonly port: number;
  /** What whoever started it should know. */
  readonly notes: readonly Message[];
  /** Ends within 10 s: children are stopped as by Ctrl-C, then nothing is answered any more. */
  close(): Promise<void>;
}

/**
 * A request whose head takes longer than this to come is cut off; so is one that isn't there as a whole by then. Uploads
 * are watched by those who take them.
 */
const TIMES = {
  headersTimeout: 10_000,
  requestTimeout: 900_000,
  connectionsCheckingInterval: 2000,
  // Longer than browsers keep one: a connection that ends just as a write is sent makes them send it again.
  keepAliveTimeout: 620_000,
} as const;
const MOST_CONNECTIONS = 4000;
const REFUSED_HEAD =
  "Connection: close\r\nX-Content-Type-Options: nosniff\r\nContent-Security-Policy: frame-ancestors 'none'";

/**
 * Serves the console.
 * @throws ProductError usage: the port is taken, the settings are wrong, the ledger can't be opened
 */
export async function serveConsole(app: AppContext, options: ConsoleOptions): Promise<ServedConsole> {
  const ground = await openConsole(app);
  try {
    return await serveOn(ground, app, options);
  } catch (error) {
    await ground.close();
    throw error;
  }
}

async function serveOn(
  ground: ConsoleGround,
  app: AppContext,
  { host, tell, ...options }: ConsoleOptions,
): Promise<ServedConsole> {
  const { settings } = ground;
  refuseInTheClear(host, settings);
  const files = await tlsFiles(settings);
  const secret = settings.oidc && (await clientSecretOf(settings.oidc, app.env));
  const house = new House();
  let respond: Respond | undefined;
  const server = serverOf(files, (request, env) => respond!(request, env));
  await listening(server, host, options.port);
  const { port } = server.address() as AddressInfo;
  const reached = reachedAt({ host, port }, settings, files);
  const secure = reached.scheme === 'https';
  const local = !isServer(host, settings);
  const cookie = local ? `license-sync-${port}` : '__Host-license-sync';
  const signIn = new SignIn(ground, { cookie, secure, local });
  const oidc = settings.oidc && new OidcSignIn(settings.oidc, secret, tell);
  const assets = new Assets();
  respond = consoleApp({ app, ground, house, routes: ROUTES, assets, signIn, oidc, reached, tell });
  const address = addressOf(host, port, settings, reached.scheme);
  const nobody = !local && (await (await ground.ledger()).people.list()).length === 0;
  return {
    url: local ? `${address}/?token=${signIn.linkToken}` : `${address}/`,
    linkUsed: signIn.linkUsed,
    port,
    notes: nobody ? [message('console.nobody_yet')] : [],
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await house.close();
      server.closeAllConnections();
      await closed;
      await ground.close();
    },
  };
}

function serverOf(files: TlsFiles | undefined, respond: Respond): Server {
  const listener = getRequestListener(respond as (request: Request, env: unknown) => Promise<Response>, {
    overrideGlobalObjects: false,
    errorHandler: () => secured(new Response(undefined, { status: 400 }), files ? 'https' : 'http'),
  });
  const server = files ? createSecureServer({ ...TIMES, ...files }, listener) : createServer(TIMES, listener);
  server.maxConnections = MOST_CONNECTIONS;
  // What is no HTTP, or takes too long to become a request.
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
    if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\n${REFUSED_HEAD}\r\n\r\n`);
    else socket.destroy();
  });
  return server;
}

async function listening(server: Server, host: string, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => resolve());
    });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new ProductError('usage', message('console.cannot_listen', { host, port, code }));
  }
}
