import { type Message, message } from '../errors/message.js';
import type { ColumnUse } from '../model/map.js';
import type { Cell, Row, RowFault } from '../model/row.js';
import { EventLoopTurns } from '../util/clock.js';
import { cellAddress } from '../util/spreadsheet-text.js';
import { fold, RowNumbers } from '../util/text.js';
import {
  formLabel,
  isFilledCell,
  isNumberLike,
  isSubtotalKey,
  isSubtotalOf,
  isTotalWord,
  totalCell,
} from './cell-texts.js';
import { type BoundCondition, bindFillDown, type ConditionJob } from './condition.js';
import { MarkedCells } from './marked-cells.js';
import { type NonDataRow, NonDataRows } from './non-data-rows.js';
import { type ReadingRules, RowShape, ShapedRow } from './row-shape.js';
import type { Table } from './table.js';

export interface ReadRow {
  /** Filled by the rules. A row that is not data is as in the file, with cells under merged ranges marked. */
  readonly row: Row;
  readonly nonData?: NonDataRow;
}

/**
 * Reads a table: separates data from totals, notes, repeated headers and rows after the table's end, and fills cells
 * under merged ranges and empty cells by the job's rules. All parts of the program that read a sheet's rows use this
 * class, so that they agree on them.
 */
export class TableReader {
  readonly #table: Table;
  readonly #use: ColumnUse;
  readonly #rules: ReadingRules;
  readonly #headers: ReadonlyMap<number, string>;
  readonly #where: BoundCondition | undefined;
  #warningData = new WarningData();
  /** The last row of data. */
  #above: Row | undefined;

  /** @param where excludes rows from warnings about single cells */
  constructor(table: Table, use: ColumnUse, rules: ReadingRules, where?: BoundCondition) {
    this.#table = table;
    this.#use = use;
    this.#rules = rules;
    this.#where = where;
    this.#headers = new Map(table.headers.map(({ column, folded }) => [column, folded]));
  }

