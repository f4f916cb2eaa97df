import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Row } from '../../model/row.js';
import type { MergedRanges } from '../../source/merged-ranges.js';
import { PlainRow } from '../../source/other/plain-row.js';
import { cellAddress } from '../../util/address.js';
import type { Overlay } from './overlay.js';

/** Merged ranges that can't stay, as a cell that they hide was corrected. */
export interface UnmergedRanges {
  readonly ranges: ReadonlySet<number>;
  /** A row with what its cells under these ranges were read as. @throws ProductError usage where one is a fault */
  filled(row: Row, asRead: Row): Row;
}

export function brokenRanges(merges: MergedRanges, overlay: Overlay): UnmergedRanges {
  const ranges = new Set<number>();
  const rows = [...overlay.rows()];
  for (let range = 0; range < merges.count && rows.length > 0; range += 1)
    if (isBroken(merges, range, overlay, rows)) ranges.add(range);
  const byRow = [...ranges];
  return {
    ranges,
    filled(row, asRead) {
      const over = byRow.filter(
        (range) => merges.top(range) <= row.number && merges.bottom(range) >= row.number,
      );
      return over.length === 0 ? row : withCells(row, asRead, over, merges);
    },
  };
}

function isBroken(merges: MergedRanges, range: number, overlay: Overlay, rows: readonly number[]): boolean {
  const top = merges.top(range);
  const left = merges.left(range);
  for (let at = firstFrom(rows, top); at < rows.length && rows[at]! <= merges.bottom(range); at += 1) {
    for (const { row, column, text } of overlay.row(rows[at]!)!.values()) {
      const isWithin = column >= left && column <= merges.right(range);
      if (isWithin && text !== '' && !(row === top && column === left)) return true;
    }
  }
  return false;
}

function firstFrom(rows: readonly number[], least: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

function withCells(row: Row, asRead: Row, over: readonly number[], merges: MergedRanges): Row {
  const cells = new Map(row.cells().map((it) => [it.column, it]));
  for (const range of over) {
    for (let column = merges.left(range); column <= merges.right(range); column += 1) {
      const isFirst = row.number === merges.top(range) && column === merges.left(range);
      const read = asRead.cell(column);
      if (isFirst || row.cell(column)?.corrected || !read) continue;
      if (read.kind === 'merged') throw stillMerged(column, row.number, merges.address(range));
      cells.set(column, { ...read, column });
    }
  }
  return new PlainRow(
    row,
    [...cells.values()].sort((a, b) => a.column - b.column),
  );
}

/**
 * Danger: whatever stood in such a cell of a copy, it would be no cell under a range any more, and the rows above, which are
 * held back because of it, would go out without it.
 */
function stillMerged(column: number, row: number, range: string): ProductError {
  return new ProductError(
    'usage',
    message('corrections.still_merged', { cell: cellAddress(column, row), range }),
  );
}
