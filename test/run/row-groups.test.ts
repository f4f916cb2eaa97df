import { describe, expect, it } from 'vitest';
import { AdjacentRows, type RowGroups, ScatteredRows } from '../../src/run/plan/row-groups.js';
import { row } from '../support/mapping.js';

/** Adds rows 2, 3, … of these keys; gives the rows of each group as it is over, and what was said last. */
function added(groups: RowGroups, keys: readonly string[]) {
  const found: (readonly number[])[] = [];
  let said = '';
  for (const [index, key] of keys.entries()) {
    const it = groups.add(key, row(index + 2, [key]));
    said = it.kind;
    if (it.kind === 'complete') found.push(it.rows.map(({ number }) => number));
  }
  return { found, said, rest: [...groups.rest()].map((rows) => rows.map(({ number }) => number)) };
}

describe('rows that stand together', () => {
  it('are a group once another key follows, and the last one at the end', () => {
    expect(added(new AdjacentRows(), ['a', 'a', 'b', 'c', 'c'])).toEqual({
      found: [[2, 3], [4]],
      said: 'waiting',
      rest: [[5, 6]],
    });
    expect(added(new AdjacentRows(), [])).toEqual({ found: [], said: '', rest: [] });
  });

  it.each([[['a', 'b', 'a']], [['a', 'b', 'b', 'c', 'b']]])(
    '%s: a key that comes again after another one is reported',
    (keys) => {
      expect(added(new AdjacentRows(), keys).said).toBe('scattered');
    },
  );
});

describe('rows that stand anywhere', () => {
  it('are groups at the end, by their first rows', () => {
    const groups = new ScatteredRows([1]);
    expect(added(groups, ['b', 'a', 'b', 'c', 'a'])).toEqual({
      found: [],
      said: 'waiting',
      rest: [[2, 4], [3, 6], [5]],
    });
    groups.close();
  });
});
