import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { httpRefusal, type Reply } from './reply.js';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const EVERYWHERE = ['0.0.0.0', '::', '[::]'];

/** Who may come in, fixed when the sandbox starts. */
export interface Gate {
  /** Host headers that are served; undefined: any. */
  readonly hosts: ReadonlySet<string> | undefined;
  readonly token: string | undefined;
  readonly scopes: readonly string[];
}

/** The Host headers by which a server at that address is rightly called; any, when it serves every address. */
export function servedHosts(host: string, port: number): ReadonlySet<string> | undefined {
  if (EVERYWHERE.includes(host)) return undefined;
  const names = [...LOOPBACK, host.toLowerCase(), `[${host.toLowerCase()}]`];
  return new Set(names.flatMap((it) => (port === 80 ? [it, `${it}:80`] : [`${it}:${port}`])));
}

/** A web page must not reach the sandbox through a browser, by its own name or by another that leads here. */
export function foreign(request: IncomingMessage, gate: Gate): Reply | undefined {
  if (request.headers.origin !== undefined) return httpRefusal(403, 'requests of web pages are not served');
  if (!gate.hosts || gate.hosts.has((request.headers.host ?? '').toLowerCase())) return undefined;
  return httpRefusal(421, 'this host name is not served here');
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** §5.1: 401 without an acceptable application token. */
export function unauthorized(request: IncomingMessage, gate: Gate): Reply | undefined {
  const header = request.headers.authorization;
  if (!header) return refuse('header Authorization is missing');
  const token = /^Bearer (\S+)$/.exec(header)?.[1];
  if (!token) return refuse('header Authorization must be Bearer, a space, and the application token');
  if (gate.token !== undefined && !timingSafeEqual(digest(token), digest(gate.token))) {
    return refuse('the application token is not valid');
  }
  return undefined;
}

function refuse(detail: string): Reply {
  return httpRefusal(401, detail, { 'www-authenticate': 'Bearer' });
}

/** §5.2: 403 when the application doesn't hold the scope. */
export function outOfScope(service: 'order' | 'activity', gate: Gate): Reply | undefined {
  const scope = `auth_${service}`;
  return gate.scopes.includes(scope)
    ? undefined
    : httpRefusal(403, `the application lacks the scope ${scope}`);
}

/** §4.1.3: the header is listed on the GET endpoints too. */
export function isJson(request: IncomingMessage): boolean {
  const type = (request.headers['content-type'] ?? '').split(';')[0]!;
  return type.trim().toLowerCase() === 'application/json';
}
