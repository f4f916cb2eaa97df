import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakePlatform, ordersDone } from '../../support/fake-platform.js';
import { Fixture } from '../../support/job-runs.js';
import { POSTGRES } from '../../support/ledgers.js';
import { onboarding, onboardingRows } from '../../support/onboarding.js';
import { orderJob, orderRows } from '../../support/orders.js';

let fixture: Fixture;
let platform: FakePlatform;

beforeEach(async () => {
  fixture = await Fixture.open(POSTGRES);
  platform = await new FakePlatform(ordersDone).start();
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
});

test('a process whose run another one has taken over sends no more of it and reports nothing about its end', async () => {
  await fixture.file('orders.csv', orderRows(20));
  platform.answer = async (seen, count) => {
    // As when its heartbeat was missing for a while and the run was resumed elsewhere.
    if (count === 3) await fixture.place.ask('UPDATE run_locks SET token = token + 1');
    return ordersDone(seen);
  };
  const jobFile = await fixture.file('job.yaml', orderJob());
  const running = fixture.run(jobFile, { connection: platform.connection(), set: ['run.concurrency=1'] });
  await expect(running).rejects.toMatchObject({ detail: { code: 'run.lock_lost' } });
  expect(platform.seen.length).toBeLessThan(6);
  const run = await fixture.ledger.runs.last();
  expect(run).toMatchObject({ state: 'executing' });
  expect(run).not.toHaveProperty('exitCode');
});

const JOBS = [
  ['of one operation', orderJob(), orderRows(5)],
  ['of several steps', onboarding(), onboardingRows(['SO-1,C1,,1,5', 'SO-2,C2,,1,5'])],
] as const;
const STAGES = JOBS.flatMap(([kind, ...job]) =>
  (['clear', 'addItems', 'formBatches', 'finish'] as const).map((stage) => [kind, stage, ...job] as const),
);

test.each(STAGES)(
  'a run %s that is taken over before %s is left to the process that has it',
  async (_, stage, job, rows) => {
    for (const name of ['orders.csv', 'rows.csv']) await fixture.file(name, rows);
    const { plan } = fixture.ledger;
    const write = plan[stage].bind(plan) as (...args: unknown[]) => Promise<never>;
    vi.spyOn(plan, stage).mockImplementationOnce(async (...args: unknown[]) => {
      await fixture.place.ask('UPDATE run_locks SET token = token + 1');
      return write(...args);
    });
    const running = fixture.run(await fixture.file('job.yaml', job), { connection: platform.connection() });
    await expect(running).rejects.toMatchObject({ detail: { code: 'run.lock_lost' } });
    expect(platform.seen).toEqual([]);
    const run = await fixture.ledger.runs.last();
    expect(run).toMatchObject({ state: 'planning' });
    expect(run).not.toHaveProperty('exitCode');
    for (const step of await fixture.ledger.runs.children(run!.id)) expect(step.state).toBe('planning');
  },
);
