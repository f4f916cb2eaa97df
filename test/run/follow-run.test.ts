import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { render } from '../../src/errors/message.js';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import type { WorkerListing } from '../../src/ledger/contract/queue.js';
import type { Run } from '../../src/ledger/contract/runs.js';
import { followRun } from '../../src/run/follow-run.js';
import type { Progress } from '../../src/run/observer.js';
import { systemClock } from '../../src/util/clock.js';
import { rememberLedgerPatience } from '../../src/util/ledger-address.js';
import { StopSignal } from '../../src/util/stop-signal.js';

function worker(change: Partial<WorkerListing> = {}): Partial<WorkerListing> {
  return { name: 'w1', connections: ['p'], lines: ['p s'], runs: [], heardOf: 99_000, ...change };
}

/** A ledger with one run, whose state and counts a test changes. */
class Followed {
  run = {
    id: 'r',
    job: 'j',
    connection: 'p',
    scope: 's',
    kind: 'run',
    state: 'queued',
    requests: 0,
    retries: 0,
  } as Run;
  carried = true;
  workers: Partial<WorkerListing>[] = [worker()];
  counts: Record<string, number> = { pending: 10 };
  wake = (): void => {};
  deaf = 0;
  looks = 0;
  slow: Promise<void> | undefined;
  readonly seen: Progress[] = [];
  readonly warned: string[] = [];
  readonly stop = new StopSignal();

  follow(): Promise<Run | undefined> {
    const ledger = {
      location: 'l',
      runs: {
        get: async () => {
          this.looks += 1;
          await this.slow;
          return this.run;
        },
      },
      execution: { itemCounts: async () => this.counts },
      holder: async () => undefined,
      queue: {
        now: async () => 100_000,
        workers: async () => this.workers,
        runsInQueue: async () => (this.carried ? ['other', 'r'] : ['other']),
        changed: async (reported: (what: { run?: string }) => void) => {
          this.wake = () => reported({ run: 'r' });
          return async () => {
            this.deaf += 1;
          };
        },
      },
    } as unknown as Ledger;
    const observer = {
      progress: (it: Progress) => void this.seen.push(it),
      warn: (it: Parameters<typeof render>[0]) => void this.warned.push(render(it)),
    };
    return followRun({ ledger, observer, stop: this.stop }, 'r');
  }
}

describe('following a run that others execute', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    rememberLedgerPatience(undefined);
  });

  it.each<[string, Partial<WorkerListing>[], string]>([
    ['there is none', [], 'no active worker'],
    ['it has been silent for too long', [worker({ heardOf: 30_000 })], 'no active worker'],
    [
      'it serves other connections',
      [worker({ connections: ['q'], lines: ['q s'] })],
      'serves its connection p',
    ],
    ['its connection leads elsewhere', [worker({ lines: ['p other'] })], 'leads to another one'],
  ])('ends where no worker can take the run, naming the reason: %s', async (_, workers, why) => {
    rememberLedgerPatience(0);
    const followed = new Followed();
    followed.workers = workers;
    const error = await followed.follow().catch((it: unknown) => it);
    expect(error).toMatchObject({ kind: 'safety', message: expect.stringContaining(why) });
    expect(followed.warned).toEqual([expect.stringContaining(why)]);
  });

  it.each<[string, Partial<WorkerListing>]>([
    ['of an earlier version', { lines: undefined as never }],
    ['that is processing it', { connections: [], runs: ['r'] }],
  ])('continues after a worker %s', async (_, change) => {
    rememberLedgerPatience(0);
    const followed = new Followed();
    followed.workers = [worker(change)];
    const end = followed.follow();
    await expect.poll(() => followed.looks).toBeGreaterThan(3);
    followed.run = { ...followed.run, state: 'completed' };
    followed.carried = false;
    followed.wake();
    expect(await end).toMatchObject({ state: 'completed' });
    expect(followed.warned).toEqual([]);
  });

  it('reports its progress, and gives it as it ended, as soon as that is said', async () => {
    // Only a process that is woken looks again.
    vi.spyOn(systemClock, 'sleep').mockImplementation(
      (_, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve(false))),
    );
    const followed = new Followed();
    const end = followed.follow();
    await expect.poll(() => followed.seen.length).toBe(1);
    followed.counts = { pending: 2, open: 3, succeeded: 4, rejected: 1 };
    followed.wake();
    await expect.poll(() => followed.seen.length).toBe(2);
    followed.run = { ...followed.run, state: 'completed' };
    followed.carried = false;
    followed.wake();
    expect(await end).toMatchObject({ state: 'completed' });
    expect(followed.seen.map(({ done, total, inFlight }) => [done, total, inFlight])).toEqual([
      [0, 10, 0],
      [5, 10, 3],
    ]);
    expect(followed.seen.at(-1)?.counts).toEqual({ succeeded: 4, rejected: 1 });
    expect(followed.deaf).toBe(1);
  });

  it('notices the end also without a notification', async () => {
    const followed = new Followed();
    const end = followed.follow();
    followed.run = { ...followed.run, state: 'stopped' };
    followed.carried = false;
    expect(await end).toMatchObject({ state: 'stopped' });
  });

  it('waits for a stopped run until no worker executes it any more', async () => {
    const followed = new Followed();
    followed.run = { ...followed.run, state: 'interrupted' };
    const end = followed.follow();
    await expect.poll(() => followed.looks).toBeGreaterThan(2);
    followed.carried = false;
    expect(await end).toMatchObject({ state: 'interrupted' });
  });

  it('ends at once when it is instructed to, and the run is not changed', async () => {
    const followed = new Followed();
    const end = followed.follow();
    await delay(20);
    followed.stop.stop({ kind: 'interrupted' });
    expect(await end).toBeUndefined();
    expect(followed.deaf).toBe(1);
  });

  it('refuses a run that no worker executes', async () => {
    const followed = new Followed();
    followed.carried = false;
    followed.run = { ...followed.run, state: 'planned' };
    await expect(followed.follow()).rejects.toMatchObject({ kind: 'usage', code: 'team.not_carried' });
    expect(followed.deaf).toBe(1);
  });

  it('says once that the ledger takes long to answer', async () => {
    const followed = new Followed();
    let answer = (): void => {};
    followed.slow = new Promise((resolve) => {
      answer = resolve;
    });
    const end = followed.follow();
    const once = ['The ledger does not reply; continuing as soon as it does.'];
    await expect.poll(() => followed.warned).toEqual(once);
    followed.run = { ...followed.run, state: 'completed' };
    followed.carried = false;
    answer();
    expect(await end).toMatchObject({ state: 'completed' });
    expect(followed.warned).toEqual(once);
  });
});
