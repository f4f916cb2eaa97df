import { type Message, message } from '../errors/message.js';
import type { Cell } from '../model/cell.js';
import type { ColumnUse } from '../model/column-use.js';
import type { Row, RowFault } from '../model/row.js';
import { cellAddress } from '../util/address.js';
import { fold } from '../util/fold.js';
import { type Aside, Asides } from './aside.js';
import { isFilledCell, type ReadingRules, RowShape } from './row-shape.js';
import { ShapedRow } from './shaped-row.js';
import type { Table } from './table.js';
import { isNumberLike, isTotalWord } from './total-words.js';

export interface ReadRow {
  /** Shaped as the rules say; as it lies where it is set aside, but for what a merged range spreads over it. */
  readonly row: Row;
  readonly aside?: Aside;
}

/**
 * Reads a table as a careful person would: tells data from totals, notes, repeated headers and what stands behind the
 * table's end, and gives cells under merged ranges and empty cells below a value what the job says. Everything that
 * reads a sheet's rows reads them through here, so that all agree.
 */
export class TableReader {
  readonly #table: Table;
  readonly #use: ColumnUse;
  readonly #rules: ReadingRules;
  readonly #headers: ReadonlyMap<number, string>;
  #asides = new Asides();

  constructor(table: Table, use: ColumnUse, rules: ReadingRules) {
    this.#table = table;
    this.#use = use;
    this.#rules = rules;
    this.#headers = new Map(table.headers.map(({ column, folded }) => [column, folded]));
  }

  /** All rows below the header in order, in chunks; may be called again. */
  async *rows(): AsyncGenerator<readonly ReadRow[]> {
    const { fillDown, beside, until } = this.#rules;
    const shape = new RowShape(this.#table.merges, this.#rules, this.#table.headerRow, [
      ...this.#use.columns,
      ...beside,
      ...fillDown,
      ...(until?.columns ?? []),
    ]);
    const asides = new Asides();
    this.#asides = asides;
    let end: number | undefined;
    for await (const page of this.#table.rows()) {
      yield page.map((row): ReadRow => {
        shape.enter(row);
        // Its cells may stand in other columns than they were meant for: nothing is made of them.
        if (row.faults && end === undefined) {
          shape.lose(row);
          return { row };
        }
        const ended = end === undefined ? until?.judge(shape.unfilled(row)) : undefined;
        if (ended?.kind === 'in') end = row.number;
        const undecided = ended?.kind === 'fault' ? { ...ended, kind: 'undecided' as const } : undefined;
        const aside =
          end === undefined
            ? (this.#asideOf(row) ?? undecided ?? shape.spread(row, this.#use.columns))
            : this.#behind(row, end);
        if (!aside) {
          const doubt = this.#doubtOf(row);
          const filled = shape.filled(row);
          return { row: doubt ? new ShapedRow(filled, { faults: [doubt] }) : filled };
        }
        asides.add(aside, row.number);
        // In a result of ours the range is gone: there, too, its text must not pass for an identifier.
        return { row: aside.kind === 'spread' ? shape.unmerged(row) : row, aside };
      });
    }
  }

  /** The rows alone: as they are sent, shown, or copied. */
  async *plain(): AsyncGenerator<readonly Row[]> {
    if (!this.shapes) yield* this.#table.rows();
    else for await (const page of this.rows()) yield page.map(({ row }) => row);
  }

  /** What is to be told of the rows that were read last. */
  warnings(): readonly Message[] {
    return this.#asides.warnings(this.#table.sheet.name);
  }

  /** Whether rows may come out otherwise than they lie. */
  get shapes(): boolean {
    return this.#rules.fillDown.length > 0 || this.#table.merges.count > 0;
  }

  #behind(row: Row, end: number): Aside {
    // The row that ends the table was told by these cells: they are no data that got lost.
    const told = row.number === end ? (this.#rules.until?.columns ?? []) : [];
    const column = this.#use.key.find((it) => !told.includes(it) && isFilledCell(row.cell(it)));
    return column === undefined ? { kind: 'ended', end } : { kind: 'beyond', end, column };
  }

