import type { Run } from '../contract/run.js';

/** An input that was just kept may belong to a run that isn't in the ledger yet. */
const INPUT_SETTLED_MS = 3_600_000;

/**
 * Kept inputs that only pruned runs were made from: they hold the same personal data as the rows that are gone. One that
 * no run knows of is left alone: it may be of a run that is just beginning.
 * @param now milliseconds since 1970
 */
export function prunableInputs(
  runs: Iterable<Pick<Run, 'inputSha256' | 'prunedAt'>>,
  kept: Iterable<{ readonly sha256: string; readonly keptAt: number }>,
  now: number,
): readonly string[] {
  const needed = new Set<string>();
  const pruned = new Set<string>();
  for (const { inputSha256, prunedAt } of runs) (prunedAt === undefined ? needed : pruned).add(inputSha256);
  return [...kept]
    .filter(({ sha256, keptAt }) => {
      return pruned.has(sha256) && !needed.has(sha256) && now - keptAt >= INPUT_SETTLED_MS;
    })
    .map(({ sha256 }) => sha256);
}
