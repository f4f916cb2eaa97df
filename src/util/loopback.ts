/**
 * True if a URL's host is this machine; an IPv6 address may have brackets. Only there may a token be sent without TLS.
 * `URL` has already normalised addresses (`127.1` is `127.0.0.1`). Names under `localhost` mean this machine (RFC 6761).
 */
export function isLoopback(host: string): boolean {
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '[::1]' ||
    host === '::1' ||
    /^127(?:\.\d{1,3}){3}$/.test(host)
  );
}
