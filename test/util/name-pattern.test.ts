import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesPattern } from '../../src/util/name-match.js';

describe('a pattern', () => {
  it.each([
    ['*.xlsx', 'orders.xlsx', true],
    ['*.xlsx', 'ORDERS.XLSX', true],
    ['*.xlsx', 'orders.xlsx.part', false],
    ['*.xlsx', '.xlsx', true],
    ['*.xlsx', 'ordersxxlsx', false],
    ['orders-?.csv', 'orders-1.csv', true],
    ['orders-?.csv', 'orders-12.csv', false],
    ['orders-?.csv', 'orders-.csv', false],
    ['?.csv', '😀.csv', true],
    ['订单*.xlsx', '订单 十一月.xlsx', true],
    ['café*.csv', 'cafe\u0301-1.csv', true],
    ['a*b*c.csv', 'axxbyybzzc.csv', true],
    ['a*b*c.csv', 'axxcyyb.csv', false],
    ['*', 'line\nbreak', true],
    ['a[1].csv', 'a[1].csv', true],
    ['a[1].csv', 'a1.csv', false],
    ['a.csv', 'abcsv', false],
    ['{a,b}*.csv', 'a1.csv', false],
    ['*?', '', false],
  ])('%s and %s', (pattern, name, wanted) => {
    expect(matchesPattern(pattern, name)).toBe(wanted);
  });

  it('fits what it was made from, and needs no backtracking', () => {
    const character = fc.constantFrom('a', 'b', '.', '*', '?');
    fc.assert(
      fc.property(fc.array(character, { maxLength: 12 }), fc.string({ maxLength: 6 }), (pattern, filler) => {
        const plain = filler.replace(/[*?]/g, '');
        const name = pattern.map((it) => (it === '*' ? plain : it === '?' ? 'x' : it)).join('');
        expect(matchesPattern(pattern.join(''), name)).toBe(true);
      }),
    );
    // With backtracking this would not end.
    expect(matchesPattern(`${'*a'.repeat(60)}b`, 'a'.repeat(250))).toBe(false);
  });
});
