import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rowsOf } from '../../src/app/export.js';
import { listRuns, showRun } from '../../src/app/runs.js';
import { stepLine } from '../../src/cli/run-summary.js';
import { render } from '../../src/errors/message.js';
import { Fixture } from '../support/job-runs.js';
import { SQLITE } from '../support/ledgers.js';
import { LEFT_OUT, onboardJob, STOPPED_BEFORE, stepsRun } from '../support/steps-ledger.js';

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.open(SQLITE);
  const input = await fixture.file('orders.csv', 'Customer No,Channel,Locks\nC-1,CH,2\nC-2,CH,1\n');
  await stepsRun(fixture, onboardJob(input), {
    2: [
      { status: 'succeeded', columns: { customerId: 'K-1' } },
      { status: 'succeeded' },
      { status: 'succeeded' },
    ],
    3: [LEFT_OUT, { status: 'unknown' }, STOPPED_BEFORE],
  });
});

afterEach(async () => {
  await fixture.close();
});

const context = () =>
  ({ env: {}, cwd: fixture.folder, ledger: fixture.ledger.address, language: 'en' }) as const;

describe('a run of several steps', () => {
  it('is listed once, and shown with its steps', async () => {
    const listed = await listRuns(context());
    expect('runs' in listed && listed.runs.map((it) => [it.run, it.operation, it.counts])).toEqual([
      ['whole', 'steps', { succeeded: 1, unknown: 1 }],
    ]);
    const { steps, run } = await showRun(context(), 'whole');
    expect(run.step).toBeUndefined();
    expect(steps).toMatchObject([
      { name: 'customer', run: 'whole-customer', counts: { succeeded: 1, skipped: 1 }, requests: 1 },
      { name: 'numbers', run: 'whole-numbers', counts: { succeeded: 1, unknown: 1 } },
      { name: 'order', run: 'whole-order', counts: { succeeded: 1, not_sent: 1 } },
    ]);
    expect(render(stepLine(steps[0]!, 'succeeded 1'))).toBe(
      'step customer (enterprise.bind), run whole-customer: succeeded 1',
    );
  });

  it('is named by each of its steps, which are cut off only if it is', async () => {
    const { run, steps } = await showRun(context(), 'whole-numbers');
    expect(run).toMatchObject({ parent: 'whole', step: 2, operation: 'asset.numbers' });
    expect(steps).toEqual([]);
    const input = await fixture.file('more.csv', 'Customer No,Channel,Locks\nC-1,CH,2\n');
    const going = { id: 'going', goesOn: true };
    await stepsRun(fixture, onboardJob(input), { 2: [LEFT_OUT, 'pending', 'pending'] }, going);
    await fixture.ledger.runs.patch('going-numbers', { state: 'executing' });
    const cutOff = await showRun(context(), 'going-numbers');
    expect(cutOff.run).toMatchObject({ state: 'cut off', next: expect.stringContaining('resume going') });
    expect(cutOff.run.next).not.toContain('going-numbers');
    const { job, scope } = (await fixture.ledger.runs.get('going'))!;
    const answer = await fixture.ledger.lock(job, scope, 'going');
    expect((await showRun(context(), 'going-numbers')).run.state).toBe('executing');
    if (answer.kind === 'taken') await answer.lock.release();
  });

  it('is shown with its steps once it is pruned, as far as they are known', async () => {
    const input = await fixture.file('more.csv', 'Customer No,Channel,Locks\nC-1,CH,2\n');
    const done = { status: 'succeeded' } as const;
    await stepsRun(fixture, onboardJob(input), { 2: [done, done, done] }, { id: 'old' });
    for (const id of ['old', 'old-customer', 'old-numbers', 'old-order'])
      await fixture.ledger.runs.patch(id, { endedAt: 5 });
    await fixture.ledger.runs.prune(1_764_000_000_001);
    const { run, steps } = await showRun(context(), 'old');
    expect(run.counts).toEqual({ succeeded: 1 });
    expect(steps.map((it) => it.name)).toEqual(['1', '2', '3']);
    expect(steps.map((it) => [it.run, it.operation, it.counts])).toEqual([
      ['old-customer', 'enterprise.bind', { succeeded: 1 }],
      ['old-numbers', 'asset.numbers', { succeeded: 1 }],
      ['old-order', 'order.new_buy', { succeeded: 1 }],
    ]);
  });

  it('gives each row once to programs, with what its steps returned', async () => {
    expect(await rowsOf(context(), 'whole')).toMatchObject([
      { row: 2, status: 'succeeded', columns: { 'customer.customerId': 'K-1' }, attempts: 3 },
      { row: 3, status: 'unknown', columns: { step: 'numbers', 'customer.status': 'skipped' } },
    ]);
  });
});
