import { describe, expect, it } from 'vitest';
import { message } from '../../src/errors/message.js';
import { ProductError } from '../../src/errors/product-error.js';
import type { LockAnswer, RunLock } from '../../src/ledger/contract/run-lock.js';
import { lockSchedule } from '../../src/schedule/schedule-lock.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { FakeClock, Reported, settle } from './fakes.js';

const HELD: LockAnswer = { kind: 'held', holder: { run: 'r', process: 77, host: 'here' } };
const HELD_BY_SOMEBODY: LockAnswer = { kind: 'held' };
const BUSY = new ProductError('usage', message('ledger.in_use', { location: 'l' }));
const LOCK: RunLock = { release: async () => {} };
const TAKEN: LockAnswer = { kind: 'taken', lock: LOCK };

function begin(answers: (ProductError | LockAnswer)[], wait: boolean) {
  const clock = new FakeClock('2026-11-21T12:00:00Z');
  const observer = new Reported();
  const stop = new StopSignal();
  const ledger = {
    location: 'l',
    lock: async () => {
      const answer = answers.shift() ?? HELD;
      if (answer instanceof ProductError) throw answer;
      return answer;
    },
  };
  return { clock, observer, stop, held: lockSchedule({ clock, observer, stop, ledger }, wait) };
}

describe('the one scheduler of a ledger', () => {
  it('has the lock', async () => {
    expect(await begin([TAKEN], false).held).toBe(LOCK);
  });

  it('is named to the next one, as far as it is known', async () => {
    await expect(begin([HELD], false).held).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'schedule.another_scheduler', params: { location: 'l', process: '77', host: 'here' } },
    });
    await expect(begin([HELD_BY_SOMEBODY], false).held).rejects.toMatchObject({
      detail: { code: 'schedule.another_scheduler_unnamed' },
    });
  });

  it('a ledger that is busy is no other scheduler', async () => {
    await expect(begin([BUSY], true).held).rejects.toBe(BUSY);
  });

  it('is followed by one that waits, whatever happens to the ledger in the meantime', async () => {
    const { clock, observer, held } = begin([HELD, HELD, BUSY, HELD_BY_SOMEBODY, TAKEN], true);
    await clock.advance(6_000);
    expect(observer.codes).toEqual(['schedule.another_scheduler', 'schedule.standing_by']);
    await clock.advance(2_000);
    expect(await held).toBe(LOCK);
    expect(observer.codes.at(-1)).toBe('schedule.taking_over');
  });

  it('or by none, where that one is stopped', async () => {
    const { stop, held } = begin([HELD], true);
    await settle();
    stop.stop({ kind: 'interrupted' });
    expect(await held).toBeUndefined();
  });
});
