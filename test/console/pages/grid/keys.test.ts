import { describe, expect, it } from 'vitest';
import { keyAction, type PressedKey } from '../../../../src/console/pages/grid/keys.js';
import {
  at,
  cellsIn,
  type GridPlace,
  isWithin,
  rangeOf,
} from '../../../../src/console/pages/grid/positions.js';

const SIZE = { rows: 1_000_000, columns: 8 };
const HERE: GridPlace = { row: 500, column: 3 };

/** `Ctrl+Shift+End` and the like. */
function press(name: string): PressedKey {
  const parts = name === '+' ? ['+'] : name.split('+');
  const key = parts.at(-1) ?? '';
  return {
    key: key === 'Space' ? ' ' : key,
    ctrlKey: parts.includes('Ctrl'),
    metaKey: parts.includes('Meta'),
    shiftKey: parts.includes('Shift'),
    altKey: parts.includes('Alt'),
  };
}

function to(name: string, from: GridPlace = HERE): readonly [number, number] | undefined {
  const wish = keyAction(press(name), from, SIZE, 20);
  return wish?.kind === 'move' ? [wish.to.row, wish.to.column] : undefined;
}

describe('keys that move', () => {
  it.each([
    ['ArrowDown', [501, 3]],
    ['ArrowUp', [499, 3]],
    ['ArrowLeft', [500, 2]],
    ['ArrowRight', [500, 4]],
    ['PageDown', [520, 3]],
    ['PageUp', [480, 3]],
    ['Home', [500, 1]],
    ['End', [500, 8]],
    ['Ctrl+Home', [1, 1]],
    ['Ctrl+End', [1_000_000, 8]],
    ['Ctrl+ArrowDown', [1_000_000, 3]],
    ['Ctrl+ArrowUp', [1, 3]],
    ['Ctrl+ArrowLeft', [500, 1]],
    ['Ctrl+ArrowRight', [500, 8]],
    ['Meta+ArrowDown', [1_000_000, 3]],
  ])('%s', (key, place) => {
    expect(to(key)).toEqual(place);
  });

  it('stay within the grid, whose header and row numbers are places too', () => {
    expect(to('ArrowUp', { row: 1, column: 1 })).toEqual([0, 1]);
    expect(to('ArrowUp', { row: 0, column: 1 })).toEqual([0, 1]);
    expect(to('ArrowLeft', { row: 1, column: 1 })).toEqual([1, 0]);
    expect(to('ArrowDown', { row: 1_000_000, column: 1 })).toEqual([1_000_000, 1]);
    expect(to('PageDown', { row: 999_990, column: 1 })).toEqual([1_000_000, 1]);
    expect(to('PageUp', { row: 5, column: 1 })).toEqual([1, 1]);
  });

  it('lead the selection along with Shift', () => {
    expect(keyAction(press('Shift+ArrowDown'), HERE, SIZE, 20)).toMatchObject({ kind: 'move', extend: true });
    expect(keyAction(press('Ctrl+Shift+End'), HERE, SIZE, 20)).toMatchObject({
      extend: true,
      to: { row: 1e6 },
    });
  });
});

describe('keys that act', () => {
  it.each([
    ['Enter', { kind: 'edit' }],
    ['F2', { kind: 'edit' }],
    ['x', { kind: 'edit', text: 'x' }],
    ['客', { kind: 'edit', text: '客' }],
    ['Delete', { kind: 'clear' }],
    ['Process', { kind: 'edit', text: '' }],
    ['Ctrl+D', { kind: 'fill-down' }],
    ['Ctrl+z', { kind: 'undo' }],
    ['Ctrl+y', { kind: 'redo' }],
    ['Ctrl+Shift+Z', { kind: 'redo' }],
    ['Ctrl+a', { kind: 'select', what: 'all' }],
    ['Shift+Space', { kind: 'select', what: 'row' }],
    ['Ctrl+Space', { kind: 'select', what: 'column' }],
  ])('%s', (key, wish) => {
    expect(keyAction(press(key), HERE, SIZE, 20)).toEqual(wish);
  });

  it('sort, filter and change the width of a column at its header, and edit neither header nor row number', () => {
    expect(keyAction(press('+'), { row: 0, column: 2 }, SIZE, 20)).toEqual({ kind: 'width', by: 16 });
    expect(keyAction(press('-'), { row: 0, column: 2 }, SIZE, 20)).toEqual({ kind: 'width', by: -16 });
    expect(keyAction(press('Enter'), { row: 0, column: 2 }, SIZE, 20)).toEqual({ kind: 'arrange' });
    expect(keyAction(press('Enter'), { row: 5, column: 0 }, SIZE, 20)).toBeUndefined();
    expect(keyAction(press('x'), { row: 5, column: 0 }, SIZE, 20)).toBeUndefined();
  });

  it('are left to the browser where they mean something to it, or to an input method', () => {
    for (const key of ['Tab', 'F5', 'Ctrl+r', 'Ctrl+c', 'Ctrl+v', 'Alt+ArrowLeft', 'Escape']) {
      expect([key, keyAction(press(key), HERE, SIZE, 20)]).toEqual([key, undefined]);
    }
    expect(keyAction({ ...press('n'), isComposing: true }, HERE, SIZE, 20)).toBeUndefined();
  });
});

describe('a selection', () => {
  it('is the rectangle between where it began and where it was led', () => {
    const range = rangeOf({ anchor: { row: 9, column: 5 }, focus: { row: 7, column: 6 } }, SIZE);
    expect(range).toEqual({ top: 7, bottom: 9, left: 5, right: 6 });
    expect(cellsIn(range)).toBe(6);
    expect([isWithin({ row: 8, column: 5 }, range), isWithin({ row: 8, column: 4 }, range)]).toEqual([
      true,
      false,
    ]);
  });

  it('is a whole column at its header, a whole row at its number, all at the corner', () => {
    expect(rangeOf(at({ row: 0, column: 2 }), SIZE)).toEqual({ top: 1, bottom: 1e6, left: 2, right: 2 });
    expect(rangeOf(at({ row: 4, column: 0 }), SIZE)).toEqual({ top: 4, bottom: 4, left: 1, right: 8 });
    expect(cellsIn(rangeOf(at({ row: 0, column: 0 }), SIZE))).toBe(8e6);
  });
});
