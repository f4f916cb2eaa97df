import { type Message, message } from '../errors/message.js';
import type { Cell } from '../model/cell.js';
import type { ColumnUse } from '../model/column-use.js';
import type { JobSource } from '../model/job.js';
import type { Row, RowFault } from '../model/row.js';
import { isBlank } from '../util/blank.js';
import { fold } from '../util/fold.js';
import { type Aside, Asides } from './aside.js';
import type { BoundCondition } from './condition.js';
import { FaultyRow } from './faulty-row.js';
import { type MergedRanges, MergeSweep } from './merged-ranges.js';
import { ShapedRow } from './shaped-row.js';
import type { Table } from './table.js';
import { isNumberLike, isTotalWord } from './total-words.js';

/** What a job says of how its tables are to be read. */
export interface ReadingRules {
  readonly merged: NonNullable<JobSource['merged']>;
  /** Columns whose empty cells take the value above. */
  readonly fillDown: readonly number[];
  readonly until: BoundCondition | undefined;
  /** Columns that are read beside the map's, by `where`. */
  readonly beside: readonly number[];
}

export interface ReadRow {
  /** Shaped as the rules say; as it lies where it is set aside. */
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
    const shape = new Shape(this.#table.merges, this.#rules, this.#table.headerRow, [
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
        const aside = end === undefined ? (this.#asideOf(row) ?? undecided) : this.#behind(row, end);
        if (!aside) return { row: shape.filled(row) };
        asides.add(aside, row.number);
        return { row, aside };
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
      if (!isTotalWord(cell.text) || !this.#isTotal(row, column)) return undefined;
      return { kind: 'total key', text: cell.text.trim(), column };
    }
    const filled = columns.find((column) => isFilledCell(row.cell(column)));
    if (filled === undefined) return { kind: 'note' };
    if (this.#repeatsHeader(row)) return { kind: 'header' };
    const word = row.cells().find(({ kind, text }) => kind === 'text' && isTotalWord(text));
    return word && this.#isTotal(row) ? { kind: 'total', text: word.text.trim() } : undefined;
  }

  /** Whether the cells that the map reads are words for totals, numbers or empty, identifiers being no numbers. */
  #isTotal(row: Row, keyed?: number): boolean {
    const { columns, identifiers } = this.#use;
    return columns.every((column) => {
      const cell = row.cell(column);
      if (column === keyed || !cell || !isFilledCell(cell)) return true;
      if (cell.kind === 'text' && isTotalWord(cell.text)) return true;
      if (identifiers.includes(column)) return false;
      return NUMBERS.has(cell.kind) || (cell.kind === 'text' && isNumberLike(cell.text));
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

function isFilledCell(cell: Cell | undefined): boolean {
  return cell !== undefined && (cell.kind === 'no_result' || !isBlank(cell.text));
}

/** Spares most texts the folding: their first letters differ already. */
function sameStart(text: string, folded: string): boolean {
  const first = text.charCodeAt(0);
  if (first <= 0x20 || first > 0x7f) return true;
  const letter = first >= 0x41 && first <= 0x5a ? first + 0x20 : first;
  return letter === folded.charCodeAt(0) && text.length <= folded.length + 8;
}

/** Gives cells under merged ranges and empty cells what the job says, row by row. */
class Shape {
  readonly #merges: MergedRanges;
  readonly #rules: ReadingRules;
  readonly #headerRow: number;
  readonly #sweep: MergeSweep | undefined;
  readonly #above = new Map<number, Cell>();
  /** Columns whose value above can't be told, with the row that hides it. */
  readonly #lost = new Map<number, number>();
  /** Values of the ranges that reach into the row, as far as their first cells have one. */
  readonly #values = new Map<number, Cell>();
  #over: ReadonlyMap<number, number> = new Map();

  constructor(merges: MergedRanges, rules: ReadingRules, headerRow: number, columns: readonly number[]) {
    this.#merges = merges;
    this.#rules = rules;
    this.#headerRow = headerRow;
    this.#sweep = merges.count === 0 ? undefined : new MergeSweep(merges, columns);
  }

  /** Takes note of a row; each is entered once, before its cells are asked for. */
  enter(row: Row): void {
    if (!this.#sweep) return;
    this.#over = this.#sweep.at(row.number);
    if (this.#over.size === 0) {
      if (this.#values.size > 0) this.#values.clear();
      return;
    }
    for (const range of this.#over.values()) {
      if (this.#merges.top(range) !== row.number || this.#values.has(range)) continue;
      const value = row.cell(this.#merges.left(range));
      if (value) this.#values.set(range, value);
    }
    if (this.#values.size <= this.#over.size) return;
    const reaching = new Set(this.#over.values());
    for (const range of this.#values.keys()) if (!reaching.has(range)) this.#values.delete(range);
  }

  /** The row before `fillDown`. */
  unfilled(row: Row): Row {
    const replaced = this.#underMerges(row);
    return replaced.size === 0 ? row : new ShapedRow(row, replaced);
  }

  /** Takes note of a row whose cells can't be trusted: what rows below it would take from it isn't known. */
  lose(row: Row): void {
    for (const column of this.#rules.fillDown) {
      this.#lost.set(column, row.number);
      this.#above.delete(column);
    }
  }

  filled(row: Row): Row {
    const shaped = this.#shaped(row);
    if (this.#lost.size === 0) return shaped;
    const faults = [...this.#lost].flatMap(([column, above]): RowFault[] => {
      if (!isFilledCell(row.cell(column)))
        return [{ column, message: message('source.value_above_lost', { above }) }];
      this.#lost.delete(column);
      return [];
    });
    return faults.length > 0 ? new FaultyRow(shaped, faults) : shaped;
  }

  #shaped(row: Row): Row {
    const { fillDown } = this.#rules;
    if (this.#over.size === 0 && fillDown.length === 0) return row;
    const replaced = this.#underMerges(row);
    for (const column of fillDown) {
      const merged = replaced.get(column);
      const cell = merged ?? row.cell(column);
      const above = this.#above.get(column);
      if (cell && isFilledCell(cell)) this.#above.set(column, cell);
      else if (above && (!merged || this.#isBelowItself(row, column))) replaced.set(column, above);
    }
    return replaced.size === 0 ? row : new ShapedRow(row, replaced);
  }

  /** Whether the value above is that of the range which reaches into the cell, and the cell hides none of its own. */
  #isBelowItself(row: Row, column: number): boolean {
    const range = this.#over.get(column);
    if (range === undefined || isFilledCell(row.cell(column))) return false;
    return this.#merges.left(range) === column && this.#merges.top(range) > this.#headerRow;
  }

  #underMerges(row: Row): Map<number, Cell> {
    const replaced = new Map<number, Cell>();
    for (const [column, range] of this.#over) {
      const first = this.#merges.top(range) === row.number && this.#merges.left(range) === column;
      if (first) continue;
      const own = row.cell(column);
      const value = this.#values.get(range);
      const fills = this.#rules.merged === 'fill' && this.#merges.top(range) > this.#headerRow;
      const hides = isFilledCell(own) && own?.text.trim() !== value?.text.trim();
      if (fills && !hides) {
        if (value) replaced.set(column, { ...value, column });
      } else {
        replaced.set(column, { column, kind: 'merged', text: '', raw: this.#merges.address(range) });
      }
    }
    return replaced;
  }
}
