import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Progress, SILENT } from '../../src/run/observer.js';
import { resumeRun } from '../../src/run/start-run.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob, orderRows } from '../support/orders.js';

let fixture: Fixture;
let platform: FakePlatform;

beforeEach(async () => {
  fixture = await Fixture.open();
  platform = await new FakePlatform(ordersDone).start();
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
});

const together = orderJob({ channelOrderId: '{ value: X1 }', extra: 'batch: { size: 10 }\n' });

async function run(change: { readonly canary: number; readonly yes?: boolean; readonly job?: string }) {
  await fixture.file('orders.csv', orderRows(25));
  return fixture.run(await fixture.file('job.yaml', change.job ?? orderJob()), {
    connection: platform.connection(),
    canary: change.canary,
    parts: change.yes ? { confirm: true } : {},
  });
}

describe('a canary', () => {
  it('sends the first items and waits where no user can be asked, until a resume says yes', async () => {
    const end = await run({ canary: 3 });
    expect(end).toMatchObject({ status: 'stopped', exitCode: 4, counts: { succeeded: 3, not_sent: 22 } });
    expect(end.reason?.code).toBe('run.canary_waits');
    expect(platform.seen.map((it) => it.body.channelOrderId).sort()).toEqual(['SO-1', 'SO-2', 'SO-3']);
    const still = await resumeRun(fixture.parts(), (await fixture.ledger.runs.get(end.run))!, (it) => it);
    expect(still).toMatchObject({ status: 'stopped', exitCode: 4 });
    expect(platform.seen).toHaveLength(3);
    const progress: Progress[] = [];
    const observer = { ...SILENT, progress: (it: Progress) => void progress.push(it) };
    const parts = fixture.parts({ confirm: true, observer });
    const rest = await resumeRun(parts, (await fixture.ledger.runs.get(end.run))!, (it) => it);
    expect(rest).toMatchObject({ status: 'completed', counts: { succeeded: 25 } });
    expect(platform.seen).toHaveLength(25);
    // The figures of the second part are those of the whole run.
    const sending = progress.filter((it) => it.stage === 'execute');
    expect(sending[0]).toMatchObject({ done: 4, total: 25, counts: { succeeded: 4 }, requests: 1 });
    expect(sending.at(-1)).toMatchObject({ done: 25, total: 25, counts: { succeeded: 25 }, requests: 22 });
  });

  it('continues by itself with --yes when all of it succeeded', async () => {
    expect(await run({ canary: 3, yes: true })).toMatchObject({ counts: { succeeded: 25 }, exitCode: 0 });
  });

  it('stops even with --yes when one of it did not', async () => {
    platform.answer = (seen) =>
      seen.body.channelOrderId === 'SO-2'
        ? { body: { code: '13004', message: 'no', cause: '' } }
        : ordersDone(seen);
    const end = await run({ canary: 3, yes: true });
    expect(end).toMatchObject({
      status: 'stopped',
      exitCode: 4,
      counts: { succeeded: 2, rejected: 1, not_sent: 22 },
    });
    expect(end.reason?.code).toBe('run.canary_failed');
    expect(platform.seen).toHaveLength(3);
  });

  it('does not continue with --yes after a kill that left its outcome unknown', async () => {
    platform.answer = (seen) =>
      seen.body.channelOrderId === 'SO-2'
        ? { body: { code: '13004', message: 'no', cause: '' } }
        : ordersDone(seen);
    const end = await run({ canary: 3 });
    // As a process leaves it that dies right after the canary's last outcome.
    await fixture.ledger.runs.patch(end.run, { state: 'executing' });
    const parts = fixture.parts({ confirm: true });
    const reported = await resumeRun(parts, (await fixture.ledger.runs.get(end.run))!, (it) => it);
    expect(reported).toMatchObject({ status: 'stopped', reason: { code: 'run.canary_failed' } });
    expect(platform.seen).toHaveLength(3);
    const rest = await resumeRun(parts, (await fixture.ledger.runs.get(end.run))!, (it) => it);
    expect(rest).toMatchObject({ status: 'completed', counts: { succeeded: 24, rejected: 1 } });
  });

  it('is exact where items share requests', async () => {
    const end = await run({ canary: 4, job: together });
    expect(end.counts).toEqual({ succeeded: 4, not_sent: 21 });
    expect(platform.seen.map((it) => (it.body.orderList as unknown[]).length)).toEqual([4]);
  });

  it('asks nothing when it is the whole run', async () => {
    expect(await run({ canary: 25 })).toMatchObject({ status: 'completed', counts: { succeeded: 25 } });
  });
});
