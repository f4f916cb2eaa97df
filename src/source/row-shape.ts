import { message } from '../errors/message.js';
import type { JobSource } from '../model/job.js';
import { type Cell, DerivedRow, type Row, type RowFault } from '../model/row.js';
import { isFilledCell } from './cell-texts.js';
import type { BoundCondition } from './condition.js';
import { type MergedRanges, MergeSweep } from './merged-ranges.js';
import type { NonDataRow } from './non-data-rows.js';

const NONE: ReadonlyMap<number, Cell> = new Map();

interface Shaping {
  /** Cells that replace those of the row, by column. */
  readonly replaced?: ReadonlyMap<number, Cell>;
  /** Added before the row's own errors. */
  readonly faults?: readonly RowFault[];
}

/** A row with some cells replaced or with additional errors. */
export class ShapedRow extends DerivedRow {
  readonly #replaced: ReadonlyMap<number, Cell>;
  readonly #faults: readonly RowFault[];

  constructor(row: Row, { replaced = NONE, faults = [] }: Shaping) {
    super(row);
    this.#replaced = replaced;
    this.#faults = faults;
  }

  override get faults(): readonly RowFault[] | undefined {
    return this.#faults.length === 0 ? super.faults : [...this.#faults, ...(super.faults ?? [])];
  }

  override cell(column: number): Cell | undefined {
    return this.#replaced.get(column) ?? super.cell(column);
  }

  override cells(): readonly Cell[] {
    if (this.#replaced.size === 0) return super.cells();
    const unchanged = super.cells().filter(({ column }) => !this.#replaced.has(column));
    return [...unchanged, ...this.#replaced.values()].sort((a, b) => a.column - b.column);
  }
}

export interface ReadingRules {
  readonly merged: NonNullable<JobSource['merged']>;
  /** Columns whose empty cells get the value from above. */
  readonly fillDown: readonly number[];
  readonly until: BoundCondition | undefined;
  /** Columns that are read but not mapped, such as those of `where`. */
  readonly unmapped: readonly number[];
}

/** Fills cells under merged ranges, and empty cells, row by row, by the job's rules. */
export class RowShape {
  readonly #merges: MergedRanges;
  readonly #rules: ReadingRules;
  readonly #headerRow: number;
  readonly #sweep: MergeSweep | undefined;
  readonly #above = new Map<number, Cell>();
  /** Columns whose value above is unknown, with the row that made it unknown. */
  readonly #lost = new Map<number, number>();
  /** Values of the ranges over the current row whose first cell has one. */
  readonly #values = new Map<number, Cell>();
  #over: ReadonlyMap<number, number> = new Map();

  constructor(merges: MergedRanges, rules: ReadingRules, headerRow: number, columns: readonly number[]) {
    this.#merges = merges;
    this.#rules = rules;
    this.#headerRow = headerRow;
    this.#sweep = merges.count === 0 ? undefined : new MergeSweep(merges, columns);
  }

  /** Moves to the next row. Call it once for each row, before the other methods. */
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

  /**
   * The first of the blank rows between two rows for which the condition is true. Such rows are not passed to `enter`.
   * @param after number of the row above them, which was entered last
   */
  blankEnd(until: BoundCondition, sheet: string, after: number, before: number): number | undefined {
    for (let number = after + 1; number < before; number += 1) {
      const blank: Row = { sheet, number, hidden: false, cell: () => undefined, cells: () => [] };
      this.enter(blank);
      if (until.judge(this.unfilled(blank)).kind === 'in') return number;
      // Without a merged range over them, all blank rows are the same.
      if (this.#over.size === 0) return undefined;
    }
    return undefined;
  }

  /**
   * The row's only text, if one merged range spreads it over several columns. It is most likely a note or a title, and
   * `merged: fill` would create an item from it.
   */
  spread(row: Row, columns: readonly number[]): NonDataRow | undefined {
    if (this.#over.size === 0 || this.#rules.merged !== 'fill') return undefined;
    const cells = this.#underMerges(row);
    const filled = columns.filter((column) => isFilledCell(cells.get(column) ?? row.cell(column)));
    const range = this.#over.get(filled[0] ?? 0);
    if (range === undefined || filled.length < 2) return undefined;
    if (filled.some((column) => row.cell(column)?.corrected && this.#isUnderRange(row, column)))
      return undefined;
    if (filled.some((column) => this.#over.get(column) !== range)) return undefined;
    const text = this.#values.get(range)?.text.trim() ?? '';
    return { kind: 'spread', text, range: this.#merges.address(range), column: filled[0]! };
  }

  /** The row with the cells under merged ranges marked as `merged`, whatever the job's rules. */
  unmerged(row: Row): Row {
    return new ShapedRow(row, { replaced: this.#underMerges(row, false) });
  }

  /** The row before `fillDown`. */
  unfilled(row: Row): Row {
    const replaced = this.#underMerges(row);
    return replaced.size === 0 ? row : new ShapedRow(row, { replaced });
  }

  /** For a row with unreliable cells: rows below must not get values from it, nor from above it. */
  distrust(row: Row): void {
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
        return [{ column, shifts: 'none', message: message('source.value_above_lost', { above }) }];
      this.#lost.delete(column);
      return [];
    });
    return faults.length > 0 ? new ShapedRow(shaped, { faults }) : shaped;
  }

  #shaped(row: Row): Row {
    const { fillDown } = this.#rules;
    if (this.#over.size === 0 && fillDown.length === 0) return row;
    const replaced = this.#underMerges(row);
    for (const column of fillDown) {
      const merged = replaced.get(column);
      const cell = merged ?? row.cell(column);
      const above = this.#above.get(column);
      if (cell && isFilledCell(cell)) {
        // A corrected cell within a range is independent: the cells below it get the range's value.
        if (!cell.corrected || !this.#isUnderRange(row, column)) this.#above.set(column, cell);
      } else if (above && (!merged || this.#isBelowItself(row, column))) replaced.set(column, above);
    }
    return replaced.size === 0 ? row : new ShapedRow(row, { replaced });
  }

  /** Whether the value above comes from the range over this cell, and the cell has no hidden value of its own. */
  #isBelowItself(row: Row, column: number): boolean {
    const range = this.#over.get(column);
    if (range === undefined || isFilledCell(row.cell(column))) return false;
    return this.#merges.left(range) === column && this.#merges.top(range) > this.#headerRow;
  }

  /** Whether the cell is covered by a range that begins in another cell. */
  #isUnderRange({ number }: Row, column: number): boolean {
    const range = this.#over.get(column);
    if (range === undefined) return false;
    return this.#merges.top(range) !== number || this.#merges.left(range) !== column;
  }

  #underMerges(row: Row, filling = this.#rules.merged === 'fill'): Map<number, Cell> {
    const replaced = new Map<number, Cell>();
    for (const [column, range] of this.#over) {
      if (!this.#isUnderRange(row, column)) continue;
      const covered = row.cell(column);
      if (covered?.corrected) continue;
      const value = this.#values.get(range);
      const fills = filling && this.#merges.top(range) > this.#headerRow;
      const hides = isFilledCell(covered) && covered?.text.trim() !== value?.text.trim();
      if (fills && !hides) {
        if (value) replaced.set(column, { ...value, column });
      } else {
        replaced.set(column, { column, kind: 'merged', text: '', raw: this.#merges.address(range) });
      }
    }
    return replaced;
  }
}
