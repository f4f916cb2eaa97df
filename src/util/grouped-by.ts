/** The elements by key, in order of appearance; elements without a key are dropped. */
export function groupedBy<Element, Key>(
  all: Iterable<Element>,
  keyOf: (it: Element) => Key | undefined,
): ReadonlyMap<Key, readonly Element[]> {
  const groups = new Map<Key, Element[]>();
  for (const element of all) {
    const key = keyOf(element);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(element);
    else groups.set(key, [element]);
  }
  return groups;
}
