import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainCron, plainFields } from '../../../src/schedule/export/fields.js';
import { readCron } from '../../../src/util/cron.js';
import { matcher } from '../manual-runs.js';

function plain(text: string): string {
  const reading = plainFields(text);
  return reading.ok ? plainCron(reading.fields) : `${reading.field} ${reading.value}`;
}

describe('an expression in plain numbers', () => {
  it.each([
    ['0 2 * * *', '0 2 * * *'],
    ['*/20 */8 * * ?', '0,20,40 0,8,16 * * *'],
    ['10-40/15 9 1 jan,MAR *', '10,25,40 9 1 1,3 *'],
    ['0 0 * * MON-FRI', '0 0 * * 1,2,3,4,5'],
    ['0 0 * * 5-7', '0 0 * * 0,5,6'],
    ['0 0 * * 7', '0 0 * * 0'],
    ['0 0 1 * MON', '0 0 1 * 1'],
    // Either day will do, and one of them allows every day.
    ['0 0 1-31 * MON', '0 0 * * *'],
    ['0 0 13 * 0-6', '0 0 * * *'],
    // A star with a step is a star to some programs next to a day of the week.
    ['0 0 */10 * MON', '0 0 1,11,21,31 * 1'],
  ])('%s is %s', (text, expected) => {
    expect(plain(text)).toBe(expected);
  });

  it.each([
    ['0 0 L * *', 'day L'],
    ['0 0 15W * *', 'day 15W'],
    ['0 0 * * MON#2', 'weekday MON#2'],
    ['0 0 * * 5#L', 'weekday 5#L'],
    ['0 0 * * 5L', 'weekday 5L'],
    ['0 0 LW * *', 'day LW'],
  ])('%s contains something that the others do not support: %s', (text, expected) => {
    expect(plain(text)).toBe(expected);
  });

  it('names the same times', () => {
    const value = (low: number, high: number): fc.Arbitrary<string> =>
      fc.oneof(
        fc.integer({ min: low, max: high }).map(String),
        fc.integer({ min: 1, max: high }).map((step) => `*/${step}`),
        fc
          .tuple(fc.integer({ min: low, max: high }), fc.integer({ min: low, max: high }))
          .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
      );
    const field = (low: number, high: number): fc.Arbitrary<string> =>
      fc.oneof(fc.constant('*'), fc.array(value(low, high), { minLength: 1, maxLength: 2 }).map(String));
    const expression = fc.tuple(field(0, 59), field(0, 23), field(1, 31), fc.constant('*'), field(0, 7));
    const from = Date.parse('2026-02-26T00:00:00Z');
    fc.assert(
      fc.property(expression, (fields) => {
        const text = fields.join(' ');
        const reading = readCron(text);
        const numbers = plainFields(text);
        if (!reading.ok || !numbers.ok) throw new Error(`not read: ${text}`);
        const [minute = '', hour = '', day = '', month = '', weekday = ''] = plainCron(numbers.fields).split(
          ' ',
        );
        const fits = matcher({ minute, hour, day, month, weekday });
        const expected: number[] = [];
        for (let at = from; at < from + 4 * 86_400_000; at += 60_000) if (fits(at)) expected.push(at);
        const found: number[] = [];
        for (let at = reading.times.after(from - 1); at !== undefined; at = reading.times.after(at)) {
          if (at >= from + 4 * 86_400_000) break;
          found.push(at);
        }
        expect(found.join()).toBe(expected.join());
      }),
      { numRuns: 60 },
    );
  });
});
