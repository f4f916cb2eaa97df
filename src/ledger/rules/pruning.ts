import type { Run } from '../contract/runs.js';
import { isFinished } from './run-states.js';

/** An input that was just kept may belong to a run that isn't in the ledger yet. */
const INPUT_KEPT_MS = 3_600_000;

/**
 * Kept inputs that only pruned runs and removed imports were created from. They contain the same personal data as the removed
 * rows. An input without any run stays: its run may be just starting.
 * @param runs each with the digests of its inputs
 * @param now milliseconds since 1970
 * @param imports `left`: files of removed imports; `needed`: files of existing imports
 */
export function prunableInputs(
  runs: Iterable<Pick<Run, 'prunedAt'> & { readonly inputs: readonly string[] }>,
  kept: Iterable<{ readonly sha256: string; readonly keptAt: number }>,
  now: number,
  imports: { readonly left: readonly string[]; readonly needed: readonly string[] } = {
    left: [],
    needed: [],
  },
): readonly string[] {
  const needed = new Set<string>(imports.needed);
  const pruned = new Set<string>(imports.left);
  for (const { inputs, prunedAt } of runs)
    for (const sha256 of inputs) (prunedAt === undefined ? needed : pruned).add(sha256);
  return [...kept]
    .filter(({ sha256, keptAt }) => {
      return pruned.has(sha256) && !needed.has(sha256) && now - keptAt >= INPUT_KEPT_MS;
    })
    .map(({ sha256 }) => sha256);
}

type Prunable = Pick<Run, 'id' | 'kind' | 'state' | 'parent' | 'step' | 'endedAt' | 'prunedAt'>;

/**
 * Runs whose rows and personal data may be deleted, in the given order. They ended before a time, and no run that can still be
 * resumed is in their retry chain: it needs their rows to determine what was sent.
 *
 * Step runs are pruned with their whole run, and come after it.
 *
 * The caller must also exclude runs with unknown rows, which could never be resolved after pruning.
 *
 * @param only choose from these runs
 */
export function prunableRuns<T extends Prunable>(
  runs: readonly T[],
  endedBefore: number,
  only?: readonly string[],
): readonly T[] {
  const listed = runs.filter((it) => it.step === undefined);
  const needed = neededRuns(listed.filter((it) => it.kind === 'run'));
  const isOver = ({ id, endedAt }: Prunable): boolean =>
    endedAt !== undefined && endedAt < endedBefore && !needed.has(id);
  const over = new Set(
    listed.filter((it) => isOver(it) && (only?.includes(it.id) ?? true)).map((it) => it.id),
  );
  return runs.filter(
    ({ id, step, parent, prunedAt }) =>
      prunedAt === undefined && over.has(step === undefined ? id : (parent ?? id)),
  );
}

/** Ids of the runs that can be resumed, and of all runs in their retry chains. */
function neededRuns(runs: readonly Prunable[]): ReadonlySet<string> {
  const linked = new Map<string, string[]>();
  const link = (from: string, to: string): unknown => linked.set(from, [...(linked.get(from) ?? []), to]);
  const ids = new Set(runs.map((it) => it.id));
  for (const { id, parent } of runs) {
    // A parent that is a comparison is not part of the retry chain.
    if (parent === undefined || !ids.has(parent)) continue;
    link(id, parent);
    link(parent, id);
  }
  const waiting = runs.filter((it) => it.prunedAt === undefined && !isFinished(it)).map((it) => it.id);
  const needed = new Set(waiting);
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const next of linked.get(id) ?? []) {
      if (needed.has(next)) continue;
      needed.add(next);
      waiting.push(next);
    }
  }
  return needed;
}
