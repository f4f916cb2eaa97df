import { describe, expect, it } from 'vitest';
import { RowKeys } from '../../../../src/console/pages/grid/layout.js';

function span(first: number, end: number): number[] {
  return Array.from({ length: end - first }, (_, at) => first + at);
}

function keysOf(keys: RowKeys, rows: readonly number[], apart?: number): (number | undefined)[] {
  const found = keys.of(rows, apart);
  return rows.map((it) => found.get(it));
}

describe('keys of rendered rows', () => {
  it('stay with rows that remain visible, while others come', () => {
    const keys = new RowKeys();
    const before = keysOf(keys, span(0, 10));
    const after = keysOf(keys, span(4, 14));
    expect(after.slice(0, 6)).toEqual(before.slice(4));
    expect(new Set([...before, ...after]).size).toBe(14);
  });

  it('are taken over in order by rows that are jumped to', () => {
    const keys = new RowKeys();
    const before = keysOf(keys, span(0, 10));
    expect(keysOf(keys, span(5000, 5010))).toEqual(before);
  });

  it('stay with the row that has the focus, wherever the others are', () => {
    const keys = new RowKeys();
    const before = keysOf(keys, span(0, 10));
    const after = keysOf(keys, [3, ...span(5000, 5010)], 3);
    expect(after[0]).toBe(before[3]);
    expect(new Set(after).size).toBe(11);
    expect(keysOf(keys, span(0, 10))[3]).toBe(before[3]);
  });
});
