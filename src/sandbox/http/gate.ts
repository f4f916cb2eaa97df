import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { httpRefusal, type Reply } from './reply.js';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const EVERYWHERE = ['0.0.0.0', '::', '[::]'];

/** Access rules, fixed when the sandbox starts. */
export interface Gate {
  /** Accepted Host headers; undefined: any. */
  readonly hosts: ReadonlySet<string> | undefined;
  readonly token: string | undefined;
  readonly scopes: readonly string[];
}

/** The valid Host headers of a server at that address; any if it serves every address. */
export function servedHosts(host: string, port: number): ReadonlySet<string> | undefined {
  if (EVERYWHERE.includes(host)) return undefined;
  const names = [...LOOPBACK, host.toLowerCase(), `[${host.toLowerCase()}]`];
  return new Set(names.flatMap((it) => (port === 80 ? [it, `${it}:80`] : [`${it}:${port}`])));
}

/** A web page must not reach the sandbox through a browser, by its own name or by another that resolves to it. */
export function foreignHostRefusal(request: IncomingMessage, gate: Gate): Reply | undefined {
  if (request.headers.origin !== undefined) return httpRefusal(403, 'requests of web pages are not served');
  if (!gate.hosts || gate.hosts.has((request.headers.host ?? '').toLowerCase())) return undefined;
  return httpRefusal(421, 'this host name is not served here');
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** §5.1: 401 without a valid application token. */
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

/** §5.2: 403 if the application does not have the scope. */
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

/**
 * Used nonces, in bounded memory: the oldest are removed above a number and an age.
 * (The platform's own window: not shown, §5.5.)
 */
export class Nonces {
  readonly #seen = new Map<string, number>();
  readonly #limit: number;
  readonly #ageMs: number;

  constructor(limit = 1_000_000, ageMs = 24 * 3_600_000) {
    this.#limit = limit;
    this.#ageMs = ageMs;
  }

  /** Records the nonce; false if it was used before. `at`: milliseconds since 1970. */
  take(nonce: string, at: number): boolean {
    this.#forget(at);
    if (this.#seen.has(nonce)) return false;
    this.#seen.set(nonce, at);
    return true;
  }

  #forget(at: number): void {
    // A Map keeps insertion order, so the oldest come first.
    for (const [nonce, seenAt] of this.#seen) {
      if (this.#seen.size < this.#limit && at - seenAt < this.#ageMs) return;
      this.#seen.delete(nonce);
    }
  }
}
