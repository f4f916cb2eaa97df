import { describe, expect, it } from 'vitest';
import {
  CANVAS_LIMIT,
  canvasHeight,
  offsetAt,
  offsetShowing,
  ROW_HEIGHT,
  rowsToDraw,
  scrollTopFor,
} from '../../../../src/console/pages/grid/layout.js';

const MILLION = { rows: 1_000_000, view: 560 };

describe('a grid of a million rows', () => {
  it('is a canvas that every browser can lay out', () => {
    expect(canvasHeight(MILLION.rows)).toBe(CANVAS_LIMIT);
    expect(canvasHeight(10)).toBe(10 * ROW_HEIGHT);
  });

  it('has its first row at the top of the scrollbar and its last at the bottom', () => {
    expect(rowsToDraw(offsetAt(0, MILLION), MILLION).first).toBe(0);
    const bottom = offsetAt(CANVAS_LIMIT - MILLION.view, MILLION);
    expect(bottom).toBe(1_000_000 * ROW_HEIGHT - MILLION.view);
    expect(rowsToDraw(bottom, MILLION).end).toBe(1_000_000);
  });

  it('reaches every row: what is shown by the keyboard stands where the scrollbar then says', () => {
    for (const row of [0, 1, 19, 20, 499_999, 777_777, 999_998, 999_999]) {
      const offset = offsetShowing(row, 0, MILLION);
      const again = offsetAt(scrollTopFor(offset, MILLION), MILLION);
      expect(again).toBeCloseTo(offset, 4);
      const { first, end } = rowsToDraw(again, MILLION);
      expect([row, first <= row && row < end]).toEqual([row, true]);
    }
  });

  it('draws few rows, and the same ones while it moves by less than a step', () => {
    const { first, end } = rowsToDraw(14_000_000, MILLION);
    expect(end - first).toBeLessThan(40);
    expect(rowsToDraw(14_000_010, MILLION)).toEqual({ first, end });
  });
});

describe('a grid that fits into its view', () => {
  const few = { rows: 5, view: 560 };

  it('does not scroll', () => {
    expect([offsetAt(300, few), scrollTopFor(300, few), offsetShowing(4, 0, few)]).toEqual([0, 0, 0]);
    expect(rowsToDraw(0, few)).toEqual({ first: 0, end: 5 });
  });

  it('has no rows to draw where there are none', () => {
    expect(rowsToDraw(0, { rows: 0, view: 560 })).toEqual({ first: 0, end: 0 });
  });
});

describe('showing a row', () => {
  it('moves as little as is needed', () => {
    const all = { rows: 100, view: 280 };
    expect(offsetShowing(5, 0, all)).toBe(0);
    expect(offsetShowing(10, 0, all)).toBe(ROW_HEIGHT);
    expect(offsetShowing(3, 500, all)).toBe(3 * ROW_HEIGHT);
    expect(offsetShowing(99, 0, all)).toBe(100 * ROW_HEIGHT - 280);
  });
});
