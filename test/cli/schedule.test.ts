import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nextTimes } from '../../src/schedule/timetable.js';
import { readCron } from '../../src/util/cron.js';
import { zone } from '../../src/util/zoned-time.js';
import { orderJob } from '../support/orders.js';
import { earlierToday, ScheduleFixture } from '../support/schedule-fixture.js';

const PROGRAM = fileURLToPath(new URL('../../bin/license-sync.js', import.meta.url));

let fixture: ScheduleFixture;

beforeEach(async () => {
  fixture = await ScheduleFixture.open();
});

afterEach(async () => {
  await fixture.close();
});

describe('two schedulers', () => {
  it('one works, the other says who and leaves; one that stands by takes over', async () => {
    await fixture.putOrders(3, `{ cron: "${earlierToday()}" }`);
    const starts = [fixture.start('--json'), fixture.start('--json')];
    const loser = await Promise.race(starts.map((it) => it.ended.then((end) => ({ it, end }))));
    expect(loser.end.code).toBe(2);
    const winner = starts.find((it) => it !== loser.it)!;
    expect(loser.it.stderr).toContain(`process ${winner.child.pid}`);
    expect(JSON.parse(loser.it.stdout)).toMatchObject({ error: { code: 'schedule.another_scheduler' } });
    const [standby, leaver] = [fixture.start('--wait'), fixture.start('--wait')];
    await leaver.until(() => leaver.stderr.includes('waiting until it has exited'));
    leaver.child.kill('SIGINT');
    expect((await leaver.ended).code).toBe(0);
    await standby.until(() => standby.stderr.includes('waiting until it has exited'));
    expect(standby.stderr).not.toContain('next at');
    winner.child.kill('SIGKILL');
    await standby.until(() => standby.stderr.includes('next at'));
    expect(standby.stderr).toContain('taking over');
    standby.child.kill('SIGTERM');
    expect((await standby.ended).code).toBe(0);
  });
});

describe('a scheduler that cannot start says why', () => {
  it('invalid job files', async () => {
    await fixture.putOrders(1, '{ cron: "0 2 * * *" }');
    await writeFile(fixture.at('jobs/other.yaml'), orderJob({ extra: 'schedule: { cron: "0 24 * * *" }\n' }));
    const end = await fixture.schedule();
    expect(end.code).toBe(2);
    expect(end.stderr).toMatch(
      /other\.yaml:\d+:\d+ job\.bad_cron_hour: 24 is not a valid hour of a schedule; allowed are/,
    );
    expect(end.stdout).toBe('');
  });

  it('a ledger that is none', async () => {
    await fixture.putOrders(1, '{ cron: "0 2 * * *" }');
    await mkdir(fixture.at('.license-sync'));
    await writeFile(
      fixture.at('.license-sync/ledger.db'),
      'this is a text, and no ledger at all\n'.repeat(200),
    );
    const end = await fixture.schedule('--json');
    expect(end.code).toBe(5);
    expect(end.stderr).toContain('is not a ledger of license-sync');
    expect(JSON.parse(end.stdout)).toMatchObject({ error: { code: 'ledger.not_a_ledger' } });
  });

  it.each([[['--concurrency', '0']], [['nowhere.yaml']], [['export']]])('%j', async (args) => {
    await fixture.putOrders(1, '{ cron: "0 2 * * *" }');
    const end = await fixture.schedule(...args);
    expect(end.code).toBe(2);
    expect(end.stderr).not.toBe('');
  });

  it('export with --json reports a machine too', async () => {
    const end = await fixture.schedule('export', '--format', 'cron', '--json', 'nowhere.yaml');
    expect(end.code).toBe(2);
    expect(JSON.parse(end.stdout)).toMatchObject({
      error: { message: expect.stringContaining('nowhere.yaml') },
    });
  });
});

describe('the other commands', () => {
  it('list shows the next times in the zone of each job', async () => {
    await fixture.putOrders(1, '{ cron: "30 2 * * *", timezone: Europe/Berlin }');
    const { stdout, code } = await fixture.schedule('list', 'jobs');
    expect(code).toBe(0);
    const reading = readCron('30 2 * * *');
    if (!reading.ok) throw new Error('no times');
    expect(stdout).toMatch(/^orders {2}30 2 \* \* \* {2}Europe\/Berlin\n/);
    expect(stdout.match(/\d{4}-\d\d-\d\d 02:30 \+0[12]:00/g)).toHaveLength(3);
    expect(stdout).toContain('last    never');
    const json = await fixture.schedule('list', '--json');
    const [listed] = JSON.parse(json.stdout) as { next: { at: string }[] }[];
    const timetable = { cron: reading.times, zone: zone('Europe/Berlin')! };
    const next = nextTimes(timetable, Date.now(), 3).map((it) => new Date(it).toISOString());
    expect(listed?.next.map((it) => it.at)).toEqual(next);
  });

  it('export writes files, or prints everything', async () => {
    await fixture.putOrders(1, '{ cron: "30 2 * * *" }');
    const made = await fixture.schedule('export', '--format', 'systemd', '--output', 'units');
    expect(made.code).toBe(0);
    expect((await readdir(fixture.at('units'))).sort()).toEqual([
      'license-sync-orders.service',
      'license-sync-orders.timer',
    ]);
    const service = await readFile(fixture.at('units/license-sync-orders.service'), 'utf8');
    expect(service).toContain(
      `ExecStart=${process.execPath} ${PROGRAM} run jobs/orders.yaml --json --quiet\n`,
    );
    expect(service).toContain(`WorkingDirectory=${fixture.folder}\n`);
    for (const format of ['cron', 'kubernetes']) {
      const args = ['export', '--format', format, '--program', '/usr/bin/license-sync', '--yes'];
      const { stdout, code } = await fixture.schedule(...args);
      expect(code).toBe(0);
      expect(stdout).toContain('/usr/bin/license-sync');
      expect(stdout).toContain('--yes');
      expect(stdout).not.toContain('s3cret');
    }
  });
});
