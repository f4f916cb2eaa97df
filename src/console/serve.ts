import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { createSecureContext } from 'node:tls';
import { getRequestListener } from '@hono/node-server';
import { type ConsoleEnvironment, openConsole } from '../app/console/console-environment.js';
import { clientSecretOf } from '../app/console/sign-in.js';
import type { AppContext } from '../app/context.js';
import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { ConsoleSettings } from '../model/console.js';
import { isLoopback } from '../util/loopback.js';
import { networkOf } from '../util/network.js';
import { consoleApp, type Respond } from './app.js';
import { Assets } from './assets.js';
import { OidcSignIn } from './auth/oidc.js';
import type { PublicAddress } from './auth/origin.js';
import { SignIn } from './auth/sign-in.js';
import { secured } from './http.js';
import { ROUTES } from './routes/index.js';
import { ServiceRegistry } from './service-registry.js';

interface ConsoleOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** Logs internal errors. */
  readonly log: (text: string) => void;
}

export interface ServedConsole {
  /** Contains the one-time sign-in token if the console is reachable from this machine only. */
  readonly url: string;
  /** Resolves when the token of `url` has been used; undefined if there is no token. */
  readonly linkUsed: Promise<void> | undefined;
  readonly port: number;
  /** Notes for the user who started the console. */
  readonly notes: readonly Message[];
  /** Ends within 10 s: stops the children as Ctrl-C does, then closes all connections. */
  close(): Promise<void>;
}

/** Limits of Node's server for a request's head and for the whole request. Uploads have their own time limit. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 900_000,
  connectionsCheckingInterval: 2000,
  // Longer than browsers keep a connection: if it is closed just as a write is sent, browsers send the write again.
  keepAliveTimeout: 620_000,
} as const;
const MAX_CONNECTIONS = 4000;
const REFUSED_HEAD =
  "Connection: close\r\nX-Content-Type-Options: nosniff\r\nContent-Security-Policy: frame-ancestors 'none'";

/**
 * Serves the console.
 * @throws ProductError usage if the port is in use, the settings are invalid or the ledger cannot be opened
 */
export async function serveConsole(app: AppContext, options: ConsoleOptions): Promise<ServedConsole> {
  const environment = await openConsole(app);
  try {
    return await serveOn(environment, app, options);
  } catch (error) {
    await environment.close();
    throw error;
  }
}

async function serveOn(
  environment: ConsoleEnvironment,
  app: AppContext,
  { host, log, ...options }: ConsoleOptions,
): Promise<ServedConsole> {
  const { settings } = environment;
  requireTls(host, settings);
  const files = await tlsFiles(settings);
  const secret = settings.oidc && (await clientSecretOf(settings.oidc, app.env));
  const services = new ServiceRegistry();
  let respond: Respond | undefined;
  const server = serverOf(files, (request, env) => respond!(request, env));
  await listenOn(server, host, options.port);
  const { port } = server.address() as AddressInfo;
  const publicAddress = publicAddressOf({ host, port }, settings, files);
  const secure = publicAddress.scheme === 'https';
  const local = !isServer(host, settings);
  const cookie = local ? `license-sync-${port}` : '__Host-license-sync';
  const signIn = new SignIn(environment, { cookie, secure, local });
  const oidc = settings.oidc && new OidcSignIn(settings.oidc, secret, log);
  const assets = new Assets();
  respond = consoleApp({
    app,
    environment,
    services,
    routes: ROUTES,
    assets,
    signIn,
    oidc,
    publicAddress,
    log,
  });
  const address = addressOf(host, port, settings, publicAddress.scheme);
  const hasNoUsers = !local && (await (await environment.ledger()).people.list()).length === 0;
  return {
    url: local ? `${address}/?token=${signIn.linkToken}` : `${address}/`,
    linkUsed: signIn.linkUsed,
    port,
    notes: hasNoUsers ? [message('console.nobody_yet')] : [],
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await services.close();
      server.closeAllConnections();
      await closed;
      await environment.close();
    },
  };
}

