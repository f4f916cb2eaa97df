import { message } from '../../errors/message.js';
import { WebRefusal } from '../problem.js';

/** Where the console is reached, as browsers name it. */
export interface Reached {
  /** What `Host` may say. A page of another name that leads here (DNS rebinding) is not one of them. */
  readonly hosts: ReadonlySet<string>;
  readonly scheme: 'http' | 'https';
}

/** @throws WebRefusal for a `Host` that isn't this console's */
export function checkHost(request: Request, reached: Reached): void {
  const host = request.headers.get('host') ?? '';
  if (reached.hosts.has(host.toLowerCase())) return;
  throw new WebRefusal(421, message('console.foreign_host', { host }));
}

/** @throws WebRefusal for a write that another page may have caused */
export function checkOrigin(request: Request, reached: Reached): void {
  const origin = request.headers.get('origin');
  const own = `${reached.scheme}://${(request.headers.get('host') ?? '').toLowerCase()}`;
  const site = request.headers.get('sec-fetch-site');
  if (origin === own && (site === null || site === 'same-origin')) return;
  throw new WebRefusal(403, message('console.foreign_origin', { origin: origin ?? '-' }));
}
