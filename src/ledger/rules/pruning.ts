import type { Run } from '../contract/run.js';
import { isFinished } from './run-states.js';

/** An input that was just kept may belong to a run that isn't in the ledger yet. */
const INPUT_SETTLED_MS = 3_600_000;

/**
 * Kept inputs that only pruned runs, and imports that are gone, were made from: they hold the same personal data as the rows that are gone. One that
 * no run knows of is left alone: it may be of a run that is just beginning.
 * @param runs each with the digests of what it is read from
 * @param now milliseconds since 1970
 * @param imports files of imports that are gone, and those that imports are made of
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
      return pruned.has(sha256) && !needed.has(sha256) && now - keptAt >= INPUT_SETTLED_MS;
    })
    .map(({ sha256 }) => sha256);
}

type Prunable = Pick<Run, 'id' | 'kind' | 'state' | 'parent' | 'step' | 'endedAt' | 'prunedAt'>;

/**
 * Runs whose rows and personal data may be deleted, in the order given: they ended before a time, and no run that can
 * still be resumed shares a retry chain with them, as it needs their rows to see what was sent meanwhile.
 *
 * Step runs go with the run that they belong to, and come after it.
 *
 * The caller also keeps those with unknown rows: pruned, they could never be settled.
 *
 * @param only of these runs
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

/** Ids of the runs that can be gone on with, and of all in their retry chains. */
function neededRuns(runs: readonly Prunable[]): ReadonlySet<string> {
  const bound = new Map<string, string[]>();
  const bind = (one: string, other: string): unknown => bound.set(one, [...(bound.get(one) ?? []), other]);
  const ids = new Set(runs.map((it) => it.id));
  for (const { id, parent } of runs) {
    // The parent may be a comparison that proposed the run: it binds nothing.
    if (parent === undefined || !ids.has(parent)) continue;
    bind(id, parent);
    bind(parent, id);
  }
  const waiting = runs.filter((it) => it.prunedAt === undefined && !isFinished(it)).map((it) => it.id);
  const needed = new Set(waiting);
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const other of bound.get(id) ?? []) {
      if (needed.has(other)) continue;
      needed.add(other);
      waiting.push(other);
    }
  }
  return needed;
}