function serverOf(files: TlsFiles | undefined, respond: Respond): Server {
  const listener = getRequestListener(respond as (request: Request, env: unknown) => Promise<Response>, {
    overrideGlobalObjects: false,
    errorHandler: () => secured(new Response(undefined, { status: 400 }), files ? 'https' : 'http'),
  });
  const server = files
    ? createSecureServer({ ...TIMEOUTS, ...files }, listener)
    : createServer(TIMEOUTS, listener);
  server.maxConnections = MAX_CONNECTIONS;
  // Input that is not HTTP, or a request that takes too long.
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
    if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\n${REFUSED_HEAD}\r\n\r\n`);
    else socket.destroy();
  });
  return server;
}

async function listenOn(server: Server, host: string, port: number): Promise<void> {
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

interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** Whether other machines can reach the console. If so, the printed address signs no user in. */
function isServer(host: string, { trustedProxy, url }: ConsoleSettings): boolean {
  const isPublic = url !== undefined && !isLoopback(new URL(url).hostname);
  return !isLoopback(host) || trustedProxy !== undefined || isPublic;
}

/** @throws ProductError usage if other machines would reach the console without TLS */
function requireTls(host: string, { tls, trustedProxy }: ConsoleSettings): void {
  if (isLoopback(host) || tls || trustedProxy !== undefined) return;
  throw new ProductError('usage', message('console.needs_tls', { host }));
}

/** @throws ProductError usage if a file cannot be read or is not a certificate or key */
async function tlsFiles({ tls }: ConsoleSettings): Promise<TlsFiles | undefined> {
  if (!tls) return undefined;
  try {
    const [cert, key] = await Promise.all([readFile(tls.cert, 'utf8'), readFile(tls.key, 'utf8')]);
    createSecureContext({ cert, key });
    return { cert, key };
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new ProductError('usage', message('console.bad_certificate', { ...tls, reason }));
  }
}

/** The accepted `Host` values. Addresses of this machine are safe to accept: DNS rebinding needs a name. */
function publicAddressOf(
  { host, port }: { readonly host: string; readonly port: number },
  settings: ConsoleSettings,
  files: TlsFiles | undefined,
): PublicAddress {
  const { url, trustedProxy } = settings;
  const names = ['localhost', '127.0.0.1', '[::1]', bracketed(host).toLowerCase()];
  if (!isLoopback(host)) {
    names.push(hostname().toLowerCase());
    for (const list of Object.values(networkInterfaces()))
      names.push(...(list ?? []).map(({ address }) => bracketed(address)));
  }
  if (files) names.push(...namesOf(files.cert));
  const scheme = files || trustedProxy !== undefined ? 'https' : 'http';
  const defaultPort = scheme === 'https' ? 443 : 80;
  const hosts = names.flatMap((name) => [`${name}:${port}`, ...(port === defaultPort ? [name] : [])]);
  if (url !== undefined) hosts.push(new URL(url).host);
  return {
    scheme,
    hosts: new Set(hosts),
    ...(trustedProxy === undefined ? {} : { isProxy: matcherOf(trustedProxy) }),
  };
}

function addressOf(host: string, port: number, { url }: ConsoleSettings, scheme: string): string {
  if (url !== undefined) return url;
  const isWildcard = host === '0.0.0.0' || host === '::';
  return `${scheme}://${isWildcard ? hostname() : bracketed(host)}:${port}`;
}

function matcherOf(networks: true | readonly string[]): (address: string) => boolean {
  if (networks === true) return () => true;
  const list = networkOf(networks)!;
  return (address) => list.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}

/** The names that a certificate is valid for. */
function namesOf(cert: string): readonly string[] {
  const { subjectAltName = '' } = new X509Certificate(cert);
  return [...subjectAltName.matchAll(/(?:DNS|IP Address):([^,\s]+)/g)]
    .map(([, name = '']) => bracketed(name.toLowerCase()))
    .filter((name) => !name.includes('*'));
}

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
