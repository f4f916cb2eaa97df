import { render } from '../../src/errors/message.js';
import type { AfterRunOptions, CommandEnd, NotificationEvent } from '../../src/notify/notification-types.js';
import { type Clock, systemClock } from '../../src/util/clock.js';

export interface Following {
  readonly parts: AfterRunOptions;
  readonly events: NotificationEvent[];
  /** The warnings among them, in words. */
  warnings(): string[];
  readonly stop: AbortController;
  /** Milliseconds that were asked for. */
  readonly slept: number[];
}

/** Parts for following up a run; waits between attempts take no time but are noted. */
export function following(change: Partial<AfterRunOptions> = {}): Following {
  const events: NotificationEvent[] = [];
  const slept: number[] = [];
  const stop = new AbortController();
  let ahead = 0;
  const clock: Clock = {
    now: systemClock.now,
    monotonic: () => systemClock.monotonic() + ahead,
    sleep: async (ms, signal) => {
      slept.push(ms);
      ahead += ms;
      return !signal?.aborted;
    },
  };
  return {
    events,
    slept,
    stop,
    warnings: () => events.flatMap((it) => (it.event === 'warning' ? [render(it.reason)] : [])),
    parts: {
      notify: [],
      withheld: [],
      env: {},
      clock,
      language: 'en',
      onEvent: (event) => events.push(event),
      signal: stop.signal,
      ...change,
    },
  };
}

export function runOver(change: Partial<CommandEnd> = {}): CommandEnd {
  const run = '20261121-020311-4f9a21';
  return {
    job: 'orders',
    operation: 'order.new_buy',
    connection: 'production',
    run,
    exitCode: 1,
    startedAt: Date.UTC(2026, 10, 21, 2, 3, 11),
    endedAt: Date.UTC(2026, 10, 21, 2, 3, 15, 250),
    summary: {
      run,
      job: 'orders',
      operation: 'order.new_buy',
      connection: 'production',
      status: 'completed',
      rows: 5,
      counts: { succeeded: 3, rejected: 2 },
      requests: 6,
      retries: 1,
      output: '/data/results/"November".xlsx',
      durationMs: 4250,
    },
    ...change,
  };
}
