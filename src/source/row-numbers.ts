/** Ranges that a message shows at most: a sheet may have a million rows of a kind. */
const NAMED = 20;

/** Row numbers for a message, as short ranges however many there are: `3, 5-7, 12`. */
export class RowNumbers {
  readonly #ranges: [first: number, last: number][] = [];
  #count = 0;
  #last = 0;

  /** Rows come by ascending number. */
  add(row: number): void {
    this.#count += 1;
    const range = this.#ranges.at(-1);
    if (range && row === this.#last + 1 && range[1] === this.#last) range[1] = row;
    else if (this.#ranges.length <= NAMED) this.#ranges.push([row, row]);
    this.#last = row;
  }

  get count(): number {
    return this.#count;
  }

  toString(): string {
    const shown = this.#ranges
      .slice(0, NAMED)
      .map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
    return [...shown, ...(this.#ranges.length > NAMED ? ['…'] : [])].join(', ');
  }
}
