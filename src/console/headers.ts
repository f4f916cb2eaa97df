const SECURITY: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
};

/** Puts on every answer what keeps other pages out, and keeps what is told out of caches. */
export function secured(answer: Response, scheme: 'http' | 'https'): Response {
  const headers = new Headers(answer.headers);
  for (const [name, value] of Object.entries(SECURITY)) headers.set(name, value);
  if (scheme === 'https') headers.set('strict-transport-security', 'max-age=31536000');
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  const { status, statusText } = answer;
  return new Response(answer.body, { status, statusText, headers });
}
