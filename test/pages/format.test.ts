import { describe, expect, it } from 'vitest';
import { count, duration, figure, share, Times } from '../../src/pages/format.js';

describe('figures of a page', () => {
  it.each([
    [0, '0 ms'],
    [850.4, '850 ms'],
    [3210, '3.2 s'],
    [9960, '10 s'],
    [64_000, '64 s'],
    [245_000, '4 min 5 s'],
    [7_380_000, '2 h 3 min'],
    [273_600_000, '3 d 4 h'],
  ])('%d ms is %s', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });

  it.each([
    [0, 10, '0%'],
    [10, 10, '100%'],
    [1, 100_000, '<0.1%'],
    [99_999, 100_000, '>99.9%'],
    [1, 3, '33%'],
    [0, 0, '0%'],
  ])('%d of %d is %s', (part, whole, text) => {
    expect(share(part, whole)).toBe(text);
  });

  it('writes counts and rates with the digits they deserve', () => {
    expect([count(1_234_567), figure(0), figure(0.1234), figure(12.34), figure(20), figure(1234.5)]).toEqual([
      '1,234,567',
      '0',
      '0.12',
      '12.3',
      '20',
      '1,235',
    ]);
  });

  it('shows times as the clocks of the zone do, of an unknown zone in UTC', () => {
    const at = Date.UTC(2026, 10, 21, 18, 3, 11, 250);
    const times = new Times('Asia/Shanghai');
    expect([times.full(at), times.clock(at), times.clock(at, true)]).toEqual([
      '2026-11-22 02:03:11',
      '02:03:11',
      '02:03:11.250',
    ]);
    expect(new Times('Mars/Olympus')).toMatchObject({ zone: 'UTC' });
    expect(new Times('Mars/Olympus').full(at)).toBe('2026-11-21 18:03:11');
  });
});
