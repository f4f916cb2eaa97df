import { message } from '../errors/message.js';
import { type Position, shownPlace } from '../model/map.js';
import type { Header } from '../model/row.js';
import { groupedBy } from '../util/grouped-by.js';
import { nearest } from '../util/name-match.js';
import { columnLetters } from '../util/spreadsheet-text.js';
import { fold } from '../util/text.js';
import type { BindingProblems } from './bound-entry.js';

const NAMED = 60;

/** Finds columns of a sheet by header, and records which of them the map reads. */
export class TableColumns {
  readonly sheet: string;
  readonly #byName: ReadonlyMap<string, readonly Header[]>;
  readonly #headers: readonly Header[];
  readonly #problems: BindingProblems;
  readonly #reportedTwice = new Set<string>();
  readonly #read = new Set<number>();
  /** Columns that are read as other text than identifiers, or `asIs`. */
  readonly #unchecked = new Map<number, 'other text' | 'as is'>();
  readonly #checked = new Set<number>();

  constructor(sheet: string, headers: readonly Header[], problems: BindingProblems) {
    this.sheet = sheet;
    this.#headers = headers;
    this.#problems = problems;
    this.#byName = groupedBy(headers, (it) => it.folded);
  }

  /** The header with this name; undefined, with a problem added, if there is none. A repeated header is a problem too. */
  find(name: string, at: Position): Header | undefined {
    const [header, second] = this.#byName.get(fold(name)) ?? [];
    if (!header) {
      this.#missing(name, at);
      return undefined;
    }
    if (second) this.#double(header, second);
    this.#read.add(header.column);
    return header;
  }

  /** Records how a column's texts are checked. */
  use(column: number, use: 'identifier' | 'other text' | 'as is'): void {
    if (use === 'identifier') this.#checked.add(column);
    else if (this.#unchecked.get(column) !== 'as is') this.#unchecked.set(column, use);
  }

  /** True if a key's column is checked as an identifier. A column that no field reads is checked as one. */
  readonly isIdentifier = (column: number): boolean => {
    const use = this.#unchecked.get(column);
    return use === undefined || (use === 'other text' && this.#checked.has(column));
  };

  /** Headers that begin with `prefix`, compared folded. Does not mark them as read. */
  namesUnder(prefix: string): readonly string[] {
    const folded = fold(prefix);
    return this.#headers.filter((it) => it.folded.startsWith(folded)).map((it) => it.text);
  }

  /** True if the header exists. Does not mark it as read. */
  has(name: string): boolean {
    return this.#byName.has(fold(name));
  }

  /** All columns that are read, ascending. */
  get read(): readonly number[] {
    return [...this.#read].sort((a, b) => a - b);
  }

  #missing(name: string, at: Position): void {
    const near = nearest(
      name,
      this.#headers.map((it) => it.text),
    );
    const where = { ...shownPlace(at), name, sheet: this.sheet };
    this.#problems.add(
      'map',
      near === undefined
        ? message('mapping.column_missing', where)
        : message('mapping.column_missing_nearest', { ...where, nearest: near }),
    );
    const shown = this.#headers.slice(0, NAMED).map((it) => it.text);
    if (shown.length < this.#headers.length) shown.push('…');
    const headers = shown.join(', ');
    this.#problems.note(this.sheet, message('mapping.columns_there', { sheet: this.sheet, headers }));
  }

  #double(first: Header, second: Header): void {
    if (this.#reportedTwice.has(first.folded)) return;
    this.#reportedTwice.add(first.folded);
    this.#problems.add(
      'sheet',
      message('mapping.header_twice', {
        sheet: this.sheet,
        header: first.text,
        first: columnLetters(first.column),
        second: columnLetters(second.column),
      }),
    );
  }
}
