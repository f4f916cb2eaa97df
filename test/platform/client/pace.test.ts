import { expect, test } from 'vitest';
import { LocalPace, type Pace, SharedPace } from '../../../src/platform/client/pace.js';
import { systemClock } from '../../../src/util/clock.js';

/** A reservation as the ledger makes it: what wasn't used of the time before now is lost, but for 20 ms. */
function reservation(perSecond: number, now: () => number): (count: number) => Promise<readonly number[]> {
  let next = Number.NEGATIVE_INFINITY;
  return async (count) =>
    Array.from({ length: count }, () => {
      const at = Math.max(next, now() - 20);
      next = at + 1000 / perSecond;
      return at - now();
    });
}

/** When requests start that are required at these times, where no request waits longer than the pace says. */
async function starts(
  pace: Pace,
  time: { now: number },
  wanted: readonly number[],
): Promise<readonly number[]> {
  const begun: number[] = [];
  for (const at of wanted) {
    time.now = Math.max(time.now, at);
    let next = pace.next(time.now);
    while (next === undefined) {
      await pace.ask(1);
      next = pace.next(time.now);
    }
    time.now = Math.max(time.now, next);
    pace.started(time.now);
    begun.push(Math.round(time.now));
  }
  return begun;
}

const BUSY = Array.from({ length: 12 }, () => 0);
const WITH_A_REST = [0, 0, 0, 1000, 1000, 1000, 1010, 2500];

test.each([
  ['all at once', BUSY, 10],
  ['with a rest between', WITH_A_REST, 10],
  ['slower than allowed', [0, 500, 1000, 1500], 10],
])('a pace that is shared is the one that a process keeps alone: %s', async (_, wanted, perSecond) => {
  const alone = { now: 0 };
  const own = await starts(new LocalPace(perSecond), alone, wanted);
  const time = { now: 0 };
  const clock = { ...systemClock, monotonic: () => time.now };
  const reserve = reservation(perSecond, () => time.now);
  const shared = await starts(new SharedPace({ perSecond, reserve, clock }), time, wanted);
  expect(shared.map((it, at) => Math.abs(it - own[at]!) <= 20)).toEqual(wanted.map(() => true));
  expect(shared.at(-1)! - own.at(-1)!).toBeLessThanOrEqual(20);
});

test('starts that were reserved and not used are lost: no burst follows a pause', async () => {
  const time = { now: 0 };
  const clock = { ...systemClock, monotonic: () => time.now };
  const pace = new SharedPace({ perSecond: 100, reserve: reservation(100, () => time.now), clock });
  await pace.ask(20);
  time.now = 10_000;
  expect(pace.next(time.now)).toBeUndefined();
});

test('starts whose answer took long are not used, as it is not known when they were: no two workers start at once', async () => {
  const time = { now: 0 };
  const clock = { ...systemClock, monotonic: () => time.now };
  const reserve = reservation(100, () => time.now);
  let takes = 400;
  const slow = async (count: number): Promise<readonly number[]> => {
    const starts = await reserve(count);
    time.now += takes;
    return starts;
  };
  const pace = new SharedPace({ perSecond: 100, reserve: slow, clock });
  await pace.ask(1);
  expect(pace.next(time.now)).toBeUndefined();
  takes = 5;
  await pace.ask(1);
  expect(pace.next(time.now)).toBeGreaterThanOrEqual(time.now - takes);
});

test('where all answers take long, they are used still', async () => {
  const time = { now: 0 };
  const clock = { ...systemClock, monotonic: () => time.now };
  const reserve = reservation(100, () => time.now);
  const slow = async (count: number): Promise<readonly number[]> => {
    time.now += 300;
    return reserve(count);
  };
  const pace = new SharedPace({ perSecond: 100, reserve: slow, clock });
  let asked = 0;
  while (pace.next(time.now) === undefined && asked < 10) {
    await pace.ask(1);
    asked += 1;
  }
  expect(asked).toBe(4);
});
