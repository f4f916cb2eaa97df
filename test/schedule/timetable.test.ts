import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  COUNTED_AT_MOST,
  lastTime,
  missedSince,
  nextTimes,
  type Timetable,
  timesAfter,
} from '../../src/schedule/timetable.js';
import { readCron } from '../../src/util/cron.js';
import { zone } from '../../src/util/zoned-time.js';
import { cronText, dueTimes, type Fields, matcher, offsets } from './manual-runs.js';

function timetable(cron: string, name: string): Timetable {
  const reading = readCron(cron);
  if (!reading.ok) throw new Error(`${cron}: ${JSON.stringify(reading.fault)}`);
  return { cron: reading.times, zone: zone(name)! };
}

const iso = (times: readonly number[]): string[] => times.map((it) => new Date(it).toISOString());
const at = (text: string): number => Date.parse(text);

const YEAR = [at('2026-01-01T00:00:00Z'), at('2027-01-01T00:00:00Z')] as const;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Shanghai', 'Australia/Lord_Howe'] as const;
const HALF_HOUR = 1_800_000;
const DAY = 86_400_000;
const OFFSETS = new Map(ZONES.map((name) => [name, offsets(name, ...YEAR)]));

function within([from, to]: readonly [number, number], times: Timetable): number[] {
  const found: number[] = [];
  for (const due of timesAfter(times, from - 1)) {
    if (due >= to) break;
    found.push(due);
  }
  return found;
}

/** The first difference; comparing tens of thousands of times one by one is slow. */
function same(found: readonly number[], expected: readonly number[]): string {
  const at = expected.findIndex((it, index) => it !== found[index]);
  if (at < 0 && found.length === expected.length) return 'same';
  const index = at < 0 ? expected.length : at;
  return `at ${index}: found ${iso(found.slice(index, index + 2))}, expected ${iso(expected.slice(index, index + 2))}`;
}

const part = (low: number, high: number): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: low, max: high }).map(String) },
    fc
      .tuple(fc.integer({ min: low, max: high }), fc.integer({ min: low, max: high }))
      .map((ends) => [...ends].sort((a, b) => a - b).join('-')),
    fc.integer({ min: 1, max: Math.min(high, 30) }).map((step) => `*/${step}`),
  );
const field = (low: number, high: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constant('*'),
    fc.array(part(low, high), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(',')),
  );
const anyFields: fc.Arbitrary<Fields> = fc.record({
  minute: field(0, 59),
  hour: field(0, 23),
  day: fc.oneof({ weight: 2, arbitrary: fc.constant('*') }, field(1, 28)),
  month: fc.oneof({ weight: 4, arbitrary: fc.constant('*') }, field(1, 12)),
  weekday: fc.oneof({ weight: 2, arbitrary: fc.constant('*') }, field(0, 7)),
});

describe('the due times of a year', () => {
  const nightly = { minute: '30', hour: '2', day: '*', month: '*', weekday: '*' };
  const KNOWN: readonly Fields[] = [
    nightly,
    { ...nightly, minute: '*/15', hour: '*' },
    { ...nightly, minute: '0', hour: '*' },
    { ...nightly, minute: '0,45', hour: '0-3' },
    { ...nightly, minute: '5', hour: '1', weekday: '0' },
    { ...nightly, minute: '0', hour: '0', day: '1', weekday: '1-5' },
    { ...nightly, minute: '*', hour: '1-2' },
  ];

  it.each(ZONES)('in %s: none lost, none doubled, whatever the clocks do', (name) => {
    const all = OFFSETS.get(name)!;
    for (const fields of KNOWN) {
      const expected = dueTimes(matcher(fields), all, YEAR[0]);
      expect(expected.length).toBeGreaterThan(50);
      expect(same(within(YEAR, timetable(cronText(fields), name)), expected), cronText(fields)).toBe('same');
    }
  });

  it('agree with a simple count for any expression', () => {
    // Days on which clocks are changed are most of what is looked at.
    const changes = ['03-08', '03-29', '04-05', '10-04', '10-25', '11-01'].map((it) =>
      at(`2026-${it}T00:00:00Z`),
    );
    const start = fc.oneof(
      fc.constantFrom(...changes).map((it) => it - 2 * DAY),
      fc.integer({ min: 0, max: 358 }).map((day) => YEAR[0] + day * DAY),
    );
    fc.assert(
      fc.property(anyFields, fc.constantFrom(...ZONES), start, (fields, name, from) => {
        const to = from + 4 * DAY;
        const some = OFFSETS.get(name)!.slice((from - YEAR[0]) / HALF_HOUR, (to - YEAR[0]) / HALF_HOUR);
        const expected = dueTimes(matcher(fields), some, from);
        const reading = readCron(cronText(fields));
        const found = reading.ok ? within([from, to], { cron: reading.times, zone: zone(name)! }) : [];
        expect(same(found, expected)).toBe('same');
      }),
      { numRuns: 120 },
    );
  });

  it('are the same looked at backwards, from any moment', () => {
    const moment = fc.integer({ min: YEAR[0] + 40 * DAY, max: YEAR[1] - 1 });
    fc.assert(
      fc.property(fc.constantFrom(...KNOWN), fc.constantFrom(...ZONES), moment, (fields, name, now) => {
        const times = timetable(cronText(fields), name);
        const first = Math.floor((now - YEAR[0]) / DAY - 35) * 48;
        const some = OFFSETS.get(name)!.slice(first, first + 36 * 48);
        const expected = dueTimes(matcher(fields), some, YEAR[0] + first * HALF_HOUR).filter(
          (it) => it <= now,
        );
        expect(lastTime(times, now)).toBe(expected.at(-1));
        const since = now - 3 * DAY;
        const missed = expected.filter((it) => it > since);
        expect(missedSince(times, since, now)).toEqual(
          missed.length === 0
            ? undefined
            : {
                oldest: missed[0],
                newest: missed.at(-1),
                count: Math.min(missed.length, COUNTED_AT_MOST),
              },
        );
      }),
      { numRuns: 60 },
    );
  });
});

