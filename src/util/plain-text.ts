/**
 * Foreign text made fit to be shown in one cell or line: control and direction-changing characters become spaces,
 * runs of white space one, and what is longer than `limit` characters is cut with an ellipsis.
 */
export function plainText(text: string, limit: number): string {
  const clean = text
    // A little more than is kept, so that a huge text isn't scanned whole.
    .slice(0, limit * 2)
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  if (clean.length <= limit) return clean;
  return `${clean.slice(0, limit - 1).replace(/[\ud800-\udbff]$/u, '')}…`;
}
