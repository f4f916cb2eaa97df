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

/** What keeps rows in their places: somebody points at them, has the focus among them, or writes into one. */
export type Hand = 'pointer' | 'focus' | 'editor';

interface RowPagesParts<R> {
  /** Begins a list: whatever is loaded by what it gives are pages of one and the same. */
  readonly open: () => RowsLoader<R>;
  readonly isSame: (one: R, other: R) => boolean;
  /** Called when rows, their number or a failure have come. */
  readonly changed: () => void;
}

/**
 * Rows of a long list, loaded by the page as they come into view. A page that is no longer wanted when it is asked for again
 * is not waited for; rows that aren't there yet are `undefined`, which the grid shows as a placeholder.
 *
 * As long as a hand is on them no row takes another's place: what somebody types would go into a row that they don't mean.
 */
export class RowPages<R> {
  total: number | undefined;
  /** Why the last page could not be had; rows that are there stay. */
  failure: unknown;
  readonly #parts: RowPagesParts<R>;
  #load: RowsLoader<R>;
  #pages = new Map<number, Page<R>>();
  readonly #loading = new Map<number, AbortController>();
  /** Rows that are in view. */
  #seen = { first: 0, end: 1 };
  readonly #hands = new Set<Hand>();
  /** What is listed may be others by now; `emptied`: and none may be left. */
  #outdated: { readonly emptied: boolean } | undefined;
  #following: AbortController | undefined;
  #closed = false;

  /** Somebody uses the rows. */
  get held(): boolean {
    return this.#hands.size > 0;
  }

  constructor(parts: RowPagesParts<R>) {
    this.#parts = parts;
    this.#load = parts.open();
  }

  /** @param index from 0 */
  row(index: number): R | undefined {
    return this.#pages.get(Math.floor(index / PAGE))?.items[index % PAGE];
  }

  /** A row that is there. */
  find(isIt: (row: R) => boolean): R | undefined {
    const index = this.indexOf(isIt);
    return index === undefined ? undefined : this.row(index);
  }

  /** Where such a row stands, if it is there. */
  indexOf(isIt: (row: R) => boolean): number | undefined {
    for (const [number, { items }] of this.#pages) {
      const place = items.findIndex(isIt);
      if (place >= 0) return number * PAGE + place;
    }
    return undefined;
  }

  /** Somebody has begun, or ended, to use the rows: what is to follow does so when the last hand has left them. */
  hold(hand: Hand, on: boolean): void {
    if (this.#hands.has(hand) === on) return;
    if (on) this.#hands.add(hand);
    else this.#hands.delete(hand);
    if (!on) void this.#follow();
  }

  /** Loads what is missing of these rows, and lets go of what is loading for rows out of sight. */
  want(first: number, end: number): void {
    if (this.#closed) return;
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

  /** All rows of a range, loaded where they are missing; of one list, whatever follows meanwhile. */
  async range(first: number, end: number): Promise<R[]> {
    const [load, pages] = [this.#load, this.#pages];
    const rows: R[] = [];
    for (let at = first; at < end; at = (Math.floor(at / PAGE) + 1) * PAGE) {
      const page = Math.floor(at / PAGE);
      const items =
        pages.get(page)?.items ?? (await load(page * PAGE, PAGE, new AbortController().signal)).items;
      rows.push(...items.slice(at - page * PAGE, Math.min(PAGE, end - page * PAGE)));
    }
    return rows;
  }

  /** Shows rows in the places of those that they are the new state of. */
  replace(fresh: readonly R[]): void {
    for (const [number, page] of this.#pages) {
      let items: R[] | undefined;
      for (const row of fresh) {
        const place = page.items.findIndex((it) => this.#parts.isSame(it, row));
        if (place < 0) continue;
        items ??= [...page.items];
        items[place] = row;
      }
      if (items) this.#pages.set(number, { items, stale: page.stale });
    }
    this.#parts.changed();
  }

  /** Rows may have changed: those in view are loaded again, in their places, and stay until the new ones are there. */
  refresh(): void {
    for (const page of this.#pages.values()) page.stale = true;
    for (const controller of this.#loading.values()) controller.abort();
    this.#loading.clear();
    void this.#follow();
  }

  /**
   * What is listed may be others: these take the places of the old ones, all at once, when no hand is on them.
   * @param emptied none may be left: that is shown at once to whoever doesn't write, as nothing can be mistaken for another
   */
  renew(emptied = false): void {
    this.#outdated = { emptied };
    this.refresh();
  }

  /** Nothing more is loaded or told. */
  close(): void {
    this.#closed = true;
    this.#outdated = undefined;
    this.#following?.abort();
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
    if ((there && !there.stale) || this.#loading.has(page)) return;
    if (this.total !== undefined && page > 0 && page * PAGE >= this.total) return;
    const controller = new AbortController();
    this.#loading.set(page, controller);
    try {
      const fresh = await this.#load(page * PAGE, PAGE, controller.signal);
      if (this.#loading.get(page) !== controller) return;
      this.#loading.delete(page);
      this.failure = undefined;
      const old = this.#pages.get(page)?.items;
      const moved = this.#isMoved(old, fresh);
      this.#pages.set(page, { items: (moved && old) || fresh.items, stale: false });
      this.total ??= fresh.total;
      this.#forgetOld();
      if (moved) {
        // Rows have come, or gone, elsewhere: all pages follow, or none.
        this.#outdated ??= { emptied: false };
        void this.#follow();
      }
    } catch (error) {
      if (this.#loading.get(page) !== controller) return;
      this.#loading.delete(page);
      this.failure = error;
    }
    this.#parts.changed();
  }

  #isMoved(old: readonly R[] = [], { items, total }: LoadedRows<R>): boolean {
    if (this.total !== undefined && this.total !== total) return true;
    return old.some((it, place) => items[place] === undefined || !this.#parts.isSame(it, items[place]));
  }

  /** Lets the list follow: its pages in view are loaded first, and then all of the old ones go. Else those are kept up to date. */
  async #follow(): Promise<void> {
    this.#following?.abort();
    this.#following = undefined;
    if (!this.#outdated || !this.#mayFollow(this.#outdated.emptied)) return this.#stay();
    const controller = new AbortController();
    this.#following = controller;
    const load = this.#parts.open();
    const pages = new Map<number, Page<R>>();
    let total = 0;
    const [from, to] = this.#wanted();
    try {
      for (let page = from; page <= to; page += 1) {
        const fresh = await load(page * PAGE, PAGE, controller.signal);
        if (this.#following !== controller) return;
        total = fresh.total;
        if (fresh.items.length > 0) pages.set(page, { items: fresh.items, stale: false });
      }
    } catch (error) {
      if (this.#following !== controller) return;
      this.failure = error;
      this.#parts.changed();
      return;
    }
    this.#following = undefined;
    if (!this.#mayFollow(total === 0)) return this.#stay();
    for (const loading of this.#loading.values()) loading.abort();
    this.#loading.clear();
    [this.#load, this.#pages, this.total] = [load, pages, total];
    [this.#outdated, this.failure] = [undefined, undefined];
    this.#stay();
    this.#parts.changed();
  }

  #stay(): void {
    this.want(this.#seen.first, this.#seen.end);
  }

  #mayFollow(emptied: boolean): boolean {
    return emptied ? !this.#hands.has('editor') : this.#hands.size === 0;
  }

  #forgetOld(): void {
    const [from, to] = this.#wanted();
    for (const page of this.#pages.keys()) {
      if (this.#pages.size <= KEPT) return;
      if (page < from || page > to) this.#pages.delete(page);
    }
  }
}
