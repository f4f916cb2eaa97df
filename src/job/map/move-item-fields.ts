import type { Field } from '../../model/field.js';
import type { ItemPlace } from '../../model/operation.js';
import { type Problem, problemAt } from '../problem.js';
import type { MapEntry, MappingNode } from '../yaml/node.js';

/**
 * Lets the fields of an array operation's items stand at the map's top level (`assets` for `orderList.assets`, with
 * the items' `each`): moves them to where the request has them. Both ways in one map are a problem.
 */
export function moveItemFields(
  map: MappingNode,
  owner: MapEntry,
  shape: readonly Field[],
  place: ItemPlace,
  problems: Problem[],
): MappingNode {
  if (place.kind !== 'array') return map;
  const items = shape.find((field) => field.name === place.field);
  const top = new Set(shape.map((field) => field.name));
  const inner = new Set((items?.fields ?? []).map((field) => field.name));
  const kept = new Map<string, MapEntry>();
  const moved = new Map<string, MapEntry>();
  for (const entry of map.entries.values()) {
    const moves = !top.has(entry.key) && (inner.has(entry.key) || entry.key === 'each');
    (moves ? moved : kept).set(entry.key, entry);
  }
  const [first] = moved.values();
  if (!first) return map;
  const explicit = kept.get(place.field);
  if (explicit) {
    const key = first.key;
    problems.push(problemAt(first.keyPlace, 'job.map_mixed', { key, items: place.field }));
    return { ...map, entries: kept };
  }
  const value: MappingNode = { kind: 'mapping', place: map.place, entries: moved };
  kept.set(place.field, { key: place.field, keyPlace: owner.keyPlace, value });
  return { ...map, entries: kept };
}
