/** Several values under one key. Most keys have one value, which then needs no list of its own. */
export class MultiMap<Value extends object> {
  readonly #map = new Map<string, Value | Value[]>();

  add(key: string, value: Value): void {
    const there = this.#map.get(key);
    if (there === undefined) this.#map.set(key, value);
    else if (Array.isArray(there)) there.push(value);
    else this.#map.set(key, [there, value]);
  }

  /** In the order in which they were added; [] when there are none. */
  get(key: string): readonly Value[] {
    const there = this.#map.get(key);
    if (there === undefined) return [];
    return Array.isArray(there) ? there : [there];
  }

  remove(key: string, value: Value): void {
    const there = this.#map.get(key);
    if (there === value) this.#map.delete(key);
    else if (Array.isArray(there) && there.includes(value)) there.splice(there.indexOf(value), 1);
  }
}
