import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportSchedules } from '../../../src/schedule/export/export.js';
import type { ScheduledJob } from '../../../src/schedule/scheduled-job.js';
import { nightly } from '../fakes.js';

let home: string;

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "license-sync it's 100% "));
});

afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

function text(jobs: readonly ScheduledJob[]): string {
  const ground = { home, program: [path.join(home, 'program')], passed: {}, image: 'i', version: '1' };
  const { files } = exportSchedules(jobs, 'cron', ground);
  expect(files).toHaveLength(1);
  return files[0]!.text;
}

const entries = (crontab: string): string[] => crontab.split('\n').filter((it) => /^[\d*]/.test(it));

describe('a crontab', () => {
  it('has each job in its own zone, guarded against overlaps', () => {
    const made = text([
      nightly(),
      nightly({ name: 'b', cron: '*/30 * * * MON', timezone: 'UTC', onOverlap: 'queue' }),
    ]);
    const [first, second] = entries(made);
    expect(made).toMatch(/CRON_TZ=Asia\/Shanghai\n0 2 \* \* \* /);
    expect(made).toMatch(/CRON_TZ=UTC\n0,30 \* \* \* 1 /);
    expect(first).toContain(' flock -n /jobs/nightly.yaml ');
    expect(second).toContain(' flock -w 1800 /jobs/b.yaml ');
    expect(made).toContain('# nightly: onMissed is run, which cron has nothing for.');
  });

  it('has lines that the shell runs as they are meant', async () => {
    await mkdir(path.join(home, 'jobs'));
    await writeFile(path.join(home, 'jobs', 'a.yaml'), '');
    await writeFile(path.join(home, 'program'), '#!/bin/sh\npwd > said\nprintf "%s\\n" "$@" >> said\n');
    await chmod(path.join(home, 'program'), 0o755);
    const job = { ...nightly({ jitterMs: 1 }), file: path.join(home, 'jobs', 'a.yaml') };
    const [entry = ''] = entries(text([job]));
    // cron itself takes the five fields off, and the backslash before a percent sign.
    const command = entry.split(' ').slice(5).join(' ').replaceAll('\\%', '%');
    expect(entry.replaceAll('\\%', '')).not.toContain('%');
    const missing = spawnSync('/bin/sh', ['-c', 'command -v flock && command -v shuf']).status !== 0;
    if (missing) return console.log('skipped: no flock or shuf here');
    const ran = spawnSync('/bin/sh', ['-c', command], { encoding: 'utf8' });
    expect(ran.stderr).toBe('');
    expect(ran.status).toBe(0);
    expect(await readFile(path.join(home, 'said'), 'utf8')).toBe(`${home}\nrun\njobs/a.yaml\n--quiet\n`);
  });
});
