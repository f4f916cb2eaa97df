import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportSchedules } from '../../../src/schedule/export/export.js';
import { type ExportEnvironment, plainFields } from '../../../src/schedule/export/fields.js';
import { calendars } from '../../../src/schedule/export/systemd.js';
import { nextTimes } from '../../../src/schedule/timetable.js';
import { connection, nightly } from '../fakes.js';

const WITHOUT = spawnSync('systemd-analyze', ['--version']).status !== 0;
if (WITHOUT) console.log('skipped: no systemd-analyze here to check units with');

let home: string;

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'license-sync-units-'));
});

afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

function ground(change: Partial<ExportEnvironment> = {}): ExportEnvironment {
  return { home, program: [process.execPath, '/bin/sh'], passed: {}, image: 'i', version: '1', ...change };
}

describe('units of systemd', () => {
  it.skipIf(WITHOUT)('are accepted by its checker, whatever names and paths hold', async () => {
    const odd = path.join(home, 'with "quotes" $HOME %h and spaces');
    const jobs = [
      nightly({ name: 'plain', cron: '*/15 8-18 * * MON-FRI', jitterMs: 300_000 }),
      nightly({
        name: '夜间-锁',
        cron: '0 2 1,15 JAN-MAR 1',
        onMissed: 'skip',
        timezone: 'America/New_York',
      }),
      nightly({ name: 'drift', kind: 'reconcile', hasActions: true }),
    ];
    const change = {
      home: odd,
      movedLedger: '/var/lib/a b/ledger.db',
      passed: { apply: true, logFile: 'a b.log' },
    };
    const { files } = exportSchedules(jobs, 'systemd', ground(change));
    expect(files).toHaveLength(6);
    for (const { name, text } of files) await writeFile(path.join(home, name), text);
    const paths = files.map(({ name }) => path.join(home, name));
    const checked = spawnSync('systemd-analyze', ['verify', ...paths], { encoding: 'utf8' });
    expect(checked.stderr).toBe('');
    expect(checked.status).toBe(0);
  });

  it.skipIf(WITHOUT)('an error in one would be seen', async () => {
    const { files } = exportSchedules([nightly()], 'systemd', ground());
    for (const { name, text } of files) {
      await writeFile(path.join(home, name), text.replace('02:00:00', '25:00:00'));
    }
    const paths = files.map(({ name }) => path.join(home, name));
    const checked = spawnSync('systemd-analyze', ['verify', ...paths], { encoding: 'utf8' });
    expect(checked.stderr).toMatch(/calendar specification/);
    expect(checked.status).not.toBe(0);
  });

  it.skipIf(WITHOUT).each([
    ['30 2 * * *', 'Europe/Berlin'],
    ['*/17 9-17/2 * * MON-FRI', 'Asia/Shanghai'],
    ['0 0 1 * SUN', 'America/New_York'],
    ['5 4 10-20/5 JUN,JUL 3', 'Australia/Lord_Howe'],
    ['0 12 29 2 *', 'UTC'],
  ])('%s in %s elapses at the same times there', (cron, timezone) => {
    const job = nightly({ cron, timezone });
    const reading = plainFields(cron);
    if (!reading.ok) throw new Error(cron);
    const base = Date.parse('2026-06-01T00:00:30Z');
    const elapses = calendars(reading.fields).flatMap((it) => {
      const args = ['calendar', '--iterations=12', `--base-time=@${base / 1000}`, `${it} ${timezone}`];
      const said = spawnSync('systemd-analyze', args, { encoding: 'utf8', env: { TZ: 'UTC', LC_ALL: 'C' } });
      expect(said.stderr).toBe('');
      return [...said.stdout.matchAll(/(?:Next elapse|Iter\. #\d+): \w+ (\S+) (\S+) UTC/g)].map((found) =>
        Date.parse(`${found[1]}T${found[2]}Z`),
      );
    });
    const theirs = [...new Set(elapses)].sort((a, b) => a - b).slice(0, 12);
    expect(theirs).toHaveLength(12);
    expect(nextTimes(job.timetable, base, 12)).toEqual(theirs);
  });

  it('say what the schedule says, and hold no token', () => {
    const job = {
      ...nightly({ name: 'locks', jitterMs: 300_000 }),
      configured: connection({ kind: 'env', name: 'LICENSE_TOKEN' }),
    };
    process.env.LICENSE_TOKEN = 's3cret-token';
    const change = { passed: { connection: 'production', metricsFile: '/var/lib/node_exporter/a.prom' } };
    const { files, notes } = exportSchedules([job], 'systemd', ground(change));
    delete process.env.LICENSE_TOKEN;
    const [service, timer] = files;
    expect(files.map(({ name }) => name)).toEqual(['license-sync-locks.service', 'license-sync-locks.timer']);
    expect(service?.text).toContain(
      `ExecStart=${process.execPath} /bin/sh run /jobs/locks.yaml --connection production --metrics-file /var/lib/node_exporter/a.prom --json --quiet\n`,
    );
    expect(service?.text).toContain('\nEnvironmentFile=/etc/license-sync/license-sync.env\n');
    expect(service?.text).toContain('# LICENSE_TOKEN=…');
    expect(service?.text).toContain(`ReadWritePaths=${home} /results /var/lib/node_exporter\n`);
    expect(timer?.text).toContain('OnCalendar=*-*-* 02:00:00 Asia/Shanghai\n');
    expect(timer?.text).toContain('Persistent=true\nRandomizedDelaySec=300\n');
    expect(files.map(({ text }) => text).join()).not.toContain('s3cret');
    expect(notes).toEqual([]);
  });

  it('what they have nothing for is reported', () => {
    const { notes, files } = exportSchedules(
      [nightly({ onOverlap: 'queue', onMissed: 'skip' })],
      'systemd',
      ground(),
    );
    expect(notes.map((it) => it.code)).toEqual(['schedule.export_no_queue']);
    expect(files[1]?.text).toContain('Persistent=false\n');
  });

  it('names that differ stay apart', () => {
    const jobs = ['夜间', '日间', 'a-夜间', 'a-日间'].map((name) => nightly({ name }));
    const { files } = exportSchedules(jobs, 'systemd', ground());
    expect(new Set(files.map(({ name }) => name)).size).toBe(8);
    expect(files.every(({ name }) => /^[A-Za-z0-9.-]+$/.test(name))).toBe(true);
  });
});

describe('what no format can say', () => {
  it.each(['systemd', 'cron', 'kubernetes'] as const)('is refused by %s, for all jobs at once', (format) => {
    const file = (name: string) => ({ ...nightly({ name }), file: path.join(home, `${name}.yaml`) });
    const jobs = [
      { ...file('last'), ...nightly({ name: 'last', cron: '0 2 L * *' }) },
      { ...file('fine'), job: { ...nightly().job, source: nightly().job.source } },
      nightly({ name: 'second', cron: '0 2 * * MON#2' }),
    ];
    try {
      exportSchedules(jobs, format, ground());
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ kind: 'usage', detail: { code: 'schedule.export_refused' } });
      const { others } = error as { others: { code: string; params: Record<string, unknown> }[] };
      const fields = others.filter((it) => it.code === 'schedule.export_field').map((it) => it.params);
      expect(fields).toMatchObject([
        { job: 'last', field: 'day', value: 'L' },
        { job: 'second', field: 'weekday', value: 'MON#2' },
      ]);
    }
  });

  it.each(['systemd', 'cron'] as const)('a path over two lines is refused by %s', (format) => {
    const job = nightly();
    const odd = { ...job, job: { ...job.job, output: { file: '/results/a\nExecStart=/bin/evil' } } };
    expect(() => exportSchedules([odd], format, ground())).toThrow(/cannot be written as/);
  });
});
