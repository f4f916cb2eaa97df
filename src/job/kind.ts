import { type Problem, problemAt } from './problem.js';
import { type JobKind, OWN_KEYS } from './schema/job.js';
import type { MapEntry, MappingNode } from './yaml/node.js';

/** What a job file is, by the key that says so. */
export function kindOf(root: MappingNode): JobKind | 'both' | 'neither' {
  const operation = root.entries.has('operation');
  const reconcile = root.entries.has('reconcile');
  if (operation) return reconcile ? 'both' : 'operation';
  return reconcile ? 'reconcile' : 'neither';
}

const OTHER = { operation: 'reconcile', reconcile: 'operation' } as const;

/** Tells the keys that belong to the other kind of job, and leaves them out so that they are not told as unknown too. */
export function withoutKeysOf(root: MappingNode, kind: JobKind, problems: Problem[]): MappingNode {
  const kept = new Map<string, MapEntry>();
  const other = OTHER[kind];
  for (const entry of root.entries.values()) {
    const { key, keyPlace: place } = entry;
    if (!OWN_KEYS[other].includes(key)) kept.set(key, entry);
    else if (kind === 'reconcile') problems.push(problemAt(place, 'job.map_in_reconcile', { key }));
    else problems.push(problemAt(place, 'job.key_of_other_kind', { key, other, kind }));
  }
  return { ...root, entries: kept };
}

/** Both kinds or none; not where a misspelt key was probably meant to say. */
export function kindProblems(root: MappingNode, told: readonly Problem[]): readonly Problem[] {
  const reconcile = root.entries.get('reconcile');
  if (reconcile) return [problemAt(reconcile.keyPlace, 'job.two_kinds', {})];
  const near = told.some(({ unknownKey }) => Object.hasOwn(OTHER, unknownKey?.meant ?? ''));
  return near ? [] : [problemAt(root.place, 'job.no_kind', {})];
}
