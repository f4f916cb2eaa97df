/** A page as the server gives it: some rows from a place on, and how many there are in all. */
export interface LoadedRows<R> {
  readonly items: readonly R[];
  readonly total: number;
}

export type RowsLoader<R> = (from: number, count: number, signal: AbortSignal) => Promise<LoadedRows<R>>;

/** The cells cache of the server has pages of 256 rows: half of one is read at once, and is there sooner. */
const PAGE = 128;

/** Pages that are kept; those that were wanted longest ago go first. */
const KEPT = 96;

interface Page<R> {
  readonly items: readonly R[];
  /** Shown until it is loaded again. */
  stale: boolean;
}

/**
 * Rows of a long list, loaded by the page as they come into view. A page that is no longer wanted when it is asked for again
 * is not waited for; rows that aren't there yet are `undefined`, which the grid shows as a placeholder.
 */
export class RowPages<R> {
  total: number | undefined;
  /** Why the last page could not be had; rows that are there stay. */
  failure: unknown;
  readonly #load: RowsLoader<R>;
  readonly #changed: () => void;
  readonly #pages = new Map<number, Page<R>>();
  readonly #loading = new Map<number, AbortController>();
  /** Rows that are in view. */
  #seen = { first: 0, end: 1 };
  #held = false;

  /** @param changed called when rows, their number or a failure have come */
  constructor(load: RowsLoader<R>, changed: () => void) {
    this.#load = load;
    this.#changed = changed;
  }

  /** @param index from 0 */
  row(index: number): R | undefined {
    return this.#pages.get(Math.floor(index / PAGE))?.items[index % PAGE];
  }

  /** A row that is there. */
  find(isIt: (row: R) => boolean): R | undefined {
    for (const { items } of this.#pages.values()) {
      const found = items.find(isIt);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Where such a row stands as the server had it last. */
  indexOf(isIt: (row: R) => boolean): number | undefined {
    for (const [number, { items, stale }] of this.#pages) {
      const place = stale ? -1 : items.findIndex(isIt);
      if (place >= 0) return number * PAGE + place;
    }
    return undefined;
  }

  /** Keeps rows in their places as long as somebody writes into one of them: none may take its place under their hands. */
  hold(held: boolean): void {
    if (this.#held === held) return;
    this.#held = held;
    if (!held) {
      this.want(this.#seen.first, this.#seen.end);
      return;
    }
    for (const [number, controller] of this.#loading) {
      if (!this.#pages.has(number)) continue;
      controller.abort();
      this.#loading.delete(number);
    }
  }

  /** Loads what is missing of these rows, and lets go of what is loading for rows out of sight. */
  want(first: number, end: number): void {
    this.#seen = { first, end };
    const [from, to] = this.#wanted();
    for (const [page, controller] of this.#loading) {
      if (page < from || page > to) {
        controller.abort();
        this.#loading.delete(page);
      }
    }
    for (let page = from; page <= to; page += 1) void this.#need(page);
  }

  /** All rows of a range, loaded where they are missing. */
  async range(first: number, end: number): Promise<R[]> {
    const rows: R[] = [];
    for (let at = first; at < end; at = (Math.floor(at / PAGE) + 1) * PAGE) {
      const page = Math.floor(at / PAGE);
      const items =
        this.#pages.get(page)?.items ??
        (await this.#load(page * PAGE, PAGE, new AbortController().signal)).items;
      rows.push(...items.slice(at - page * PAGE, Math.min(PAGE, end - page * PAGE)));
    }
    return rows;
  }

  /** Puts rows in the places of those that they are the new state of. */
  replace(isSame: (old: R, fresh: R) => boolean, fresh: readonly R[]): void {
    for (const [number, page] of this.#pages) {
      let items: R[] | undefined;
      for (const row of fresh) {
        const place = page.items.findIndex((it) => isSame(it, row));
        if (place < 0) continue;
        items ??= [...page.items];
        items[place] = row;
      }
      if (items) this.#pages.set(number, { items, stale: page.stale });
    }
    this.#changed();
  }

  /** Rows may have changed: those in view are loaded again and stay until the new ones are there. */
  refresh(): void {
    for (const page of this.#pages.values()) page.stale = true;
    for (const controller of this.#loading.values()) controller.abort();
    this.#loading.clear();
    this.want(this.#seen.first, this.#seen.end);
  }

  /** Nothing more is loaded or told. */
  close(): void {
    for (const controller of this.#loading.values()) controller.abort();
    this.#loading.clear();
    this.#pages.clear();
  }

  #wanted(): readonly [first: number, last: number] {
    const { first, end } = this.#seen;
    return [Math.floor(first / PAGE), Math.floor(Math.max(first, end - 1) / PAGE)];
  }

  async #need(page: number): Promise<void> {
    const there = this.#pages.get(page);
    if (there) {
      // The order of a Map is that in which pages were wanted.
      this.#pages.delete(page);
      this.#pages.set(page, there);
    }
    if ((there && (!there.stale || this.#held)) || this.#loading.has(page)) return;
    if (this.total !== undefined && page > 0 && page * PAGE >= this.total) return;
    const controller = new AbortController();
    this.#loading.set(page, controller);
    try {
      const { items, total } = await this.#load(page * PAGE, PAGE, controller.signal);
      if (this.#loading.get(page) !== controller) return;
      this.#loading.delete(page);
      this.#pages.set(page, { items, stale: false });
      const grown = this.total !== undefined && this.total !== total;
      this.total = total;
      this.failure = undefined;
      // Rows have gone, or come: those of other pages stand in other places than they did.
      if (grown) this.#moved(page);
      this.#forgetOld();
    } catch (error) {
      if (this.#loading.get(page) !== controller) return;
      this.#loading.delete(page);
      this.failure = error;
    }
    this.#changed();
  }

  #moved(fresh: number): void {
    for (const [number, page] of this.#pages) {
      if (number * PAGE >= (this.total ?? 0)) this.#pages.delete(number);
      else if (number !== fresh) page.stale = true;
    }
    this.want(this.#seen.first, this.#seen.end);
  }

  #forgetOld(): void {
    const [from, to] = this.#wanted();
    for (const page of this.#pages.keys()) {
      if (this.#pages.size <= KEPT) return;
      if (page < from || page > to) this.#pages.delete(page);
    }
  }
}
