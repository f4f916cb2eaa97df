import { type Problem, problemAt } from './problem.js';
import { type JobKind, OWN_KEYS } from './schema/job.js';
import type { MapEntry, MappingNode } from './yaml/node.js';

const KINDS: readonly JobKind[] = ['operation', 'reconcile', 'steps'];

/** What a job file is, by the key that says so; several if it has the keys of several kinds. */
export function kindOf(root: MappingNode): JobKind | 'several' | 'none' {
  const [kind, second] = KINDS.filter((key) => root.entries.has(key));
  return second ? 'several' : (kind ?? 'none');
}

/** Tells the keys that belong to another kind of job, and leaves them out so that they are not told as unknown too. */
export function withoutKeysOf(root: MappingNode, kind: JobKind, problems: Problem[]): MappingNode {
  const kept = new Map<string, MapEntry>();
  for (const entry of root.entries.values()) {
    const { key, keyPlace: place } = entry;
    const other = KINDS.find((it) => it !== kind && OWN_KEYS[it].includes(key));
    if (!other) kept.set(key, entry);
    else if (kind === 'reconcile') problems.push(problemAt(place, 'job.map_in_reconcile', { key }));
    else if (kind === 'steps' && other === 'operation')
      problems.push(problemAt(place, 'job.key_beside_steps', { key }));
    else problems.push(problemAt(place, 'job.key_of_other_kind', { key, other, kind }));
  }
  return { ...root, entries: kept };
}

/** Several kinds or none; not where a misspelt key was probably meant to say. */
export function kindProblems(root: MappingNode, told: readonly Problem[]): readonly Problem[] {
  const [first, second] = [...root.entries.values()].filter(({ key }) => KINDS.some((kind) => kind === key));
  if (first && second) {
    return [problemAt(second.keyPlace, 'job.two_kinds', { first: first.key, second: second.key })];
  }
  const near = told.some(({ unknownKey }) => KINDS.some((kind) => kind === unknownKey?.meant));
  return near ? [] : [problemAt(root.place, 'job.no_kind', {})];
}
