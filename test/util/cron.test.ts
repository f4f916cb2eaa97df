import { describe, expect, it } from 'vitest';
import { readCron } from '../../src/util/cron.js';

const at = (text: string): number => Date.parse(`${text}Z`);

function times(text: string) {
  const reading = readCron(text);
  if (!reading.ok) throw new Error(JSON.stringify(reading.fault));
  return reading.times;
}

describe('a cron expression is read as crontab reads it', () => {
  it('names wall-clock times, before and after one, without it', () => {
    const nightly = times(' 0 2 * * * ');
    expect(nightly.text).toBe('0 2 * * *');
    expect(nightly.after(at('2026-11-21T02:00'))).toBe(at('2026-11-22T02:00'));
    expect(nightly.after(at('2026-11-21T02:00') - 1)).toBe(at('2026-11-21T02:00'));
    expect(nightly.before(at('2026-11-21T02:00'))).toBe(at('2026-11-20T02:00'));
    expect(nightly.before(at('2026-11-21T02:00') + 1)).toBe(at('2026-11-21T02:00'));
  });

  it.each([
    ['0 0 * * SUN', '2026-11-22T00:00'],
    ['0 0 * * 7', '2026-11-22T00:00'],
    ['0 0 1 jan *', '2027-01-01T00:00'],
    ['0 0 L * *', '2026-11-30T00:00'],
    ['0 0 * * MON#2', '2026-12-14T00:00'],
    ['0 0 15W * *', '2026-12-15T00:00'],
    ['0 0 29 2 *', '2028-02-29T00:00'],
    ['0 0 1 * MON', '2026-11-23T00:00'],
    ['10-40/15 9 * * *', '2026-11-22T09:10'],
  ])('%s comes next at %s', (text, next) => {
    expect(times(text).after(at('2026-11-21T12:00'))).toBe(at(next));
  });

  it.each([
    ['60 * * * *', 'minute', '60', 0],
    ['*/0 * * * *', 'minute', '*/0', 0],
    ['0  25 * * *', 'hour', '25', 3],
    ['0 2 32 * *', 'day', '32', 4],
    ['0 2 * FOO *', 'month', 'FOO', 6],
    ['0 2 * * 8', 'weekday', '8', 8],
    ['0 2 * * FRI-MON', 'weekday', 'FRI-MON', 8],
    ['5/15 * * * *', 'minute', '5/15', 0],
  ])('%s is invalid in one field', (text, field, value, offset) => {
    expect(readCron(text)).toEqual({ ok: false, fault: { kind: 'field', field, text: value, offset } });
  });

  it.each(['', '* * * *', '* * * * * *', '@daily'])('%j has not five fields', (text) => {
    expect(readCron(text)).toEqual({ ok: false, fault: { kind: 'fields' } });
  });

  it.each(['0 0 30 2 *', '0 0 31 4,6,9,11 *'])('%s never comes', (text) => {
    expect(readCron(text)).toEqual({ ok: false, fault: { kind: 'never' } });
  });
});
