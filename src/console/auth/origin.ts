import type { IncomingMessage } from 'node:http';
import { message } from '../../errors/message.js';
import { WebRefusal } from '../problem.js';

/** How a request came here. */
export interface Way {
  /** Address of the one who asks: of the proxy's client, where one in front is trusted. */
  readonly client: string;
  /** `https://licences.example.com`: what a page of this console that sent it would name as its origin. */
  readonly origin: string;
}

export interface Reached {
  readonly scheme: 'http' | 'https';
  /** What `Host` may say, with its port. A page of another name that leads here (DNS rebinding) says another one. */
  readonly hosts: ReadonlySet<string>;
  /** Set where a proxy is trusted: whether that address is one. */
  readonly isProxy?: (address: string) => boolean;
}

/**
 * @throws WebRefusal for a `Host` that isn't this console's, and for what came past the proxy or in the clear
 */
export function wayOf(request: Request, socket: IncomingMessage['socket'], reached: Reached): Way {
  const peer = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const { headers } = request;
  const host = (said(headers, reached, 'x-forwarded-host') ?? headers.get('host') ?? '').toLowerCase();
  if (reached.isProxy && !reached.isProxy(peer))
    throw new WebRefusal(403, message('console.past_proxy', { peer }));
  const scheme = said(headers, reached, 'x-forwarded-proto') ?? reached.scheme;
  if (scheme !== reached.scheme) throw new WebRefusal(403, message('console.in_the_clear'));
  if (!reached.hosts.has(host)) throw new WebRefusal(421, message('console.foreign_host', { host }));
  // The last one is what the proxy itself has seen; those before it are what the client says.
  const client = said(headers, reached, 'x-forwarded-for') ?? peer;
  return { client, origin: `${scheme}://${host}` };
}

/** What a proxy adds; from others it means nothing. */
function said(headers: Headers, reached: Reached, name: string): string | undefined {
  if (!reached.isProxy) return undefined;
  return headers.get(name)?.split(',').at(-1)?.trim() || undefined;
}

/**
 * Whether a page of this console sent it. Browsers always name the origin of a write; what names none isn't one.
 * @throws WebRefusal for a write that another page may have caused
 */
export function checkOrigin(request: Request, way: Way): void {
  const origin = request.headers.get('origin');
  if (origin === way.origin && isSameOrigin(request)) return;
  throw new WebRefusal(403, message('console.foreign_origin', { origin: origin ?? '-' }));
}

/** Browsers say of each request whether another origin caused it; a cookie goes along from other ports of a host, too. */
export function checkSite(request: Request): void {
  if (isSameOrigin(request)) return;
  const origin = request.headers.get('origin') ?? request.headers.get('sec-fetch-site') ?? '-';
  throw new WebRefusal(403, message('console.foreign_origin', { origin }));
}

function isSameOrigin(request: Request): boolean {
  return ['same-origin', 'none'].includes(request.headers.get('sec-fetch-site') ?? 'none');
}
