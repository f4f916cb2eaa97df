import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowStore } from '../../src/run/input/row-store.js';
import { type Given, row } from '../support/mapping.js';

const MODES = [
  ['in memory', {}],
  ['in a file', { memoryBytes: 0 }],
  ['from memory to a file', { memoryBytes: 1500 }],
] as const;

function numbers(store: RowStore): [string, number[]][] {
  return [...store.groups()].map(([key, rows]) => [key, rows.map((it) => it.number)]);
}

describe.each(MODES)('rows by key %s', (_name, options) => {
  it('groups come in order of first appearance, rows in the order they were added', () => {
    const store = new RowStore([1], options);
    for (let number = 1; number <= 40; number += 1) store.add(`k${(number * 7) % 5}`, row(number, ['x']));
    const groups = numbers(store);
    expect(groups.map(([key]) => key)).toEqual(['k2', 'k4', 'k1', 'k3', 'k0']);
    expect(groups[0]).toEqual(['k2', [1, 6, 11, 16, 21, 26, 31, 36]]);
    expect(store.get('k0').map((it) => it.number)).toEqual([5, 10, 15, 20, 25, 30, 35, 40]);
    expect(store.get('none')).toEqual([]);
    store.close();
    expect(numbers(store)).toEqual([]);
  });

  it('rows come back as they were, without the columns that are not kept', () => {
    const store = new RowStore([3, 1, 3], options);
    const cells: Given[] = [
      ['number', '0012', '12'],
      'left out',
      ['date', '2026-01-31', '46053'],
      'left out',
    ];
    store.add('k', row(7, cells, '订单'));
    store.add('k', row(8, [undefined, 'x', ['no_result', '']]));
    const [first, second] = store.get('k');
    expect(first).toMatchObject({ sheet: '订单', number: 7, hidden: false });
    expect(first?.cells()).toEqual([
      { column: 1, kind: 'number', text: '0012', raw: '12' },
      { column: 3, kind: 'date', text: '2026-01-31', raw: '46053' },
    ]);
    expect(first?.cell(3)?.text).toBe('2026-01-31');
    expect(first?.cell(2)).toBeUndefined();
    expect(first?.cell(99)).toBeUndefined();
    expect(second?.cells()).toEqual([{ column: 3, kind: 'no_result', text: '', raw: '' }]);
    store.close();
  });

  it('keeps number formats and hidden marks', () => {
    const store = new RowStore([1], options);
    const cell = { column: 1, kind: 'number', text: '5', raw: '5', format: '0.00' } as const;
    store.add('k', { sheet: 'S', number: 2, hidden: true, cell: () => cell, cells: () => [cell] });
    expect(store.get('k')[0]).toMatchObject({ hidden: true });
    expect(store.get('k')[0]?.cell(1)).toEqual(cell);
    store.close();
  });

  it('keys may be any text', () => {
    const keys = ['', '__proto__', 'a\u0000b', 'a', '\ud800', '\ud801', "'; DROP TABLE rows;--", '１', '1'];
    const store = new RowStore([1], options);
    for (const [index, key] of keys.entries()) store.add(key, row(index + 1, ['x']));
    expect(numbers(store)).toEqual(keys.map((key, index) => [key, [index + 1]]));
    expect(store.get('a\u0000b').map((it) => it.number)).toEqual([3]);
    store.close();
  });

  it('groups may be read while others are asked for', () => {
    const store = new RowStore([1], options);
    for (let number = 1; number <= 30; number += 1) store.add(`k${number % 3}`, row(number, ['x']));
    for (const [key, rows] of store.groups()) expect(store.get(key)).toHaveLength(rows.length);
    store.close();
  });
});

describe('memory and file give the same rows', () => {
  it('hold the same, whatever is added', () => {
    const added = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.string()), { maxLength: 40 });
    fc.assert(
      fc.property(added, fc.integer({ min: 0, max: 4000 }), (rows, memoryBytes) => {
        const stores = [new RowStore([1]), new RowStore([1], { memoryBytes })];
        for (const store of stores) {
          for (const [index, [key, text]] of rows.entries()) store.add(key, row(index + 2, [text]));
        }
        const [memory, file] = stores.map((store) =>
          [...store.groups()].map(([key, group]) => [key, group.map((it) => [it.number, it.cells()])]),
        );
        expect(file).toEqual(memory);
        for (const store of stores) store.close();
      }),
      { numRuns: 60 },
    );
  });

  it('goes to a file past the bound only', () => {
    const store = new RowStore([1], { memoryBytes: 100_000 });
    store.add('k', row(1, ['x']));
    expect(store.onDisk).toBe(false);
    for (let number = 2; number < 2000; number += 1) store.add(`k${number}`, row(number, ['x'.repeat(100)]));
    expect(store.onDisk).toBe(true);
    store.close();
  });
});
