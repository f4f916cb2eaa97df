import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesPattern, nearest } from '../../src/util/name-match.js';

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

describe('the nearest name', () => {
  const LOCKS = ['网络锁（不可回收）', '网络锁（可回收）', '网络身份锁', '单机锁（可回收）'];

  it.each([
    // Two kinds of network lock begin so; an identity lock is another product.
    ['网络锁', undefined],
    ['网络身份', '网络身份锁'],
    ['单机锁可回收', '单机锁（可回收）'],
    ['网络锁（可回收', '网络锁（可回收）'],
    ['网络锁（可回收）', '网络锁（可回收）'],
  ])('of %s is %s', (word, near) => {
    expect(nearest(word, LOCKS)).toBe(near);
  });

  it('is the name itself although others begin with it', () => {
    expect(nearest('cloud', ['cloud_a', 'cloud_b', 'cloud'])).toBe('cloud');
  });
});
