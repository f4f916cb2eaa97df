/** A range of rows from the server, and the total number of rows. */
export interface LoadedRows<R> {
  readonly items: readonly R[];
  readonly total: number;
}

export type RowsLoader<R> = (from: number, count: number, signal: AbortSignal) => Promise<LoadedRows<R>>;

/** Half of a page of the server's cells cache, which has 256 rows: it is loaded faster. */
const PAGE_ROWS = 128;

/** Maximum number of cached pages; the least recently used are removed first. */
const MAX_PAGES = 96;

interface Page<R> {
  readonly items: readonly R[];
  /** Shown until it has been loaded again. */
  stale: boolean;
}

/** Why rows must keep their positions: the user points at them, has the focus in them, or edits one. */
export type HoldReason = 'pointer' | 'focus' | 'editor';

interface RowPagesOptions<R> {
  /** Starts a new list. All pages loaded by the returned function belong to the same list. */
  readonly open: () => RowsLoader<R>;
  readonly isSame: (a: R, b: R) => boolean;
  /** Called after rows, their number or a failure have changed. */
  readonly changed: () => void;
}

/**
 * Rows of a long list, loaded in pages as they come into view. Loading of pages that leave the view is aborted. Rows
 * that are not loaded yet are `undefined`; the grid shows them as placeholders. Rows keep their position while the
 * user points at, focuses or edits them, so that input cannot land in another row.
 */
export class RowPages<R> {
  total: number | undefined;
  /** Why the last page could not be loaded; loaded rows stay. */
  failure: unknown;
  readonly #options: RowPagesOptions<R>;
  #load: RowsLoader<R>;
  #pages = new Map<number, Page<R>>();
  readonly #loading = new Map<number, AbortController>();
  /** The rows in view. */
  #visible = { first: 0, end: 1 };
  readonly #holds = new Set<HoldReason>();
  /** Set if the list may contain other rows now; `emptied`: it may be empty. */
  #outdated: { readonly emptied: boolean } | undefined;
  #following: AbortController | undefined;
  #closed = false;

  get held(): boolean {
    return this.#holds.size > 0;
  }

  constructor(options: RowPagesOptions<R>) {
    this.#options = options;
    this.#load = options.open();
  }

  /** @param index from 0 */
  row(index: number): R | undefined {
    return this.#pages.get(Math.floor(index / PAGE_ROWS))?.items[index % PAGE_ROWS];
  }

  /** The loaded row that matches. */
  find(predicate: (row: R) => boolean): R | undefined {
    const index = this.indexOf(predicate);
    return index === undefined ? undefined : this.row(index);
  }

  /** The index of the loaded row that matches. */
  indexOf(predicate: (row: R) => boolean): number | undefined {
    for (const [number, { items }] of this.#pages) {
      const place = items.findIndex(predicate);
      if (place >= 0) return number * PAGE_ROWS + place;
    }
    return undefined;
  }

