/** The elements by key, in order of appearance; those without a key are left out. */
export function groupedBy<Element, Key>(
  all: Iterable<Element>,
  keyOf: (it: Element) => Key | undefined,
): ReadonlyMap<Key, readonly Element[]> {
  const groups = new Map<Key, Element[]>();
  for (const it of all) {
    const key = keyOf(it);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(it);
    else groups.set(key, [it]);
  }
  return groups;
}