  #asideOf(row: Row): Aside | undefined {
    const { columns, key } = this.#use;
    if (columns.length === 0) return undefined;
    for (const column of key) {
      const cell = row.cell(column);
      if (!cell || !isFilledCell(cell)) continue;
      // The way of nearly all rows: no more than one cell is looked at.
      if (this.#isHeader(cell) && this.#repeatsHeader(row)) return { kind: 'header' };
      if (!isTotalWord(cell.text) || !this.#isTotal(row)) return undefined;
      const text = cell.text.trim();
      // The word stands beside the column that names the item first of all: nothing is lost with the row.
      const isBeside = column !== key[0] && this.#counted(row) === undefined;
      return isBeside ? { kind: 'total', text } : { kind: 'total key', text, column };
    }
    const filled = columns.find((column) => isFilledCell(row.cell(column)));
    if (filled === undefined) return { kind: 'note' };
    if (this.#repeatsHeader(row)) return { kind: 'header' };
    const word = this.#totalWord(row);
    return word && this.#counted(row) === undefined ? { kind: 'total', text: word.text.trim() } : undefined;
  }

  /**
   * What speaks against a row that lacks a key and bears a word for a total, but fills an identifier: a count, or an
   * identifier that fillDown would give the key above it.
   */
  #doubtOf(row: Row): RowFault | undefined {
    const { key } = this.#use;
    if (key.length === 0 || key.some((column) => isFilledCell(row.cell(column)))) return undefined;
    const word = this.#totalWord(row);
    const counted = word && this.#counted(row);
    if (!word || counted === undefined) return undefined;
    const cellOf = (column: number): string => cellAddress(column, row.number);
    const params = { text: word.text.trim(), word: cellOf(word.column), cell: cellOf(counted) };
    return { column: counted, message: message('source.row_total_doubtful', params) };
  }

  /** The cell that bears a word for a total, where the row may be one of totals. */
  #totalWord(row: Row): Cell | undefined {
    const word = row.cells().find(({ kind, text }) => kind === 'text' && isTotalWord(text));
    return word && this.#isTotal(row) ? word : undefined;
  }

  /** The first column of identifiers that a row of totals fills with a number. */
  #counted(row: Row): number | undefined {
    return this.#use.identifiers.find((column) => {
      const cell = row.cell(column);
      return cell && isFilledCell(cell) && !(cell.kind === 'text' && isTotalWord(cell.text));
    });
  }

  /** Whether the cells that the map reads are words for totals, numbers or empty. */
  #isTotal(row: Row): boolean {
    return this.#use.columns.every((column) => {
      const cell = row.cell(column);
      if (!cell || !isFilledCell(cell)) return true;
      if (NUMBERS.has(cell.kind)) return true;
      return cell.kind === 'text' && (isTotalWord(cell.text) || isNumberLike(cell.text));
    });
  }

  #isHeader({ column, kind, text }: Cell): boolean {
    const header = this.#headers.get(column);
    return kind === 'text' && header !== undefined && sameStart(text, header) && fold(text) === header;
  }

  #repeatsHeader(row: Row): boolean {
    let same = 0;
    for (const column of this.#use.columns) {
      const cell = row.cell(column);
      if (!cell || !isFilledCell(cell)) continue;
      if (!this.#isHeader(cell)) return false;
      same += 1;
    }
    return same >= Math.min(2, this.#use.columns.length);
  }
}

/** Kinds of cells that totals have: a sum may be a formula whose result was not stored. */
const NUMBERS: ReadonlySet<Cell['kind']> = new Set(['number', 'duration', 'error', 'no_result']);

/** Spares most texts the folding: their first letters differ already. */
function sameStart(text: string, folded: string): boolean {
  const first = text.charCodeAt(0);
  if (first <= 0x20 || first > 0x7f) return true;
  const letter = first >= 0x41 && first <= 0x5a ? first + 0x20 : first;
  return letter === folded.charCodeAt(0) && text.length <= folded.length + 8;
}
