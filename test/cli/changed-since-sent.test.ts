import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyPlan, runJob } from '../../src/api/index.js';
import { openLedger } from '../../src/ledger/open.js';
import { lastTime } from '../../src/schedule/timetable.js';
import { readCron } from '../../src/util/cron.js';
import { zone } from '../../src/util/zoned-time.js';
import { everythingDone, lockJob, OrderFixture } from '../support/order-fixture.js';
import { earlierToday, SchedulerProcess } from '../support/schedule-fixture.js';

const DAY = 86_400_000;
let fixture: OrderFixture;

describe.each(['SQLite', 'PostgreSQL'] as const)('a lock that a later run enabled (%s)', (kind) => {
  beforeEach(async () => {
    fixture = await OrderFixture.open(kind);
  });

  afterEach(() => fixture.close());

  /** The job locked L1, then another one unlocked it. Its sheet now has it again. */
  async function unlockedSince(job = lockJob('overdue', 'lock'), sheet = 'overdue.csv'): Promise<string> {
    await fixture.file('overdue.yaml', job);
    await fixture.file(sheet, 'Asset\nL1\nL2\n');
    expect(await fixture.json('run', 'overdue.yaml')).toMatchObject({ code: 0 });
    const later = await unlock('L1');
    await fixture.file(sheet, 'Asset\nL3\nL1\n');
    fixture.platform.seen.length = 0;
    return later;
  }

  async function unlock(...locks: readonly string[]): Promise<string> {
    await fixture.file('paid.yaml', lockJob('paid', 'unlock'));
    await fixture.file('paid.csv', `Asset\n${locks.join('\n')}\n`);
    const end = await fixture.json('run', 'paid.yaml');
    expect(end).toMatchObject({ code: 0, counts: { succeeded: locks.length } });
    return end.run;
  }

  // Only a server has a queue. The rest is the same on both: contract/ runs the ledger's statements on each.
  if (kind === 'PostgreSQL') {
    it('is not queued by submit without --yes', async () => {
      await unlockedSince();
      expect(await fixture.json('submit', 'overdue.yaml')).toMatchObject({ code: 4, status: 'stopped' });
      expect(await fixture.call('worker', '--once')).toMatchObject({ code: 0 });
      expect(fixture.sent).toEqual([]);
      expect(await fixture.json('submit', 'overdue.yaml', '--yes')).toMatchObject({
        code: 0,
        status: 'queued',
      });
      expect(await fixture.call('worker', '--once')).toMatchObject({ code: 0 });
      expect([...fixture.sent].sort()).toEqual(['L1', 'L3']);
    });

    it('is not locked by a worker if it was enabled while the run was queued', async () => {
      await fixture.file('overdue.yaml', lockJob('overdue', 'lock'));
      await fixture.file('overdue.csv', 'Asset\nL1\n');
      await fixture.json('run', 'overdue.yaml');
      await fixture.file('overdue.csv', 'Asset\nL3\nL1\n');
      const { run } = await fixture.json('submit', 'overdue.yaml');
      const later = await unlock('L1');
      fixture.platform.seen.length = 0;
      expect(await fixture.call('worker', '--once')).toMatchObject({ code: 0 });
      expect(fixture.sent).toEqual([]);
      const waited = await fixture.call('wait', run);
      expect(waited.code).toBe(4);
      expect(waited.stdout).toContain(later);
      expect(await fixture.call('resume', run, '--queue')).toMatchObject({ code: 4 });
      expect(await fixture.call('resume', run, '--queue', '--yes')).toMatchObject({ code: 0 });
      expect(await fixture.call('worker', '--once')).toMatchObject({ code: 0 });
      expect([...fixture.sent].sort()).toEqual(['L1', 'L3']);
      expect(await fixture.call('wait', run)).toMatchObject({ code: 0 });
    });
    return;
  }

  it('is locked by a command only with --yes, which the message names with the row and the run', async () => {
    const later = await unlockedSince();
    const refused = await fixture.call('run', 'overdue.yaml');
    expect(refused.code).toBe(4);
    expect(refused.stdout).toContain(`later runs (${later}) changed its lock or customer since: row 3.`);
    expect(fixture.sent).toEqual([]);
    expect(await fixture.json('run', 'overdue.yaml', '--yes')).toMatchObject({ code: 0 });
    expect(fixture.sent).toEqual(['L3', 'L1']);
  });

  it('is not locked by a schedule without --yes', async () => {
    const cron = earlierToday();
    await unlockedSince(lockJob('overdue', 'lock', `schedule: { cron: "${cron}" }\n`));
    // A run of today would count as that of the missed time.
    await fixture.alter(`UPDATE runs SET started_at = started_at - ${3 * DAY}`);
    const times = readCron(cron);
    if (!times.ok) throw new Error(cron);
    const newest = lastTime({ cron: times.times, zone: zone('Asia/Shanghai')! }, Date.now())!;
    const ledger = await openLedger(fixture.ledger);
    await ledger.schedule.begin('overdue', newest - DAY, newest - DAY);
    await ledger.schedule.end('overdue', newest - DAY, { endedAt: newest - DAY, exitCode: 0, run: 'before' });
    await ledger.close();
    const scheduler = new SchedulerProcess(['overdue.yaml', '--json'], {
      cwd: fixture.folder,
      env: fixture.env,
    });
    try {
      await scheduler.until(() => scheduler.runs.length > 0);
    } finally {
      scheduler.child.kill('SIGTERM');
      await scheduler.ended;
    }
    expect(scheduler.runs).toMatchObject([{ job: 'overdue', status: 'stopped', exitCode: 4 }]);
    expect(fixture.sent).toEqual([]);
  });

  it('is not locked by an inbox without --yes: the file stays', async () => {
    const inbox = lockJob('overdue', 'lock', 'source: { file: inbox/*.csv }\n');
    await unlockedSince(inbox, 'inbox/monday.csv');
    const files = async () =>
      (await readdir(path.join(fixture.folder, 'inbox'))).filter((it) => it.endsWith('.csv'));
    expect(await files()).toEqual(['monday.csv']);
    for (let time = 0; time < 2; time += 1) {
      expect(await fixture.call('run', 'overdue.yaml')).toMatchObject({ code: 4 });
      expect(await files()).toEqual(['monday.csv']);
      expect(fixture.sent).toEqual([]);
    }
    expect(await fixture.call('run', 'overdue.yaml', '--yes')).toMatchObject({ code: 0 });
    expect(fixture.sent).toEqual(['L3', 'L1']);
    expect(await files()).toEqual([]);
  });

  it('is not locked by a comparison with --apply without --yes', async () => {
    fixture.platform.answer = (seen) =>
      seen.path.endsWith('/list')
        ? {
            body: {
              code: 0,
              message: '',
              data: [
                { id: 'A1', assetNum: 'L1', locked: false },
                { id: 'A2', assetNum: 'L2', locked: true },
              ],
            },
          }
        : everythingDone(seen);
    await fixture.file('expected.csv', 'Enterprise,Lock,Locked\nE1,L1,TRUE\n');
    await fixture.file(
      'nightly.yaml',
      `version: 1
name: nightly
reconcile: asset
source: { file: expected.csv }
key: { enterpriseGlobalId: Enterprise, assetNum: Lock }
expect: { locked: Locked }
actions:
  - on: different
    operation: asset.lock
    map: { assetNums: Lock, operatorIdentity: { value: ops@example.com } }
`,
    );
    await fixture.call('reconcile', 'nightly.yaml', '--apply');
    expect(fixture.sent).toEqual(['L1']);
    const later = await unlock('L1');
    fixture.platform.seen.length = 0;
    const refused = await fixture.call('reconcile', 'nightly.yaml', '--apply');
    expect(refused.code).toBe(4);
    expect(refused.stdout).toContain(later);
    expect(fixture.sent).toEqual([]);
    await fixture.call('reconcile', 'nightly.yaml', '--apply', '--yes');
    expect(fixture.sent).toEqual(['L1']);
  });

  it('is not locked by the library without a confirmation, which is asked for with the rows and the runs', async () => {
    const later = await unlockedSince();
    const options = { cwd: fixture.folder, env: { ...process.env, ...fixture.env } };
    const file = 'overdue.yaml';
    expect(await runJob(file, options)).toMatchObject({ status: 'stopped', exitCode: 4 });
    const asked: unknown[] = [];
    const confirm = (it: unknown): boolean => {
      asked.push(it);
      return false;
    };
    expect(await runJob(file, { ...options, confirm })).toMatchObject({ status: 'stopped', exitCode: 4 });
    expect(asked).toMatchObject([{ job: 'overdue', changed: { count: 1, rows: '3', runs: later } }]);
    expect(fixture.sent).toEqual([]);
    const { plan } = await fixture.json('plan', file);
    expect(await applyPlan(String(plan), options)).toMatchObject({ status: 'stopped', exitCode: 4 });
    expect(fixture.sent).toEqual([]);
    expect(await applyPlan(String(plan), { ...options, confirm: () => true })).toMatchObject({ exitCode: 0 });
    expect(fixture.sent).toEqual(['L3', 'L1']);
  });
});
