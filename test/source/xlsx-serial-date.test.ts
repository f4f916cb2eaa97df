import { describe, expect, it } from 'vitest';
import { durationText, isoText, serialText } from '../../src/source/xlsx/serial-date.js';

const text = (serial: number, date1904 = false, clock = false): string => {
  const read = serialText(serial, date1904, clock);
  return read.kind === 'none' ? 'none' : `${read.kind} ${read.text}`;
};

describe('a serial date is the day that Excel shows', () => {
  it('counts from 1900, with the day that never was', () => {
    expect(text(1)).toBe('date 1900-01-01');
    expect(text(59)).toBe('date 1900-02-28');
    expect(text(60)).toBe('date 1900-02-29');
    expect(text(61)).toBe('date 1900-03-01');
    expect(text(42382)).toBe('date 2016-01-13');
    expect(text(46053.354166666664)).toBe('date 2026-01-31T08:30:00');
    expect(text(2958465)).toBe('date 9999-12-31');
  });

  it('counts from 1904', () => {
    expect(text(0, true)).toBe('date 1904-01-01');
    expect(text(1, true)).toBe('date 1904-01-02');
    expect(text(60, true)).toBe('date 1904-03-01');
    expect(text(42382 - 1462, true)).toBe('date 2016-01-13');
  });

  it('takes less than a day for a time where no day is meant', () => {
    expect(text(0)).toBe('time 00:00:00');
    expect(text(0.5)).toBe('time 12:00:00');
    expect(text(0.5, true)).toBe('date 1904-01-01T12:00:00');
    expect(text(0.5, true, true)).toBe('time 12:00:00');
    expect(text(0.19681712962963, false, true)).toBe('time 04:43:25');
    expect(text(42382.5, false, true)).toBe('date 2016-01-13T12:00:00');
  });

  it('rounds to the millisecond, over midnight too', () => {
    expect(text(42382 + 1.5 / 86_400_000)).toBe('date 2016-01-13T00:00:00.002');
    expect(text(42382.99999999999)).toBe('date 2016-01-14');
    expect(text(59.999999999999)).toBe('date 1900-02-29');
    expect(text(0.1234567, false, true)).toBe('time 02:57:46.659');
  });

  it('finds no day for other numbers', () => {
    expect(text(-1)).toBe('none');
    expect(text(-0.5, true)).toBe('none');
    expect(text(2958466)).toBe('none');
    expect(text(2958465 - 1462 + 1, true)).toBe('none');
    expect(text(Number.NaN)).toBe('none');
    expect(text(1e300)).toBe('none');
  });

  it('writes elapsed times beyond a day', () => {
    expect(durationText(0)).toBe('00:00:00');
    expect(durationText(1.2604166666666667)).toBe('30:15:00');
    expect(durationText(63)).toBe('1512:00:00');
    expect(durationText(-0.5)).toBe('-12:00:00');
    expect(durationText(0.0000000001)).toBe('00:00:00');
    expect(durationText(1.5 / 86_400)).toBe('00:00:01.500');
    expect(durationText(104_249_991)).toBe('2501999784:00:00');
    for (const serial of [104_249_992, 95_389_077_922.7, 1e300, 1e305])
      expect(durationText(serial)).toBeUndefined();
  });

  it('reads ISO texts', () => {
    const iso = (given: string): string => {
      const read = isoText(given);
      return read.kind === 'none' ? 'none' : `${read.kind} ${read.text}`;
    };
    expect(iso('2016-01-13')).toBe('date 2016-01-13');
    expect(iso('2016-01-13T00:00:00')).toBe('date 2016-01-13');
    expect(iso('2016-01-13T08:30')).toBe('date 2016-01-13T08:30:00');
    expect(iso('2016-01-13T08:30:00.1239')).toBe('date 2016-01-13T08:30:00.123');
    expect(iso('2016-01-13T08:30:00.000Z')).toBe('date 2016-01-13T08:30:00');
    expect(iso('08:30:00')).toBe('time 08:30:00');
    expect(iso('T08:30:00')).toBe('time 08:30:00');
    expect(iso('2016-01-13T08:30:00+08:00')).toBe('none');
    expect(iso('')).toBe('none');
    expect(iso('soon')).toBe('none');
  });
});
