import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, ordersDone, type Seen } from '../support/fake-platform.js';
import { ScheduleFixture } from '../support/schedule-fixture.js';

let fixture: ScheduleFixture;

beforeEach(async () => {
  fixture = await ScheduleFixture.open();
});

afterEach(async () => {
  await fixture.close();
});

const slowly = async (seen: Seen): Promise<Answer> => {
  await new Promise((resolve) => setTimeout(resolve, 40));
  return ordersDone(seen);
};

/** By the notes of the locks that are held: the scheduler's own is one of them. */
async function processOfTheRun(scheduler: number): Promise<number> {
  const locks = fixture.at('.license-sync/locks');
  for (const name of await readdir(locks)) {
    if (!name.endsWith('.json')) continue;
    const { process: id } = JSON.parse(await readFile(path.join(locks, name), 'utf8')) as { process: number };
    if (id !== scheduler) return id;
  }
  throw new Error('no run goes on');
}

/** All rows are accounted for; one that is unknown may not have reached the platform before its run was killed. */
function expectNoneTwice(counts: unknown, rows: number): void {
  const { succeeded = 0, unknown = 0 } = counts as Record<string, number>;
  expect(succeeded + unknown).toBe(rows);
  expect(new Set(fixture.sent).size).toBe(fixture.sent.length);
  expect(fixture.sent.length).toBeGreaterThanOrEqual(succeeded);
}

describe('missed times', () => {
  it('three missed nights give one catch-up run', async () => {
    const newest = await fixture.putMissed(5, 3);
    const before = await fixture.schedule('list', '--json');
    expect(JSON.parse(before.stdout)).toMatchObject([
      { job: 'orders', missed: { count: 3 }, last: { run: 'before', exitCode: 0 } },
    ]);
    const scheduler = fixture.start('--json');
    await scheduler.until(() => scheduler.runs.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 500));
    scheduler.child.kill('SIGTERM');
    expect(await scheduler.ended).toEqual({ code: 0, signal: null });
    expect(scheduler.runs).toMatchObject([
      {
        job: 'orders',
        reason: 'missed',
        due: new Date(newest).toISOString(),
        status: 'completed',
        counts: { succeeded: 5 },
        exitCode: 0,
      },
    ]);
    expect(scheduler.stderr).toContain('3 times were missed');
    expect(new Set(fixture.sent).size).toBe(5);
    expect(fixture.sent).toHaveLength(5);
    const after = await fixture.schedule('list');
    expect(after.stdout).not.toContain('missed');
    expect(after.stdout).toContain(`exit 0  run ${String(scheduler.runs[0]?.run)}`);
    expect(await readFile(String(scheduler.runs[0]?.output))).toBeDefined();
  });

  it('or none, where the job leaves them out', async () => {
    await fixture.putMissed(5, 2, ', onMissed: skip');
    const scheduler = fixture.start();
    await scheduler.until(() => scheduler.stderr.includes('next at'));
    scheduler.child.kill('SIGTERM');
    expect((await scheduler.ended).code).toBe(0);
    expect(scheduler.stderr).toContain('onMissed: skip');
    expect(fixture.sent).toEqual([]);
  });
});

describe('a stop', () => {
  it('drains: Ctrl-C lets what is in flight end, and the next scheduler continues', async () => {
    const due = await fixture.putMissed(60, 1);
    fixture.platform.answer = slowly;
    const scheduler = fixture.start('--json');
    await scheduler.until(() => fixture.platform.seen.length > 10);
    scheduler.pressCtrlC();
    expect(await scheduler.ended).toEqual({ code: 0, signal: null });
    expect(scheduler.stderr).toContain('runs with requests in flight: 1');
    expect(scheduler.runs).toMatchObject([{ status: 'interrupted', exitCode: 130 }]);
    const { run, counts } = scheduler.runs[0] as { run: string; counts: Record<string, number> };
    // Nothing is unknown: the run ended in order and was not reported twice.
    expect(counts).toEqual({
      succeeded: fixture.platform.seen.length,
      not_sent: 60 - fixture.platform.seen.length,
    });
    fixture.platform.answer = ordersDone;
    const next = fixture.start('--json');
    await next.until(() => next.runs.length > 0);
    next.child.kill('SIGTERM');
    expect((await next.ended).code).toBe(0);
    expect(next.runs).toMatchObject([
      { run, reason: 'resumed', due: new Date(due).toISOString(), exitCode: 0, counts: { succeeded: 60 } },
    ]);
    expect(new Set(fixture.sent).size).toBe(60);
    expect(fixture.sent).toHaveLength(60);
  });

  it('a second Ctrl-C leaves at once', async () => {
    await fixture.putMissed(20, 1);
    fixture.platform.answer = (seen, count) => (count > 4 ? 'hang' : ordersDone(seen));
    const scheduler = fixture.start('--json');
    await scheduler.until(() => fixture.platform.seen.length > 4);
    scheduler.pressCtrlC();
    await scheduler.until(() => scheduler.stderr.includes('stopping: waiting'));
    const pressed = performance.now();
    scheduler.pressCtrlC();
    expect((await scheduler.ended).code).toBe(130);
    expect(performance.now() - pressed).toBeLessThan(20_000);
    fixture.platform.answer = ordersDone;
    const next = fixture.start('--json');
    await next.until(() => next.runs.length > 0);
    next.child.kill('SIGTERM');
    await next.ended;
    expect(next.runs[0]).toMatchObject({ reason: 'resumed', exitCode: 6 });
    expectNoneTwice(next.runs[0]?.counts, 20);
  });

  it('killed with its run, the next one resumes it', async () => {
    await fixture.putMissed(60, 1);
    fixture.platform.answer = slowly;
    const scheduler = fixture.start('--json');
    await scheduler.until(() => fixture.platform.seen.length > 10);
    const run = await processOfTheRun(scheduler.child.pid!);
    expect(run).toBeGreaterThan(1);
    scheduler.child.kill('SIGKILL');
    process.kill(run, 'SIGKILL');
    await scheduler.ended;
    fixture.platform.answer = ordersDone;
    const next = fixture.start('--json');
    await next.until(() => next.runs.length > 0);
    next.child.kill('SIGTERM');
    await next.ended;
    expect(next.stderr).toContain('was cut off and is resumed');
    expectNoneTwice(next.runs[0]?.counts, 60);
  });
});
