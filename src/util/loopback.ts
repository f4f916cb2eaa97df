/**
 * Whether a URL's host, an IPv6 address with or without its brackets, is this machine: only there may a token go without TLS. `URL` has already brought every way of
 * writing an address into one form (`127.1` is `127.0.0.1`). Names under `localhost` mean this machine too (RFC 6761).
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