  /** Sets or clears a reason to hold the rows. Pending changes are applied when the last one is cleared. */
  hold(reason: HoldReason, on: boolean): void {
    if (this.#holds.has(reason) === on) return;
    if (on) this.#holds.add(reason);
    else this.#holds.delete(reason);
    if (!on) void this.#follow();
  }

  /** Loads missing rows of the view, and aborts loading of pages outside. */
  want(first: number, end: number): void {
    if (this.#closed) return;
    this.#visible = { first, end };
    const [from, to] = this.#visiblePages();
    for (const [page, controller] of this.#loading) {
      if (page < from || page > to) {
        controller.abort();
        this.#loading.delete(page);
      }
    }
    for (let page = from; page <= to; page += 1) void this.#loadPage(page);
  }

  /** All rows of a range, loading missing ones. All are from the same list, even if a new one is started in the meantime. */
  async range(first: number, end: number): Promise<R[]> {
    const [load, pages] = [this.#load, this.#pages];
    const rows: R[] = [];
    for (let index = first; index < end; index = (Math.floor(index / PAGE_ROWS) + 1) * PAGE_ROWS) {
      const page = Math.floor(index / PAGE_ROWS);
      const items =
        pages.get(page)?.items ??
        (await load(page * PAGE_ROWS, PAGE_ROWS, new AbortController().signal)).items;
      rows.push(...items.slice(index - page * PAGE_ROWS, Math.min(PAGE_ROWS, end - page * PAGE_ROWS)));
    }
    return rows;
  }

  /** Replaces rows by their new state, at the same positions. */
  replace(fresh: readonly R[]): void {
    for (const [number, page] of this.#pages) {
      let items: R[] | undefined;
      for (const row of fresh) {
        const place = page.items.findIndex((it) => this.#options.isSame(it, row));
        if (place < 0) continue;
        items ??= [...page.items];
        items[place] = row;
      }
      if (items) this.#pages.set(number, { items, stale: page.stale });
    }
    this.#options.changed();
  }

  /** Reloads the rows in view after they may have changed. The old ones stay until the new ones are loaded. */
  refresh(): void {
    for (const page of this.#pages.values()) page.stale = true;
    for (const controller of this.#loading.values()) controller.abort();
    this.#loading.clear();
    void this.#follow();
  }

  /**
   * Starts a new list, because it may contain other rows. It replaces the old one at once when the rows are not held.
   * @param emptied the list may be empty now; an empty list is shown unless a cell is being edited
   */
  renew(emptied = false): void {
    this.#outdated = { emptied };
    this.refresh();
  }

  /** Stops loading and callbacks. */
  close(): void {
    this.#closed = true;
    this.#outdated = undefined;
    this.#following?.abort();
    for (const controller of this.#loading.values()) controller.abort();
    this.#loading.clear();
    this.#pages.clear();
  }

  #visiblePages(): readonly [first: number, last: number] {
    const { first, end } = this.#visible;
    return [Math.floor(first / PAGE_ROWS), Math.floor(Math.max(first, end - 1) / PAGE_ROWS)];
  }

  async #loadPage(page: number): Promise<void> {
    const cached = this.#pages.get(page);
    if (cached) {
      // A Map keeps insertion order, so the first page is the least recently used.
      this.#pages.delete(page);
      this.#pages.set(page, cached);
    }
    if ((cached && !cached.stale) || this.#loading.has(page)) return;
    if (this.total !== undefined && page > 0 && page * PAGE_ROWS >= this.total) return;
    const controller = new AbortController();
    this.#loading.set(page, controller);
    try {
      const fresh = await this.#load(page * PAGE_ROWS, PAGE_ROWS, controller.signal);
      if (this.#loading.get(page) !== controller) return;
      this.#loading.delete(page);
      this.failure = undefined;
      const old = this.#pages.get(page)?.items;
      const moved = this.#isMoved(old, fresh);
      this.#pages.set(page, { items: (moved && old) || fresh.items, stale: false });
      this.total ??= fresh.total;
      this.#forgetOld();
      if (moved) {
        // Rows were added or removed elsewhere: a new list has to replace all pages.
        this.#outdated ??= { emptied: false };
        void this.#follow();
      }
    } catch (error) {
      if (this.#loading.get(page) !== controller) return;
      this.#loading.delete(page);
      this.failure = error;
    }
    this.#options.changed();
  }

  #isMoved(old: readonly R[] = [], { items, total }: LoadedRows<R>): boolean {
    if (this.total !== undefined && this.total !== total) return true;
    return old.some((it, place) => items[place] === undefined || !this.#options.isSame(it, items[place]));
  }

  /**
   * Replaces the list if allowed: loads the visible pages of the new list first, then drops all old pages. Otherwise
   * loads stale pages of the old list.
   */
  async #follow(): Promise<void> {
    this.#following?.abort();
    this.#following = undefined;
    if (!this.#outdated || !this.#mayFollow(this.#outdated.emptied)) return this.#loadVisible();
    const controller = new AbortController();
    this.#following = controller;
    const load = this.#options.open();
    const pages = new Map<number, Page<R>>();
    let total = 0;
    const [from, to] = this.#visiblePages();
    try {
      for (let page = from; page <= to; page += 1) {
        const fresh = await load(page * PAGE_ROWS, PAGE_ROWS, controller.signal);
        if (this.#following !== controller) return;
        total = fresh.total;
        if (fresh.items.length > 0) pages.set(page, { items: fresh.items, stale: false });
      }
    } catch (error) {
      if (this.#following !== controller) return;
      this.failure = error;
      this.#options.changed();
      return;
    }
    this.#following = undefined;
    if (!this.#mayFollow(total === 0)) return this.#loadVisible();
    for (const loading of this.#loading.values()) loading.abort();
    this.#loading.clear();
    [this.#load, this.#pages, this.total] = [load, pages, total];
    [this.#outdated, this.failure] = [undefined, undefined];
    this.#loadVisible();
    this.#options.changed();
  }

  #loadVisible(): void {
    this.want(this.#visible.first, this.#visible.end);
  }

  #mayFollow(emptied: boolean): boolean {
    return emptied ? !this.#holds.has('editor') : this.#holds.size === 0;
  }

  #forgetOld(): void {
    const [from, to] = this.#visiblePages();
    for (const page of this.#pages.keys()) {
      if (this.#pages.size <= MAX_PAGES) return;
      if (page < from || page > to) this.#pages.delete(page);
    }
  }
}
