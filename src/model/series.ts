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

/** `LO-00000001`, of another series `LO-12-00000001`. */
export function numbered(prefix: string, series: Series, number: number, digits: number): string {
  const own = series === THE_FIRST ? '' : `${series}-`;
  return `${prefix}-${own}${String(number).padStart(digits, '0')}`;
}
