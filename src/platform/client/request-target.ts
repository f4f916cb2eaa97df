import { randomFillSync } from 'node:crypto';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { WireRequest } from '../../model/operation.js';
import { isLoopback } from '../../util/loopback.js';

/** The address of all requests of a client; no request or reply can change it. */
export interface PinnedBase {
  readonly origin: string;
  readonly secure: boolean;
  /** Path prefix without a trailing slash; empty if there is none. */
  readonly prefix: string;
}

/**
 * Parses a connection's address. Throws `ProductError` (usage) if it is not an http(s) address, if it has credentials,
 * query or fragment, and for plain http to another machine unless that is allowed.
 */
export function pinBase(baseUrl: string, connection: string, allowInsecureHttp: boolean): PinnedBase {
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw new ProductError('usage', message('platform.base_url', { connection }));
  }
  const plain = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!plain || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new ProductError('usage', message('platform.base_url', { connection }));
  }
  const secure = url.protocol === 'https:';
  if (!secure && !allowInsecureHttp && !isLoopback(url.hostname)) {
    throw new ProductError('usage', message('platform.insecure_http', { connection, host: url.host }));
  }
  return { origin: url.origin, secure, prefix: url.pathname.replace(/\/+$/u, '') };
}

/** Throws `ProductError` (usage) if the environment makes Node accept any certificate. */
export function refuseUnverifiedTls(env: NodeJS.ProcessEnv): void {
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    throw new ProductError('usage', message('platform.tls_unverified'));
  }
}

/** Printable ASCII without `#`, `?` and the backslash. */
const PLAIN_PATH = /^\/[!"$->@-[\]-~]*$/u;
const DOT_SEGMENT = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/iu;

/**
 * Path and query of a request, `g_nonce` first. undefined for a path that a server or proxy might read as another
 * endpoint's: dot segments (an identifier `..`), its own query, characters that must be encoded; or half a surrogate
 * pair, which has no encoding.
 */
export function requestTarget(prefix: string, request: WireRequest, nonce: string): string | undefined {
  const { path } = request;
  if (!PLAIN_PATH.test(path) || DOT_SEGMENT.test(path)) return undefined;
  let target = `${prefix}${path}?g_nonce=${encodeURIComponent(nonce)}`;
  try {
    for (const name in request.query) {
      target += `&${encodeURIComponent(name)}=${encodeURIComponent(request.query[name]!)}`;
    }
  } catch {
    return undefined;
  }
  return target;
}

const BYTES = 16;
/** Random bytes are requested in bulk, as each call is slow. Each byte is used once. */
const RESERVE = Buffer.allocUnsafeSlow(256 * BYTES);
let used = RESERVE.length;

/** A new `g_nonce`: 128 bits from a cryptographic source, 32 hexadecimal digits (§4.1.4). One for each attempt. */
export function newNonce(): string {
  if (used === RESERVE.length) {
    randomFillSync(RESERVE);
    used = 0;
  }
  used += BYTES;
  return RESERVE.toString('hex', used - BYTES, used);
}
