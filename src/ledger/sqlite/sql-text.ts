/** A rule's list of words as SQL has it: `'succeeded', 'accepted'`. The rules hold no quotes. */
export function sqlList(words: Iterable<string>): string {
  return [...words].map((it) => `'${it}'`).join(', ');
}

/** A row without its NULLs: what a contract leaves out is absent, not null. */
export function withoutNulls<T>(row: Readonly<Record<string, unknown>>): T {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as T;
}
