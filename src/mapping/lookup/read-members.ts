import type { LookupOperationName } from '../../model/map.js';

/** The members of records that a map's look-ups read, by operation: all that has to be kept of an answer in memory. */
export class ReadMembers {
  readonly #paths = new Map<LookupOperationName, Set<string>>();

  read(operation: LookupOperationName, paths: Iterable<string>): void {
    const known = this.#paths.get(operation) ?? new Set();
    for (const path of paths) known.add(path);
    this.#paths.set(operation, known);
  }

  /** Paths with dots; none for an operation that no look-up asks. */
  of(operation: LookupOperationName): ReadonlySet<string> {
    return this.#paths.get(operation) ?? new Set();
  }

  /** False for a map without look-ups. */
  get any(): boolean {
    return this.#paths.size > 0;
  }
}
