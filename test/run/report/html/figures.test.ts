import { describe, expect, it } from 'vitest';
import { Activity, Durations, TimelineTally } from '../../../../src/run/report/html/attempt-totals.js';

const HOUR = 3_600_000;
const T = 1_764_000_000_000;

describe('durations', () => {
  it('gives percentiles within 3 %, whatever their number and size', () => {
    const durations = new Durations();
    for (let ms = 1; ms <= 100_000; ms += 1) durations.add(ms);
    const { p50 = 0, p90 = 0, p99 = 0 } = durations.latency() ?? {};
    expect(Math.abs(p50 / 50_000 - 1)).toBeLessThan(0.03);
    expect(Math.abs(p90 / 90_000 - 1)).toBeLessThan(0.03);
    expect(Math.abs(p99 / 99_000 - 1)).toBeLessThan(0.03);
  });

  it('is exact for a few short ones, and takes a clock that went backwards', () => {
    const durations = new Durations();
    for (const ms of [5, 7, 9, -20]) durations.add(ms);
    expect(durations.latency()).toEqual({ p50: 5, p90: 9, p99: 9 });
    expect(new Durations().latency()).toBeUndefined();
  });
});

describe('when a run was at work', () => {
  it('is one span as long as pauses are short', () => {
    const activity = new Activity();
    for (let second = 0; second < 100; second += 1) activity.add(T + second * 1000, T + second * 1000 + 300);
    activity.add(T + 140_000, T + 141_000);
    expect(activity.spans()).toEqual([{ from: T, to: T + 141_000 }]);
  });

  it('leaves a night out, and holds no more for a month than for an hour', () => {
    const activity = new Activity();
    const at = [T, T + 20 * HOUR, T + 700 * HOUR];
    // In no order, as retries are.
    for (let n = 0; n < 30_000; n += 1) {
      const start = (at[n % 3] ?? 0) + ((n * 7919) % 600_000);
      activity.add(start, start + 50);
    }
    const spans = activity.spans();
    expect(spans.map((it) => Math.round((it.from - T) / HOUR))).toEqual([0, 20, 700]);
    for (const { from, to } of spans) expect(Math.abs(to - from - 600_000)).toBeLessThan(1000);
  });

  it('joins what was stopped again and again', () => {
    const activity = new Activity();
    for (let n = 0; n < 40; n += 1) activity.add(T + n * HOUR, T + n * HOUR + 1000);
    expect(activity.spans().length).toBeLessThanOrEqual(12);
    expect(new Activity().spans()).toEqual([]);
  });
});

describe('the timeline', () => {
  const attempt = (endedAt: number, change: object = {}) => ({
    batch: 1,
    attempt: 1,
    startedAt: endedAt - 20,
    endedAt,
    httpStatus: 200,
    event: 'reply',
    sent: true,
    items: 1,
    settled: 1,
    ...change,
  });

  it('counts every attempt once, in the part in which it ended', () => {
    const tally = new TimelineTally([
      { from: T, to: T + 29_999 },
      { from: T + HOUR, to: T + HOUR + 29_999 },
    ]);
    tally.add(attempt(T + 500));
    tally.add(attempt(T + 700, { httpStatus: 299 }));
    tally.add(attempt(T + 800, { httpStatus: 429, settled: 0 }));
    tally.add(attempt(T + 900, { httpStatus: undefined, event: 'refused', sent: false, settled: 0 }));
    tally.add(attempt(T + HOUR + 29_999, { settled: 100 }));
    // Before and after all that was known of: a clock that jumped, a run that continues.
    tally.add(attempt(T - HOUR));
    tally.add(attempt(T + 5 * HOUR));
    const timeline = tally.timeline();
    expect(timeline).toHaveLength(60);
    expect(timeline[0]).toEqual({
      from: T,
      ms: 1000,
      answered: 3,
      others: 2,
      settled: 3,
      latency: { p50: 20, p90: 20, p99: 20 },
    });
    expect(timeline[30]).toMatchObject({ from: T + HOUR, pauseMs: HOUR - 29_999, answered: 0 });
    expect(timeline[1]?.latency).toBeUndefined();
    expect(timeline[59]).toMatchObject({ answered: 2, settled: 101 });
  });

  it('makes no parts finer than single requests', () => {
    expect(new TimelineTally([{ from: T, to: T }]).timeline()).toHaveLength(1);
    expect(new TimelineTally([{ from: T, to: T + 499 }]).timeline()).toHaveLength(10);
  });
});
