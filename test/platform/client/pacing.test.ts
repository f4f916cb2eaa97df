import { describe, expect, it } from 'vitest';
import { RequestGate } from '../../../src/platform/client/request-gate.js';
import { type Clock, systemClock } from '../../../src/util/clock.js';
import { backoffMs, parseRetryAfter, RetryBudget, retryDelayMs } from '../../../src/util/retry-timing.js';

/** A clock whose time passes only by sleeping. */
function toyClock(): Clock & { readonly time: () => number } {
  let time = 0;
  return {
    time: () => time,
    now: () => time,
    monotonic: () => time,
    sleep: async (ms, signal) => {
      await Promise.resolve();
      if (signal?.aborted) return false;
      time += ms;
      return true;
    },
  };
}

describe('backoff', () => {
  it('doubles from 200 ms to 20 s, with full jitter', () => {
    const most = [1, 2, 3, 7, 8, 50].map((attempt) => backoffMs(attempt, () => 1));
    expect(most).toEqual([200, 400, 800, 12_800, 20_000, 20_000]);
    expect(backoffMs(9, () => 0)).toBe(0);
    expect(backoffMs(3, () => 0.25)).toBe(200);
  });

  it('never comes back sooner than asked, nor waits longer than two minutes and a bit', () => {
    expect(retryDelayMs(1, 3_000, () => 0)).toBe(3_000);
    expect(retryDelayMs(1, 3_000, () => 1)).toBe(3_200);
    expect(retryDelayMs(1, 9_999_999, () => 1)).toBe(120_200);
    expect(retryDelayMs(2, undefined, () => 1)).toBe(400);
  });

  it('reads Retry-After in seconds and as a date', () => {
    const now = Date.UTC(2026, 0, 31, 12, 0, 0);
    expect(parseRetryAfter('0', now)).toBe(0);
    expect(parseRetryAfter(' 7 ', now)).toBe(7_000);
    expect(parseRetryAfter('Sat, 31 Jan 2026 12:00:05 GMT', now)).toBe(5_000);
    expect(parseRetryAfter('Sat, 31 Jan 2026 11:00:00 GMT', now)).toBe(0);
    for (const bad of [undefined, '', '-5', 'soon', '2026-01-31', '1e3', 'Saturday']) {
      expect(parseRetryAfter(bad, now), String(bad)).toBeUndefined();
    }
  });
});

describe('retry budget', () => {
  it('allows a tenth of the first attempts while nothing succeeds', () => {
    for (const items of [100, 250, 1_000]) {
      const budget = new RetryBudget();
      let retries = 0;
      for (let item = 0; item < items; item += 1) {
        budget.recordStart();
        while (budget.take()) retries += 1;
      }
      expect(retries).toBe(items / 10);
    }
  });

  it('gives a small run its retries at once', () => {
    const budget = new RetryBudget();
    budget.recordStart();
    expect(Array.from({ length: 11 }, () => budget.take())).toEqual([...Array(10).fill(true), false]);
  });

  it('is not used up by retries that succeed, and what is overdrawn is owed', () => {
    const budget = new RetryBudget(1);
    for (let turn = 0; turn < 20; turn += 1) {
      expect(budget.take()).toBe(true);
      budget.giveBack();
    }
    budget.spend();
    budget.spend();
    budget.giveBack();
    expect(budget.allows()).toBe(false);
    budget.giveBack();
    budget.giveBack();
    expect(Array.from({ length: 2 }, () => budget.take())).toEqual([true, false]);
  });
});

describe('pace', () => {
  let places = 0;
  const gate = (perSecond: number | undefined, clock?: Clock): RequestGate => {
    places += 1;
    const origin = `http://pace-${places}`;
    return new RequestGate({
      timezone: 'UTC',
      perSecond,
      origin,
      patienceMs: 60_000,
      ...(clock ? { clock } : {}),
    });
  };

  it('spaces requests evenly, in the order they came', async () => {
    const clock = toyClock();
    const pace = gate(50, clock);
    const started: [number, number][] = [];
    const takes = Array.from({ length: 101 }, async (_, index) => {
      expect((await pace.take()).kind).toBe('granted');
      started.push([index, clock.time()]);
    });
    await Promise.all(takes);
    expect(started.map(([index]) => index)).toEqual(Array.from({ length: 101 }, (_, index) => index));
    // 101 starts span 100 intervals of 20 ms, less the one that may be made up for.
    expect(started.at(-1)![1]).toBeGreaterThanOrEqual(1_980);
    expect(started.at(-1)![1]).toBeLessThanOrEqual(2_000);
  });

  it('lets no burst follow a standstill', async () => {
    const clock = toyClock();
    const pace = gate(10, clock);
    await pace.take();
    await clock.sleep(60_000);
    const began = clock.time();
    for (let turn = 0; turn < 11; turn += 1) await pace.take();
    expect(clock.time() - began).toBeGreaterThanOrEqual(980);
  });

  it('lets go of who is aborted, without costing the others', async () => {
    const clock = toyClock();
    const pace = gate(1, clock);
    await pace.take();
    const abort = new AbortController();
    const gone = [pace.take(abort.signal), pace.take(abort.signal)];
    const stays = pace.take();
    abort.abort();
    expect((await Promise.all(gone)).map((it) => it.kind)).toEqual(['stopped', 'stopped']);
    expect((await stays).kind).toBe('granted');
    expect(clock.time()).toBeLessThanOrEqual(1_000);
    expect((await pace.take(abort.signal)).kind).toBe('stopped');
  });
});

it('the system clock sleeps, and wakes when aborted', async () => {
  const began = systemClock.monotonic();
  expect(await systemClock.sleep(30)).toBe(true);
  expect(systemClock.monotonic() - began).toBeGreaterThanOrEqual(28);
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 10);
  expect(await systemClock.sleep(60_000, abort.signal)).toBe(false);
  expect(await systemClock.sleep(60_000, abort.signal)).toBe(false);
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1_000);
});