describe('changed clocks', () => {
  it('a time that is skipped comes when clocks are put on', () => {
    const times = timetable('30 2 * * *', 'Europe/Berlin');
    expect(iso(nextTimes(times, at('2026-03-28T00:00:00Z'), 3))).toEqual([
      '2026-03-28T01:30:00.000Z',
      // 02:30 is skipped: clocks go from 02:00 to 03:00.
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
    expect(lastTime(times, at('2026-03-29T00:59:59Z'))).toBe(at('2026-03-28T01:30:00Z'));
    expect(lastTime(times, at('2026-03-29T01:00:00Z'))).toBe(at('2026-03-29T01:00:00Z'));
  });

  it('several times that are skipped come as one', () => {
    const times = timetable('*/20 * * * *', 'America/New_York');
    expect(iso(nextTimes(times, at('2026-03-08T06:35:00Z'), 3))).toEqual([
      '2026-03-08T06:40:00.000Z',
      '2026-03-08T07:00:00.000Z',
      '2026-03-08T07:20:00.000Z',
    ]);
  });

  it('a time that is shown twice comes the first time only', () => {
    const times = timetable('30 1 * * *', 'America/New_York');
    const first = at('2026-11-01T05:30:00Z');
    expect(nextTimes(times, first - 1, 2)).toEqual([first, at('2026-11-02T06:30:00Z')]);
    expect(lastTime(times, at('2026-11-01T06:10:00Z'))).toBe(first);
    expect(lastTime(times, at('2026-11-01T06:45:00Z'))).toBe(first);
    expect(missedSince(times, first, at('2026-11-01T08:00:00Z'))).toBeUndefined();
  });

  it('half an hour is enough, on Lord Howe Island', () => {
    const times = timetable('45 1 * * *', 'Australia/Lord_Howe');
    const first = at('2026-04-04T14:45:00Z');
    expect(nextTimes(times, first - 1, 2)).toEqual([first, at('2026-04-05T15:15:00Z')]);
    const skipped = timetable('15 2 * * *', 'Australia/Lord_Howe');
    expect(iso(nextTimes(skipped, at('2026-10-03T12:00:00Z'), 2))).toEqual([
      '2026-10-03T15:30:00.000Z',
      '2026-10-04T15:15:00.000Z',
    ]);
  });

  it('a whole day that a zone skipped counts as its end', () => {
    const times = timetable('0 12 * * *', 'Pacific/Apia');
    expect(iso(nextTimes(times, at('2011-12-29T12:00:00Z'), 3))).toEqual([
      '2011-12-29T22:00:00.000Z',
      '2011-12-30T10:00:00.000Z',
      '2011-12-30T22:00:00.000Z',
    ]);
  });
});

describe('missed times', () => {
  it('are counted, but not without end', () => {
    const times = timetable('* * * * *', 'Asia/Shanghai');
    const now = at('2026-11-21T00:00:30Z');
    const looks = vi.spyOn(times.zone, 'firstFrom');
    const missed = missedSince(times, now - 365 * DAY, now);
    expect(missed).toMatchObject({ count: COUNTED_AT_MOST, newest: at('2026-11-21T00:00:00Z') });
    expect(looks.mock.calls.length).toBeLessThan(2 * COUNTED_AT_MOST);
  });

  it('do not hold the time that was taken up', () => {
    const times = timetable('0 2 * * *', 'Asia/Shanghai');
    const due = at('2026-11-20T18:00:00Z');
    expect(missedSince(times, due, due + 3_600_000)).toBeUndefined();
    expect(missedSince(times, due - 1, due)).toEqual({ oldest: due, newest: due, count: 1 });
  });
});
