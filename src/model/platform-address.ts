import { isLoopback } from '../util/loopback.js';

/** The host of a URL in one form, without its port. All names of this machine are one. */
export function hostNameOf({ hostname }: Pick<URL, 'hostname'>): string {
  const name = hostname.replace(/\.+$/, '');
  return isLoopback(name) || isThisMachine(name) ? 'localhost' : name;
}

/**
 * A platform's address in one form: scheme, host, port and path (contract section 4, "Keys and duplicates"). `URL` has
 * already written the host in lowercase and Punycode, and dropped a default port.
 */
export function platformAddress(baseUrl: string): string {
  const url = new URL(baseUrl);
  const path = url.pathname
    .replace(/%[\da-f]{2}/gi, (it) => {
      const character = String.fromCharCode(Number.parseInt(it.slice(1), 16));
      return /[\w~.-]/.test(character) ? character : it.toUpperCase();
    })
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '');
  return `${url.protocol}//${hostNameOf(url)}${url.port === '' ? '' : `:${url.port}`}${path}`;
}

/** Addresses that reach this machine, but may not carry a token without TLS as loopback names may. */
function isThisMachine(name: string): boolean {
  return name === '0.0.0.0' || name === '[::]' || /^\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]$/.test(name);
}
