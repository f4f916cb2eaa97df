import { type Message, message } from '../errors/message.js';
import type { Cell, Header, Row } from '../model/row.js';
import { cellAddress, columnLetters } from '../util/spreadsheet-text.js';
import { RowNumbers } from '../util/text.js';

/** Maximum number of cells in a warning; the others are counted. */
const NAMED = 20;

/** The results of a column's formulas. */
interface FormulaColumn {
  allZero: boolean;
  /** The first rows, and the number of the others. */
  readonly rows: number[];
  readonly others: RowNumbers;
}

/** Collects formulas and struck-out cells among the data that a job reads, for warnings. */
export class MarkedCells {
  readonly #struck: string[] = [];
  #struckCount = 0;
  readonly #formulas = new Map<number, FormulaColumn>();
  #pending: string | undefined;

  /** Rows are added in ascending order. */
  add(row: Row, columns: Iterable<number>): void {
    for (const column of columns) {
      const cell = row.cell(column);
      if (cell?.struck) this.#strike(cell, row.number);
      // An error or a missing result has its own message.
      if (!cell?.formula || cell.kind === 'error' || cell.kind === 'no_result') continue;
      if (cell.formula === 'pending') this.#pending ??= cellAddress(column, row.number);
      else this.#calculated(cell, row.number);
    }
  }

  warnings(sheet: string, headers: readonly Header[]): readonly Message[] {
    const found: Message[] = [];
    if (this.#pending !== undefined)
      found.push(message('source.formulas_pending', { sheet, cell: this.#pending }));
    for (const [column, { allZero, rows, others }] of this.#formulas) {
      if (!allZero) continue;
      const header = headers.find((it) => it.column === column)?.text ?? columnLetters(column);
      for (const row of rows) {
        const cell = `${sheet}!${cellAddress(column, row)}`;
        found.push(message('source.formula_zero', { cell, header }));
      }
      const params = { sheet, header, count: others.count, rows: `${others}` };
      if (others.count > 0) found.push(message('source.formula_zero_more', params));
    }
    if (this.#struckCount > 0) {
      const more = this.#struckCount - this.#struck.length;
      const cells = [...this.#struck, ...(more > 0 ? [`… (+${more})`] : [])].join(', ');
      found.push(message('source.struck_out', { sheet, count: this.#struckCount, cells }));
    }
    return found;
  }

  #strike({ column }: Cell, row: number): void {
    this.#struckCount += 1;
    if (this.#struck.length < NAMED) this.#struck.push(cellAddress(column, row));
  }

  #calculated(cell: Cell, row: number): void {
    let found = this.#formulas.get(cell.column);
    if (!found) {
      found = { allZero: true, rows: [], others: new RowNumbers() };
      this.#formulas.set(cell.column, found);
    }
    if (!found.allZero) return;
    found.allZero = isZero(cell);
    if (found.rows.length < NAMED) found.rows.push(row);
    else found.others.add(row);
  }
}

/** Day 0 of a date cell in an .ods file. */
const DAY_ZERO = /^1899-12-30(?:T00:00:00)?$/;

function isZero({ kind, raw }: Cell): boolean {
  if (kind === 'boolean') return false;
  return (raw.trim() !== '' && Number(raw) === 0) || DAY_ZERO.test(raw);
}
