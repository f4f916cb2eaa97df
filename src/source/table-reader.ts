import { type Message, message } from '../errors/message.js';
import type { Cell } from '../model/cell.js';
import type { ColumnUse } from '../model/column-use.js';
import type { Row, RowFault } from '../model/row.js';
import { cellAddress } from '../util/address.js';
import { EventLoopTurns } from '../util/event-loop.js';
import { fold } from '../util/fold.js';
import { type BoundCondition, bindFillDown, type ConditionJob } from './condition.js';
import { formLabel } from './form-labels.js';
import { MarkedCells } from './marked-cells.js';
import { type NonDataRow, NonDataRows } from './non-data-row.js';
import { RowNumbers } from './row-numbers.js';
import { isFilledCell, type ReadingRules, RowShape } from './row-shape.js';
import { ShapedRow } from './shaped-row.js';
import { isSubtotalKey, isSubtotalOf } from './subtotal-rows.js';
import type { Table } from './table.js';
import { isNumberLike, isTotalWord, totalCell } from './total-words.js';

export interface ReadRow {
  /** Filled as the rules say. A row that isn't data is as the file has it, with cells under merged ranges marked. */
  readonly row: Row;
  readonly nonData?: NonDataRow;
}

/**
 * Reads a table as a careful person would. It separates data from totals, notes, repeated headers and rows after the
 * table's end, and fills cells under merged ranges and empty cells as the job says. Everything that reads a sheet's rows
 * reads them through this class, so that all parts of the program agree on them.
 */
export class TableReader {
  readonly #table: Table;
  readonly #use: ColumnUse;
  readonly #rules: ReadingRules;
  readonly #headers: ReadonlyMap<number, string>;
  readonly #where: BoundCondition | undefined;
  #asides = new NonDataRows();
  #shortLines = new RowNumbers();
  #marked = new MarkedCells();
  /** The last row of data. */
  #above: Row | undefined;

  /** @param where warnings about single cells leave out the rows that it excludes */
  constructor(table: Table, use: ColumnUse, rules: ReadingRules, where?: BoundCondition) {
    this.#table = table;
    this.#use = use;
    this.#rules = rules;
    this.#where = where;
    this.#headers = new Map(table.headers.map(({ column, folded }) => [column, folded]));
  }

  /**
   * A reader that follows a job's settings.
   * @param others the job's other tables, in which `fillDown` may name a header
   */
  static of(
    job: ConditionJob,
    table: Table,
    use: ColumnUse,
    others: readonly Table[] = [],
    {
      where,
      until,
      unmapped = [],
    }: {
      readonly where?: BoundCondition | undefined;
      readonly until?: BoundCondition | undefined;
      /** Columns that are read beside those of the map. */
      readonly unmapped?: readonly number[] | undefined;
    } = {},
  ): TableReader {
    const headers = others.map((it) => it.headers);
    const rules = {
      merged: job.source.merged ?? 'refuse',
      fillDown: bindFillDown(job, table.sheet.name, table.headers, headers),
      until,
      unmapped: [...(where?.columns ?? []), ...unmapped],
    };
    return new TableReader(table, use, rules, where);
  }

