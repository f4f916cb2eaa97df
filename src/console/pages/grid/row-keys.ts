/**
 * Keys under which rows are drawn. A row keeps its key, and with it its elements, as long as it is drawn. After a jump to
 * rows none of which were seen before, these take the elements of the old ones in their order: to change texts costs a third
 * of making elements. Elements never change places: one that is moved within the document loses the focus.
 */
export class RowKeys {
  #keys = new Map<number, number>();
  #next = 0;

  /**
   * @param rows to be drawn, in order
   * @param apart the one that is drawn only because it has the focus
   */
  of(rows: readonly number[], apart: number | undefined): ReadonlyMap<number, number> {
    const old = this.#keys;
    const jumped = !rows.some((it) => it !== apart && old.has(it));
    const free = jumped ? [...old].filter(([row]) => row !== apart).map(([, key]) => key) : [];
    const keys = new Map<number, number>();
    for (const row of rows) keys.set(row, old.get(row) ?? this.#fresh(free));
    this.#keys = keys;
    return keys;
  }

  #fresh(free: number[]): number {
    const reused = free.shift();
    if (reused !== undefined) return reused;
    this.#next += 1;
    return this.#next;
  }
}
