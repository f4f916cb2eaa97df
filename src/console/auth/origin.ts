import type { IncomingMessage } from 'node:http';
import { message } from '../../errors/message.js';
import { WebRefusal } from '../problem.js';

/** Where a request came from. */
export interface RequestOrigin {
  /** IP address of the client; behind a trusted proxy, the one that the proxy reports. */
  readonly client: string;
  /** `https://licences.example.com`: the `Origin` that pages of this console send. */
  readonly origin: string;
}

export interface PublicAddress {
  readonly scheme: 'http' | 'https';
  /** Accepted `Host` values with port. With DNS rebinding, the `Host` is another one. */
  readonly hosts: ReadonlySet<string>;
  /** Set if a proxy is trusted: whether an address is that proxy. */
  readonly isProxy?: (address: string) => boolean;
}

/** @throws WebRefusal if `Host` is not this console's, or the request bypassed the proxy or TLS */
export function resolveOrigin(
  request: Request,
  socket: IncomingMessage['socket'],
  publicAddress: PublicAddress,
): RequestOrigin {
  const peer = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const { headers } = request;
  const host = (
    fromProxy(headers, publicAddress, 'x-forwarded-host') ??
    headers.get('host') ??
    ''
  ).toLowerCase();
  if (publicAddress.isProxy && !publicAddress.isProxy(peer))
    throw new WebRefusal(403, message('console.past_proxy', { peer }));
  const scheme = fromProxy(headers, publicAddress, 'x-forwarded-proto') ?? publicAddress.scheme;
  if (scheme !== publicAddress.scheme) throw new WebRefusal(403, message('console.in_the_clear'));
  if (!publicAddress.hosts.has(host)) throw new WebRefusal(421, message('console.foreign_host', { host }));
  // The last value was added by the proxy itself; the client can forge those before it.
  const client = fromProxy(headers, publicAddress, 'x-forwarded-for') ?? peer;
  return { client, origin: `${scheme}://${host}` };
}

/** A header that the trusted proxy adds; without a trusted proxy it is ignored. */
function fromProxy(headers: Headers, publicAddress: PublicAddress, name: string): string | undefined {
  if (!publicAddress.isProxy) return undefined;
  return headers.get(name)?.split(',').at(-1)?.trim() || undefined;
}

/**
 * Checks that a page of this console sent a write. Browsers always send `Origin` with a write.
 * @throws WebRefusal if another site may have caused the write
 */
export function checkOrigin(request: Request, expected: RequestOrigin): void {
  const origin = request.headers.get('origin');
  if (origin === expected.origin && isSameOrigin(request)) return;
  throw new WebRefusal(403, message('console.foreign_origin', { origin: origin ?? '-' }));
}

/** Checks `Sec-Fetch-Site`. It is needed because cookies are shared by all ports of a host. */
export function checkSite(request: Request): void {
  if (isSameOrigin(request)) return;
  const origin = request.headers.get('origin') ?? request.headers.get('sec-fetch-site') ?? '-';
  throw new WebRefusal(403, message('console.foreign_origin', { origin }));
}

function isSameOrigin(request: Request): boolean {
  return ['same-origin', 'none'].includes(request.headers.get('sec-fetch-site') ?? 'none');
}
