import { expect, test } from 'vitest';
import { overviewJson } from '../../src/cli/commands/schedule.js';
import { readHistory } from '../../src/schedule/job-history.js';
import { scheduleOverview } from '../../src/schedule/scheduler.js';
import { describeLedger } from '../support/ledgers.js';
import { nightly } from './fakes.js';

describeLedger('a paused job in `schedule list --json`', (here) => {
  const listed = async () => {
    const job = nightly();
    return overviewJson(scheduleOverview(job, await readHistory(here.ledger, job), Date.now()));
  };

  test('names the user who paused it, until it is continued', async () => {
    const { schedule } = here.ledger;
    const { name } = nightly();
    expect((await listed()).pausedBy).toBeUndefined();
    await schedule.pause(name, Date.UTC(2026, 10, 21), 'wang');
    expect(await listed()).toMatchObject({ pausedBy: 'wang', pausedAt: '2026-11-21T00:00:00.000Z' });
    await schedule.resume(name, Date.UTC(2026, 10, 22));
    expect((await listed()).pausedBy).toBeUndefined();
    expect((await listed()).pausedAt).toBeUndefined();
  });
});
