/**
 * Makes foreign text safe for one cell or line: control characters and direction marks become spaces, white space is
 * collapsed, and text beyond `limit` characters is cut with an ellipsis.
 */
export function plainText(text: string, limit: number): string {
  const clean = text
    // Only the beginning of a huge text is cleaned.
    .slice(0, limit * 2)
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  if (clean.length <= limit) return clean;
  return `${clean.slice(0, limit - 1).replace(/[\ud800-\udbff]$/u, '')}…`;
}
