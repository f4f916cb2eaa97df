import { type Message, message } from '../errors/message.js';
import { columnLetters } from '../util/address.js';
import { NamedRows } from './named-rows.js';

/** Why a row below the header is none of the table's data. */
export type Aside =
  /** No cell of it that the map reads is filled. */
  | { readonly kind: 'note' }
  /** It repeats the header. */
  | { readonly kind: 'header' }
  /** Its key is empty and it bears a word for a total. */
  | { readonly kind: 'total'; readonly text: string }
  /** It stands where the table has ended, by the job's `until`. */
  | { readonly kind: 'ended'; readonly end: number }
  /** The same, but its key is filled at this column: it may be data, and must not be lost. */
  | { readonly kind: 'beyond'; readonly end: number; readonly column: number }
  /** Whether the table ends here can't be worked out. */
  | { readonly kind: 'undecided'; readonly message: Message; readonly column?: number }
  /** One text stands in all that it fills, as a merged range gives it to several columns, the first of which is this. */
  | { readonly kind: 'spread'; readonly text: string; readonly range: string; readonly column: number }
  /** Its key, at this column, is a word for a total: no data by all appearances, but filled. */
  | { readonly kind: 'total key'; readonly text: string; readonly column: number };

/** What becomes of a row that is none of the data: `skipped`, or `invalid` at a cell. */
export type AsideVerdict =
  | { readonly kind: 'skipped'; readonly message: Message }
  | { readonly kind: 'invalid'; readonly message: Message; readonly column?: number };

export function asideVerdict(aside: Aside, row: number): AsideVerdict {
  switch (aside.kind) {
    case 'note':
      return { kind: 'skipped', message: message('source.row_note') };
    case 'header':
      return { kind: 'skipped', message: message('source.row_header') };
    case 'total':
      return { kind: 'skipped', message: message('source.row_total', { text: aside.text }) };
    case 'ended':
      return { kind: 'skipped', message: message('source.row_ended', { end: aside.end }) };
    case 'beyond': {
      const told = message('source.row_beyond', { end: aside.end });
      return { kind: 'invalid', column: aside.column, message: told };
    }
    case 'undecided': {
      const { message: told, column } = aside;
      return { kind: 'invalid', message: told, ...(column === undefined ? {} : { column }) };
    }
    case 'spread': {
      const { text, range, column } = aside;
      return { kind: 'invalid', column, message: message('source.row_spread', { text, range }) };
    }
    case 'total key': {
      const params = { text: aside.text, cell: `${columnLetters(aside.column)}${row}` };
      return { kind: 'invalid', column: aside.column, message: message('source.row_total_key', params) };
    }
  }
}

/** Gathers the rows that were set aside, for warnings that name them. */
export class Asides {
  readonly #rows = new Map<'note' | 'header' | 'total' | 'ended', NamedRows>();
  #end = 0;

  add(aside: Aside, row: number): void {
    const { kind } = aside;
    // Rows that are invalid speak for themselves.
    if (kind === 'beyond' || kind === 'total key' || kind === 'undecided' || kind === 'spread') return;
    if (kind === 'ended') this.#end = aside.end;
    const rows = this.#rows.get(kind) ?? new NamedRows();
    rows.add(row);
    this.#rows.set(kind, rows);
  }

  warnings(sheet: string): readonly Message[] {
    return [...this.#rows].map(([kind, rows]) => {
      const params = { sheet, rows: `${rows}`, count: rows.count };
      return kind === 'ended'
        ? message('source.table_ended', { ...params, end: this.#end })
        : message(SKIPPED[kind], params);
    });
  }
}

const SKIPPED = {
  note: 'source.notes_skipped',
  header: 'source.headers_skipped',
  total: 'source.totals_skipped',
} as const;
