import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { render } from '../../src/errors/message.js';
import { loadJobFile } from '../../src/job/load.js';
import { ProblemsError } from '../../src/job/problem.js';
import { ALL_OPERATIONS } from '../../src/platform/operations/catalogue.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-cron-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function problemsOf(schedule: string, env: Record<string, string> = {}): Promise<string[]> {
  const file = path.join(folder, 'job.yaml');
  const head = 'version: 1\nname: locks\noperation: asset.lock\nsource: { file: a.csv }\n';
  await writeFile(file, `${head}${schedule}\n`);
  const options = { env, operations: ALL_OPERATIONS, cwd: folder };
  try {
    await loadJobFile(file, options);
    return [];
  } catch (error) {
    if (!(error instanceof ProblemsError)) throw error;
    return error.problems.map(
      (it) => `${it.line}:${it.column} ${it.code} ${render(it.message).split(': ')[1]}`,
    );
  }
}

describe('a cron expression that can never be due is refused', () => {
  it.each([
    [
      'schedule: { cron: "61 2 * * *" }',
      '5:20 job.bad_cron_minute 61 is not a valid minute of a schedule; allowed are 0 to 59',
    ],
    [
      'schedule: { cron: "0 2,24 * * *" }',
      '5:22 job.bad_cron_hour 2,24 is not a valid hour of a schedule; allowed are 0 to 23',
    ],
    ['schedule:\n  cron: 0 2 0 * *', '6:13 job.bad_cron_day 0 is not a valid day of the month'],
    ['schedule:\n  cron: 0 2 * MAY-FEB *', '6:15 job.bad_cron_month MAY-FEB is not a valid month'],
    ['schedule: { cron: "0 2 * * FUN" }', '5:28 job.bad_cron_weekday FUN is not a valid day of the week'],
    ['schedule: { cron: "0 2 30 2 *" }', '5:19 job.cron_never 0 2 30 2 * never occurs'],
    ['schedule: { cron: "0 2 * *" }', '5:19 job.bad_cron "cron" is 0 2 * *; it must have five fields'],
  ])('%s is reported with its place and the correct value', async (schedule, expected) => {
    const [reported, ...others] = await problemsOf(schedule);
    expect(reported).toContain(expected);
    expect(others).toEqual([]);
  });

  it('is not repeated where a variable put it in', async () => {
    const [reported] = await problemsOf(`schedule: { cron: "0 \${HOUR} * * *" }`, { HOUR: '99' });
    expect(reported).toContain('job.bad_cron_hour $… is not a valid hour');
  });

  it.each(['0 2 * * *', '*/15 8-18 * * MON-FRI', '0 0 L * ?', '30 6 1,15 jan-jun *', '0 0 * * MON#2'])(
    '%s is fine',
    async (cron) => {
      expect(await problemsOf(`schedule: { cron: "${cron}" }`)).toEqual([]);
    },
  );
});