  /**
   * A reader with a job's settings.
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
      /** Columns that are read besides those of the map. */
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
    const warningData = new WarningData();
    this.#warningData = warningData;
    this.#above = undefined;
    let lastKeyed: number | undefined;
    const formRow = async (row: Row): Promise<NonDataRow | undefined> => {
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
        // Its cells may be shifted into other columns, so they are not evaluated.
        if (row.faults && end === undefined) {
          shape.distrust(row);
          read.push({ row });
          continue;
        }
        const endVerdict = end === undefined ? until?.judge(shape.unfilled(row)) : undefined;
        if (endVerdict?.kind === 'in') end = row.number;
        if (end !== undefined && this.#isFooterLike(row))
          lastComplete ??= await this.#lastRow((it) => this.#isComplete(it));
        const undecided =
          endVerdict?.kind === 'fault' ? { ...endVerdict, kind: 'undecided' as const } : undefined;
        const nonData =
          end === undefined
            ? (this.#nonDataKind(row) ??
              (await formRow(row)) ??
              undecided ??
              shape.spread(row, this.#use.columns))
            : this.#afterEnd(row, end, lastComplete);
        if (!nonData) {
          if (row.isShort) warningData.shortLines.add(row.number);
          const fault = this.#ambiguousTotal(row);
          const filled = shape.filled(row);
          this.#above = filled;
          if (row.marked && this.#where?.judge(filled).kind !== 'out') warningData.marked.add(row, columns);
          read.push({ row: fault ? new ShapedRow(filled, { faults: [fault] }) : filled });
          continue;
        }
        warningData.nonDataRows.add(nonData, row.number);
        // A result workbook has no merged ranges; the text must not become an identifier when the result is run.
        read.push({ row: nonData.kind === 'spread' ? shape.unmerged(row) : row, nonData });
      }
      yield read;
    }
  }

  /** The rows without the reasons why some are not data. */
  async *plain(): AsyncGenerator<readonly Row[]> {
    if (!this.shapes) yield* this.#table.rows();
    else for await (const page of this.rows()) yield page.map(({ row }) => row);
  }

  /** Warnings about the rows of the last reading. */
  warnings(): readonly Message[] {
    const { sheet, headers } = this.#table;
    const { nonDataRows, shortLines, marked } = this.#warningData;
    const params = { sheet: sheet.name, count: shortLines.count, rows: `${shortLines}` };
    return [
      ...(shortLines.count > 0 ? [message('source.csv_short_lines', params)] : []),
      ...nonDataRows.warnings(sheet.name),
      ...marked.warnings(sheet.name, headers),
    ];
  }

  /** Whether rows may differ from those in the file. */
  get shapes(): boolean {
    return this.#rules.fillDown.length > 0 || this.#table.merges.count > 0;
  }

  /** @param lastComplete number of the last complete line, if there are lines that may be a footer */
  #afterEnd(row: Row, end: number, lastComplete = Number.POSITIVE_INFINITY): NonDataRow {
    // `until` recognised the ending row by these cells, so no data is lost with them.
    const endMarks = row.number === end ? (this.#rules.until?.columns ?? []) : [];
    const column = this.#use.key.find((it) => !endMarks.includes(it) && isFilledCell(row.cell(it)));
    if (column === undefined) return { kind: 'ended', end };
    if (row.number > lastComplete && this.#isFooterLike(row)) return { kind: 'footer', end };
    return { kind: 'beyond', end, column };
  }

  /**
   * A line of a text file with a single filled field, if the map reads other columns, too: below the end of the table
   * it is a line of a report's footer, unless a complete line follows.
   */
  #isFooterLike(row: Row): boolean {
    if (!this.#table.isText || this.#use.columns.length < 2) return false;
    // The missing cells of an invalid line are treated as present, but not as filled.
    const filled = row.cells().filter((it) => isFilledCell(it) && !(row.faults && it.kind === 'no_result'));
    return filled.length === 1;
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

  #nonDataKind(row: Row): NonDataRow | undefined {
    const { columns, key, keyIsLocks } = this.#use;
    if (columns.length === 0) return undefined;
    const total = keyIsLocks && totalCell(row);
    if (total) return { kind: 'total', text: total.text.trim() };
    for (const column of key) {
      const cell = row.cell(column);
      if (!cell || !isFilledCell(cell)) continue;
      // Fast path: nearly all rows return here after a check of one cell.
      if (this.#isHeader(cell) && this.#repeatsHeader(row)) return { kind: 'header' };
      const text = cell.text.trim();
      if (!isTotalWord(cell.text) || !this.#isTotal(row)) {
        const isTotal = isSubtotalKey(text) || isSubtotalOf(text, this.#above?.cell(column));
        return isTotal ? { kind: 'total key', text, column } : this.#subtotal(row);
      }
      // The word is not in the first key column, which names the item, so nothing is lost with the row.
      if (column !== key[0] && this.#counted(row) === undefined) return { kind: 'total', text };
      return { kind: 'total key', text, column };
    }
    if (!columns.some((column) => isFilledCell(row.cell(column)))) return { kind: 'note' };
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
   * The error of a row without a key that has a word for a total and also a filled identifier: that may be a count, or
   * an identifier to which `fillDown` would give the key from above.
   */
  #ambiguousTotal(row: Row): RowFault | undefined {
    if (this.#use.key.length === 0 || this.#hasKey(row)) return undefined;
    const [word, counted] = [this.#totalWord(row), this.#counted(row)];
    if (!word || counted === undefined) return undefined;
    const [at = '', cell = ''] = [word.column, counted].map((it) => cellAddress(it, row.number));
    const params = { text: word.text.trim(), word: at, cell };
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
      if (!cell || !isFilledCell(cell) || NUMBERS.has(cell.kind)) return true;
      return cell.kind === 'text' && (isTotalWord(cell.text) || isNumberLike(cell.text));
    });
  }

  #isHeader({ column, kind, text }: Cell): boolean {
    const header = this.#headers.get(column);
    return kind === 'text' && header !== undefined && sameStart(text, header) && fold(text) === header;
  }

  #repeatsHeader(row: Row): boolean {
    const { columns } = this.#use;
    const filled = columns.flatMap((it) => row.cell(it) ?? []).filter((it) => isFilledCell(it));
    return filled.length >= Math.min(2, columns.length) && filled.every((it) => this.#isHeader(it));
  }
}

class WarningData {
  readonly nonDataRows = new NonDataRows();
  readonly shortLines = new RowNumbers();
  readonly marked = new MarkedCells();
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
