import { LEAF_KEYS } from '../map/leaf.js';
import type { MapEntry, MappingNode, Node } from '../yaml/node.js';

/** Keys whose value is taken whole: the texts of a column, and what makes an array. */
const WHOLE: ReadonlySet<string> = new Set(['values', 'each']);

/**
 * One part of a map laid over another: its own keys win, branches are merged key by key, and a leaf that says where its
 * value comes from replaces the other one with all its options.
 */
export function mergeUnder(own: Node, below: Node): Node {
  if (own.kind !== 'mapping' || below.kind !== 'mapping') return own;
  if (LEAF_KEYS.some((key) => own.entries.has(key))) return own;
  return overlaid(own, below, (mine, theirs, key) => (WHOLE.has(key) ? mine : mergeUnder(mine, theirs)));
}

/** A mapping laid over another; `both` decides where both have a key. */
export function overlaid(
  own: MappingNode,
  below: MappingNode,
  both: (mine: Node, theirs: Node, key: string) => Node,
): MappingNode {
  const entries = new Map<string, MapEntry>();
  for (const [key, entry] of own.entries) {
    const theirs = below.entries.get(key);
    entries.set(key, theirs ? { ...entry, value: both(entry.value, theirs.value, key) } : entry);
  }
  for (const [key, entry] of below.entries) if (!entries.has(key)) entries.set(key, entry);
  return { ...own, entries };
}
