import { cellAddress } from '../util/spreadsheet-text.js';

/** Numbers for each range: top row, left column, bottom row, right column; 1-based, inclusive. */
const STRIDE = 4;

/** The merged ranges of a sheet, by ascending top row. Only the first cell of a range, top left, has its value. */
export class MergedRanges {
  static readonly NONE = new MergedRanges(new Int32Array(0));
  readonly #numbers: Int32Array;

  /** @param numbers four per range, sorted by top row */
  private constructor(numbers: Int32Array) {
    this.#numbers = numbers;
  }

  /** @param numbers top, left, bottom and right of each range, in any order */
  static of(numbers: readonly number[]): MergedRanges {
    const count = numbers.length / STRIDE;
    const order = Array.from({ length: count }, (_, index) => index * STRIDE).sort(
      (a, b) => numbers[a]! - numbers[b]!,
    );
    const sorted = new Int32Array(numbers.length);
    for (const [index, at] of order.entries()) {
      for (let i = 0; i < STRIDE; i += 1) sorted[index * STRIDE + i] = numbers[at + i]!;
    }
    return new MergedRanges(sorted);
  }

  get count(): number {
    return this.#numbers.length / STRIDE;
  }

  /** Top, left, bottom and right of each range, in the form of `of`. */
  numbers(): readonly number[] {
    return [...this.#numbers];
  }

  top(range: number): number {
    return this.#numbers[range * STRIDE]!;
  }

  left(range: number): number {
    return this.#numbers[range * STRIDE + 1]!;
  }

  bottom(range: number): number {
    return this.#numbers[range * STRIDE + 2]!;
  }

  right(range: number): number {
    return this.#numbers[range * STRIDE + 3]!;
  }

  /** `C2:C4`. */
  address(range: number): string {
    return `${cellAddress(this.left(range), this.top(range))}:${cellAddress(this.right(range), this.bottom(range))}`;
  }
}

/** Finds, row by row from the top, the cells of the given columns that are under a merged range. */
export class MergeSweep {
  readonly #ranges: MergedRanges;
  readonly #columns: readonly number[];
  /** The range over each column at the current row. If two overlap (only in a damaged file), the upper one. */
  readonly #over = new Map<number, number>();
  #next = 0;

  constructor(ranges: MergedRanges, columns: readonly number[]) {
    this.#ranges = ranges;
    this.#columns = [...new Set(columns)];
  }

  /**
   * The ranges that cover the row, by column, including those that begin in it. Call it with ascending row numbers.
   */
  at(row: number): ReadonlyMap<number, number> {
    const ranges = this.#ranges;
    if (this.#over.size > 0) {
      for (const [column, range] of this.#over) if (ranges.bottom(range) < row) this.#over.delete(column);
    }
    for (; this.#next < ranges.count && ranges.top(this.#next) <= row; this.#next += 1) {
      const range = this.#next;
      if (ranges.bottom(range) < row) continue;
      for (const column of this.#columns) {
        const within = column >= ranges.left(range) && column <= ranges.right(range);
        if (within && !this.#over.has(column)) this.#over.set(column, range);
      }
    }
    return this.#over;
  }
}
