import { describe, expect, it } from 'vitest';
import type { AttemptEvent } from '../../../src/platform/client/attempt-event.js';
import { type PauseEvent, RequestGate, type Turn } from '../../../src/platform/client/request-gate.js';
import type { Clock } from '../../../src/util/clock.js';

/** Time that a test moves manually; sleepers wake when theirs has come. */
class HandClock implements Clock {
  time = 1_000;
  readonly #sleepers = new Set<{ readonly at: number; readonly wake: (slept: boolean) => void }>();

  now(): number {
    return 1_700_000_000_000 + this.time;
  }

  monotonic(): number {
    return this.time;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const sleeper = {
        at: this.time + ms,
        wake: (slept: boolean) => {
          this.#sleepers.delete(sleeper);
          resolve(slept);
        },
      };
      this.#sleepers.add(sleeper);
      if (signal?.aborted) sleeper.wake(false);
      signal?.addEventListener('abort', () => sleeper.wake(false), { once: true });
    });
  }

  get sleeping(): number {
    return this.#sleepers.size;
  }

  async pass(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      await settled();
      const next = [...this.#sleepers].sort((a, b) => a.at - b.at)[0];
      if (!next || next.at > end) break;
      this.time = Math.max(this.time, next.at);
      next.wake(true);
    }
    this.time = end;
    await settled();
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const OK: AttemptEvent = { kind: 'reply', httpStatus: 200, text: '{}' };
const busy = (seconds?: number, httpStatus = 429): AttemptEvent => ({
  kind: 'reply',
  httpStatus,
  text: '',
  ...(seconds === undefined ? {} : { retryAfterMs: seconds * 1000 }),
});

let places = 0;

class Bench {
  readonly clock = new HandClock();
  readonly origin: string;
  readonly news: (PauseEvent | undefined)[] = [];
  readonly gate: RequestGate;

  constructor(patienceMs = 900_000, random: () => number = () => 0) {
    places += 1;
    this.origin = `http://gate-${places}`;
    this.gate = this.another(patienceMs, random);
  }

  another(patienceMs = 900_000, random: () => number = () => 0): RequestGate {
    const onPause = (pause: PauseEvent | undefined): void => void this.news.push(pause);
    return new RequestGate({
      timezone: 'UTC',
      origin: this.origin,
      patienceMs,
      clock: this.clock,
      random,
      onPause,
    });
  }

  /** So many ask for a turn; what they got, by the time it is looked at. */
  ask(count: number, gate = this.gate, signal?: AbortSignal): Turn[] {
    const turns: Turn[] = [];
    for (let at = 0; at < count; at += 1) void gate.take(signal).then((turn) => turns.push(turn));
    return turns;
  }

  async refuse(event: AttemptEvent, repeatable = true): Promise<void> {
    this.gate.done(await this.gate.take(), event, false, repeatable);
  }
}

describe('a pause that the platform asks for', () => {
  it('holds all requests as long as asked, then lets one through alone, and the rest after its answer', async () => {
    const bench = new Bench();
    await bench.refuse(busy(7));
    const turns = bench.ask(5);
    const others = bench.ask(2, bench.another());
    await bench.clock.pass(6_990);
    expect([turns, others]).toEqual([[], []]);
    await bench.clock.pass(20);
    expect(turns.length + others.length).toBe(1);
    const probe = [...turns, ...others][0]!;
    await bench.clock.pass(60_000);
    expect(turns.length + others.length).toBe(1);
    bench.gate.done(probe, OK, true, true);
    await bench.clock.pass(0);
    expect([turns, others].map((it) => it.map(({ kind }) => kind))).toEqual([
      Array(5).fill('granted'),
      ['granted', 'granted'],
    ]);
    expect(await bench.gate.take()).toEqual({ kind: 'granted' });
  });

  it('is prolonged by a probe that is refused', async () => {
    const bench = new Bench();
    await bench.refuse(busy(7));
    const turns = bench.ask(3);
    await bench.clock.pass(7_000);
    bench.gate.done(turns[0]!, busy(5), false, true);
    await bench.clock.pass(4_990);
    expect(turns).toHaveLength(1);
    await bench.clock.pass(20);
    expect(turns).toHaveLength(2);
  });

  it.each([
    ['no request was made', undefined],
    ['the connection broke', { kind: 'lost', reason: 'reset', detail: '' }],
    ['nobody was there', { kind: 'unsent', reason: 'refused', detail: '' }],
  ] as const)('a probe that failed does not hold up the others: %s', async (_, event) => {
    const bench = new Bench();
    await bench.refuse(busy(1));
    const turns = bench.ask(3);
    await bench.clock.pass(1_000);
    expect(turns).toHaveLength(1);
    bench.gate.done(turns[0]!, event, false, true);
    await bench.clock.pass(0);
    expect(turns.length).toBeGreaterThan(1);
  });

  it('backs off by itself where no time is named, or none worth the name: a few probes a minute', async () => {
    for (const seconds of [undefined, 0, 1]) {
      for (const random of [() => 0.5, Math.random, Math.random, Math.random]) {
        const bench = new Bench(900_000, random);
        await bench.refuse(busy(seconds));
        const turns = bench.ask(1);
        let probes = 0;
        for (let ms = 0; ms < 60_000; ms += 10) {
          await bench.clock.pass(10);
          const turn = turns.pop();
          if (!turn) continue;
          probes += 1;
          bench.gate.done(turn, busy(seconds), false, true);
          void bench.gate.take().then((it) => turns.push(it));
        }
        expect(probes).toBeGreaterThan(3);
        expect(probes).toBeLessThan(40);
      }
    }
  });

  it('is heard in any status that names Retry-After, and in none that does not but 429', async () => {
    for (const status of [200, 299, 404, 500, 503]) {
      const bench = new Bench();
      await bench.refuse(busy(3, status));
      const turns = bench.ask(1);
      await bench.clock.pass(2_990);
      expect(turns).toHaveLength(0);
      await bench.clock.pass(20);
      expect(turns).toHaveLength(1);
    }
    const bench = new Bench();
    await bench.refuse(busy(undefined, 503));
    expect(await bench.gate.take()).toEqual({ kind: 'granted' });
  });

  it('goes by the longest time that was asked for', async () => {
    const bench = new Bench();
    const turns = await Promise.all([bench.gate.take(), bench.gate.take(), bench.gate.take()]);
    [busy(2), busy(9), busy()].forEach((event, at) => {
      bench.gate.done(turns[at]!, event, false, true);
    });
    const waiting = bench.ask(1);
    await bench.clock.pass(8_990);
    expect(waiting).toHaveLength(0);
    await bench.clock.pass(20);
    expect(waiting).toHaveLength(1);
  });
});

describe('a platform that is not available', () => {
  it.each([408, 500, 502, 503])(
    'gets one request at a time until one is answered: HTTP %i',
    async (status) => {
      const bench = new Bench();
      const down = busy(undefined, status);
      const lost: AttemptEvent = { kind: 'lost', reason: 'timeout', detail: '' };
      await bench.refuse(down, false);
      const turns = bench.ask(6);
      await bench.clock.pass(0);
      expect(turns).toHaveLength(1);
      for (const [waited, event] of [
        [1_000, down],
        [2_000, lost],
        [4_000, down],
      ] as const) {
        const before = turns.length;
        bench.gate.done(turns.at(-1)!, event, false, false);
        await bench.clock.pass(waited - 10);
        expect(turns).toHaveLength(before);
        await bench.clock.pass(20);
        expect(turns).toHaveLength(before + 1);
      }
      bench.gate.done(turns.at(-1)!, OK, true, false);
      await bench.clock.pass(0);
      expect(turns).toHaveLength(6);
    },
  );

  it('holds no request after a request that can be repeated', async () => {
    const bench = new Bench();
    await bench.refuse(busy(undefined, 503), true);
    expect(await bench.gate.take()).toEqual({ kind: 'granted' });
  });

  it('is waited for no longer than patience, with few requests', async () => {
    const bench = new Bench();
    await bench.refuse(busy(undefined, 503), false);
    const turns = bench.ask(40);
    let sent = 0;
    for (let passed = 0; passed < 900_000 && turns.at(-1)?.kind !== 'pause_too_long'; passed += 500) {
      await bench.clock.pass(500);
      const turn = turns[sent];
      if (turn?.kind !== 'granted') continue;
      sent += 1;
      bench.gate.done(turn, busy(undefined, 503), false, false);
    }
    await bench.clock.pass(1_000);
    expect(turns).toHaveLength(40);
    expect(turns.at(-1)).toEqual({ kind: 'pause_too_long', asked: { httpStatus: 503 } });
    expect(sent).toBeLessThan(16);
  });

  it('is left without requests for longer when it asks for a pause in the meantime', async () => {
    const bench = new Bench();
    const turns = await Promise.all([bench.gate.take(), bench.gate.take()]);
    bench.gate.done(turns[0]!, busy(undefined, 503), false, false);
    bench.gate.done(turns[1]!, busy(9), false, false);
    const waiting = bench.ask(2);
    await bench.clock.pass(8_990);
    expect(waiting).toHaveLength(0);
    await bench.clock.pass(20);
    expect(waiting).toHaveLength(1);
  });
});

describe('patience', () => {
  it('ends when pauses have gone on for so long, whatever the platform names', async () => {
    const bench = new Bench(20_000);
    await bench.refuse(busy(999_999_999));
    const turns = bench.ask(3);
    await bench.clock.pass(19_990);
    expect(turns).toHaveLength(0);
    await bench.clock.pass(20);
    expect(turns.map((it) => it.kind)).toEqual(['pause_too_long', 'pause_too_long', 'pause_too_long']);
    expect(turns[0]).toMatchObject({ asked: { httpStatus: 429, retryAfterMs: 999_999_999_000 } });
  });

  it('forgets a pause that nothing waits for any more, and no other', async () => {
    const bench = new Bench(20_000);
    await bench.refuse(busy(60));
    bench.ask(1);
    const other = bench.ask(1, bench.another());
    await bench.clock.pass(20_000);
    const later = bench.ask(1, bench.another());
    await bench.clock.pass(10);
    expect([other.length, later.length]).toEqual([0, 0]);

    const alone = new Bench(20_000);
    await alone.refuse(busy(60));
    alone.ask(1);
    await alone.clock.pass(20_010);
    expect(await alone.gate.take()).toEqual({ kind: 'granted' });
  });

  it('counts probes that are refused as one long pause, and starts again after an answer', async () => {
    const bench = new Bench(20_000);
    await bench.refuse(busy(8));
    const turns = bench.ask(4);
    await bench.clock.pass(8_000);
    bench.gate.done(turns[0]!, busy(8), false, true);
    await bench.clock.pass(8_000);
    bench.gate.done(turns[1]!, OK, true, true);
    await bench.clock.pass(0);
    expect(turns).toHaveLength(4);
    bench.gate.done(turns[2]!, busy(15), false, true);
    const more = bench.ask(2);
    await bench.clock.pass(15_000);
    expect(more.map((it) => it.kind)).toEqual(['granted']);
    bench.gate.done(more[0]!, busy(15), false, true);
    await bench.clock.pass(5_000);
    expect(more.map((it) => it.kind)).toEqual(['granted', 'pause_too_long']);
  });

  it('is not used up by a platform that answers and asks for a pause after each request', async () => {
    const bench = new Bench(20_000);
    for (let at = 0; at < 10; at += 1) {
      const turns = bench.ask(1);
      await bench.clock.pass(6_000);
      expect(turns.map((it) => it.kind)).toEqual(['granted']);
      bench.gate.done(turns[0]!, busy(5, 200), true, true);
    }
  });

  it('is each waiter’s own: one that comes later waits as long as the first', async () => {
    const bench = new Bench(20_000);
    await bench.refuse(busy(60));
    const early = bench.ask(1);
    await bench.clock.pass(15_000);
    const late = bench.ask(1, bench.another(20_000));
    await bench.clock.pass(5_000);
    expect([early.length, late.length]).toEqual([1, 0]);
    await bench.clock.pass(15_000);
    expect(late.map((it) => it.kind)).toEqual(['pause_too_long']);
  });
});

it('Ctrl-C ends the waiting at once and leaves no timer behind, during a pause and during a probe', async () => {
  const bench = new Bench();
  await bench.refuse(busy(60));
  const abort = new AbortController();
  const turns = bench.ask(3, bench.gate, abort.signal);
  await bench.clock.pass(100);
  expect(bench.clock.sleeping).toBe(1);
  abort.abort();
  await bench.clock.pass(0);
  expect(turns.map((it) => it.kind)).toEqual(['stopped', 'stopped', 'stopped']);
  expect(bench.clock.sleeping).toBe(0);

  const probing = bench.ask(1);
  await bench.clock.pass(60_000);
  expect(probing).toHaveLength(1);
  const second = new AbortController();
  const waiting = bench.ask(2, bench.gate, second.signal);
  await bench.clock.pass(0);
  second.abort();
  await bench.clock.pass(0);
  expect(waiting.map((it) => it.kind)).toEqual(['stopped', 'stopped']);
});

it('reports until when it waits, when that grows, when it is in vain, and that it is over', async () => {
  const bench = new Bench(20_000);
  await bench.refuse(busy(8));
  const turns = bench.ask(3);
  await bench.clock.pass(8_000);
  bench.gate.done(turns[0]!, busy(8), false, true);
  await bench.clock.pass(8_000);
  bench.gate.done(turns[1]!, OK, true, true);
  await bench.clock.pass(0);
  bench.gate.done(turns[2]!, busy(30), false, true);
  bench.ask(1);
  await bench.clock.pass(0);
  const began = 1_700_000_001_000;
  expect(bench.news).toEqual([
    {
      asked: { httpStatus: 429, retryAfterMs: 8_000 },
      until: began + 8_000,
      timezone: 'UTC',
      isTooLong: false,
    },
    {
      asked: { httpStatus: 429, retryAfterMs: 8_000 },
      until: began + 16_000,
      timezone: 'UTC',
      isTooLong: false,
    },
    undefined,
    {
      asked: { httpStatus: 429, retryAfterMs: 30_000 },
      until: began + 36_000,
      timezone: 'UTC',
      isTooLong: true,
    },
  ]);
});
