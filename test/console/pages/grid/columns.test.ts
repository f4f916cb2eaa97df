import { describe, expect, it } from 'vitest';
import {
  clampWidth,
  columnOffsetShowing,
  columnsToDraw,
  fittingWidth,
} from '../../../../src/console/pages/grid/layout.js';

describe('the width of a column', () => {
  it('fits its header and texts, within bounds', () => {
    expect(fittingWidth('Region', ['CN', 'DE'])).toBeLessThan(100);
    expect(fittingWidth('R', ['a text of some forty letters, all of them'])).toBeGreaterThan(200);
    expect(fittingWidth('R', ['x'.repeat(5000)])).toBe(260);
    expect([clampWidth(3), clampWidth(5000)]).toEqual([48, 640]);
  });

  it('gives Chinese characters the width of two', () => {
    expect(fittingWidth('客户名称', [])).toBeGreaterThan(fittingWidth('name', []));
  });
});

describe('columns in view', () => {
  const many = Array.from({ length: 500 }, () => 100);

  it('are all, unless the sheet is very wide', () => {
    expect(columnsToDraw([100, 200, 300], 250, 100)).toEqual({ first: 0, end: 3, before: 0 });
  });

  it('are those of the window and two next to it, in a very wide sheet', () => {
    expect(columnsToDraw(many, 10_050, 800)).toEqual({ first: 98, end: 111, before: 9800 });
    expect(columnsToDraw(many, 0, 800).first).toBe(0);
    expect(columnsToDraw(many, 49_200, 800).end).toBe(500);
  });

  it('are moved to as little as is needed, and a column wider than the view is shown from its start', () => {
    expect(columnOffsetShowing(3, 0, many, 450)).toBe(0);
    expect(columnOffsetShowing(4, 0, many, 450)).toBe(50);
    expect(columnOffsetShowing(2, 900, many, 450)).toBe(200);
    expect(columnOffsetShowing(1, 0, [100, 600], 450)).toBe(100);
  });
});
