import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { isLoopback } from '../../util/loopback.js';

/** Where all requests of a client go; nothing in a request or reply can change it. */
export interface PinnedBase {
  readonly origin: string;
  readonly secure: boolean;
  /** Path prefix without a trailing slash; empty when there is none. */
  readonly prefix: string;
}

/**
 * Takes a connection's address apart. Throws `ProductError` (usage) for what is no http(s) address, for one with
 * credentials, query or fragment, and for plain http beyond this machine unless that is allowed.
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

/** Throws `ProductError` (usage) when the environment asks Node to accept any certificate. */
export function refuseUnverifiedTls(env: NodeJS.ProcessEnv): void {
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    throw new ProductError('usage', message('platform.tls_unverified'));
  }
}