  /** All rows below the header in order, in chunks; may be called again. */
  async *rows(): AsyncGenerator<readonly ReadRow[]> {
    const { fillDown, unmapped, until } = this.#rules;
    const columns = new Set([...this.#use.columns, ...unmapped, ...fillDown, ...(until?.columns ?? [])]);
    const shape = new RowShape(this.#table.merges, this.#rules, this.#table.headerRow, [...columns]);
    const asides = new NonDataRows();
    const marked = new MarkedCells();
    this.#asides = asides;
    const shortLines = new RowNumbers();
    this.#shortLines = shortLines;
    this.#marked = marked;
    this.#above = undefined;
    let lastKeyed: number | undefined;
    const form = async (row: Row): Promise<NonDataRow | undefined> => {
      const { key, identifiers } = this.#use;
      const text = key.length > 0 && !this.#hasKey(row) ? formLabel(row, identifiers) : undefined;
      if (text === undefined) return undefined;
      lastKeyed ??= await this.#lastRow((it) => this.#hasKey(it));
      return row.number > lastKeyed ? { kind: 'form', text } : undefined;
    };
    let end: number | undefined;
    let lastComplete: number | undefined;
    let above: number | undefined;
    const turns = new EventLoopTurns();
    for await (const page of this.#table.rows()) {
      const read: ReadRow[] = [];
      for (const row of page) {
        if (turns.isDue) await turns.take();
        // Blank rows right below the header are not the end of a table.
        if (until && end === undefined && above !== undefined)
          end = shape.blankEnd(until, row.sheet, above, row.number);
        above = row.number;
        shape.enter(row);
        // Its cells may have shifted into other columns, so nothing is concluded from them.
        if (row.faults && end === undefined) {
          shape.distrust(row);
          read.push({ row });
          continue;
        }
        const ended = end === undefined ? until?.judge(shape.unfilled(row)) : undefined;
        if (ended?.kind === 'in') end = row.number;
        if (end !== undefined && this.#isFooterLike(row))
          lastComplete ??= await this.#lastRow((it) => this.#isComplete(it));
        const undecided = ended?.kind === 'fault' ? { ...ended, kind: 'undecided' as const } : undefined;
        const nonData =
          end === undefined
            ? (this.#asideOf(row) ?? (await form(row)) ?? undecided ?? shape.spread(row, this.#use.columns))
            : this.#behind(row, end, lastComplete);
        if (!nonData) {
          if (row.isShort) shortLines.add(row.number);
          const doubt = this.#doubtOf(row);
          const filled = shape.filled(row);
          this.#above = filled;
          if (row.marked && this.#where?.judge(filled).kind !== 'out') marked.add(row, columns);
          read.push({ row: doubt ? new ShapedRow(filled, { faults: [doubt] }) : filled });
          continue;
        }
        asides.add(nonData, row.number);
        // A result workbook has no merged ranges; the text must not become an identifier when the result is run.
        read.push({ row: nonData.kind === 'spread' ? shape.unmerged(row) : row, nonData });
      }
      yield read;
    }
  }

  /** The rows without the reasons why some aren't data. */
  async *plain(): AsyncGenerator<readonly Row[]> {
    if (!this.shapes) yield* this.#table.rows();
    else for await (const page of this.rows()) yield page.map(({ row }) => row);
  }

  /** Warnings about the rows of the last reading. */
  warnings(): readonly Message[] {
    const { sheet, headers } = this.#table;
    const { count } = this.#shortLines;
    const params = { sheet: sheet.name, count, rows: `${this.#shortLines}` };
    return [
      ...(count > 0 ? [message('source.csv_short_lines', params)] : []),
      ...this.#asides.warnings(sheet.name),
      ...this.#marked.warnings(sheet.name, headers),
    ];
  }

  /** Whether rows may differ from those in the file. */
  get shapes(): boolean {
    return this.#rules.fillDown.length > 0 || this.#table.merges.count > 0;
  }

  /** @param lastComplete number of the last complete line, if there are lines that may be a footer */
  #behind(row: Row, end: number, lastComplete = Number.POSITIVE_INFINITY): NonDataRow {
    // `until` recognised the ending row by these cells, so they are no lost data.
    const endMarks = row.number === end ? (this.#rules.until?.columns ?? []) : [];
    const column = this.#use.key.find((it) => !endMarks.includes(it) && isFilledCell(row.cell(it)));
    if (column === undefined) return { kind: 'ended', end };
    const isFooter = row.number > lastComplete && this.#isFooterLike(row);
    return isFooter ? { kind: 'footer', end } : { kind: 'beyond', end, column };
  }

  /**
   * A line of a text file with a single filled field, where the map reads other columns, too: below the end of the table
   * it is a line of a report's footer, unless a complete line follows.
   */
  #isFooterLike(row: Row): boolean {
    if (!this.#table.isText || this.#use.columns.length < 2) return false;
    // The missing cells of an invalid line count as present, but not filled.
    const isFilled = (cell: Cell): boolean =>
      isFilledCell(cell) && !(row.faults && cell.kind === 'no_result');
    return row.cells().filter(isFilled).length === 1;
  }

  /** A line with all fields, of which several are filled. */
  #isComplete(row: Row): boolean {
    return !row.isShort && !row.faults && !this.#isFooterLike(row);
  }

  /** Number of the last row of the table that fits; 0 if none does. */
  async #lastRow(fits: (row: Row) => boolean): Promise<number> {
    let last = 0;
    for await (const page of this.#table.rows()) last = page.findLast(fits)?.number ?? last;
    return last;
  }

  #hasKey(row: Row): boolean {
    return this.#use.key.some((column) => isFilledCell(row.cell(column)));
  }

  #asideOf(row: Row): NonDataRow | undefined {
    const { columns, key, keyIsLocks } = this.#use;
    if (columns.length === 0) return undefined;
    const total = keyIsLocks && totalCell(row);
    if (total) return { kind: 'total', text: total.text.trim() };
    for (const column of key) {
      const cell = row.cell(column);
      if (!cell || !isFilledCell(cell)) continue;
      // Nearly all rows leave here, after a look at one cell.
      if (this.#isHeader(cell) && this.#repeatsHeader(row)) return { kind: 'header' };
      const text = cell.text.trim();
      if (!isTotalWord(cell.text) || !this.#isTotal(row)) {
        const isTotal = isSubtotalKey(text) || isSubtotalOf(text, this.#above?.cell(column));
        return isTotal ? { kind: 'total key', text, column } : this.#subtotal(row);
      }
      // The word isn't in the first key column, which names the item, so nothing is lost with the row.
      const isBeside = column !== key[0] && this.#counted(row) === undefined;
      return isBeside ? { kind: 'total', text } : { kind: 'total key', text, column };
    }
    const filled = columns.find((column) => isFilledCell(row.cell(column)));
    if (filled === undefined) return { kind: 'note' };
    if (this.#repeatsHeader(row)) return { kind: 'header' };
    const word = this.#totalWord(row);
    if (word && this.#counted(row) === undefined) return { kind: 'total', text: word.text.trim() };
    const label = row.cells().find((it) => isSubtotalOf(it.text.trim(), this.#above?.cell(it.column)));
    return label ? { kind: 'total key', text: label.text.trim(), column: label.column } : this.#subtotal(row);
  }

  /** Whether a mapped cell is the formula of a subtotal. */
  #subtotal(row: Row): NonDataRow | undefined {
    if (!row.marked) return undefined;
    const column = this.#use.columns.find((it) => row.cell(it)?.subtotal);
    return column === undefined ? undefined : { kind: 'subtotal', column };
  }

  /**
   * The fault of a row without a key that has a word for a total and also a filled identifier: that may be a count, or
   * an identifier to which `fillDown` would give the key from above.
   */
  #doubtOf(row: Row): RowFault | undefined {
    if (this.#use.key.length === 0 || this.#hasKey(row)) return undefined;
    const word = this.#totalWord(row);
    const counted = word && this.#counted(row);
    if (!word || counted === undefined) return undefined;
    const cellOf = (column: number): string => cellAddress(column, row.number);
    const params = { text: word.text.trim(), word: cellOf(word.column), cell: cellOf(counted) };
    return { column: counted, shifts: 'none', message: message('source.row_total_doubtful', params) };
  }

  /** The cell with a word for a total, if the row may be a total. */
  #totalWord(row: Row): Cell | undefined {
    const word = totalCell(row);
    return word && this.#isTotal(row) ? word : undefined;
  }

  /** The first identifier column that a total fills with something other than a word for a total. */
  #counted(row: Row): number | undefined {
    return this.#use.identifiers.find((column) => {
      const cell = row.cell(column);
      return cell && isFilledCell(cell) && !(cell.kind === 'text' && isTotalWord(cell.text));
    });
  }

  /** Whether all mapped cells are empty, numbers or words for totals. */
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

/** Kinds of cells that sums have: a sum may be a formula without a stored result. */
const NUMBERS: ReadonlySet<Cell['kind']> = new Set(['number', 'duration', 'error', 'no_result']);

/** A quick check before folding, which is slow: most texts already differ in their first letter. */
function sameStart(text: string, folded: string): boolean {
  const first = text.charCodeAt(0);
  if (first <= 0x20 || first > 0x7f) return true;
  const letter = first >= 0x41 && first <= 0x5a ? first + 0x20 : first;
  return letter === folded.charCodeAt(0) && text.length <= folded.length + 8;
}
