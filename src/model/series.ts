/**
 * What sets the numbers of one sandbox apart from those of others that carry the same run: each process may have one of its
 * own, that knows nothing of the others, and a result must not show one number twice. 0 for the first.
 */
export type Series = number;

export const THE_FIRST: Series = 0;

/** Of a sandbox that goes on with a run. @param taken how many of its items were taken up before; 0 is the first */
export function seriesOfRun(taken: number): Series {
  return 2 * taken;
}

/** Of a worker's sandbox, which others may have beside it: no other ever holds what it holds, under that token. */
export function seriesOfLease({ chunk, token }: { readonly chunk: number; readonly token: number }): Series {
  return 2 * (chunk * 1000 + token) + 1;
}

/**
 * The first asset number of a series: 10 digits that begin with 8, of a worker's sandbox with 6 (§4.8). Each series has
 * thousands of numbers before those of the next one.
 */
export function firstNumberOf(series: Series): number {
  if (series % 2 === 0) return 8_600_000_001 + (series % 390_000) * 1000;
  const lease = (series - 1) / 2;
  return 6_000_000_001 + (Math.floor(lease / 1000) % 1000) * 1_000_000 + (lease % 100) * 10_000;
}

/** `LO-00000001`, of another series `LO-12-00000001`. */
export function numbered(prefix: string, series: Series, number: number, digits: number): string {
  const own = series === THE_FIRST ? '' : `${series}-`;
  return `${prefix}-${own}${String(number).padStart(digits, '0')}`;
}
