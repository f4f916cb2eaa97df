import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { licenseSync } from '../support/command.js';
import { orderJob, orderRows } from '../support/orders.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-wrong-'));
  await mkdir(path.join(folder, 'jobs'));
  await writeFile(path.join(folder, 'orders.csv'), orderRows(2));
  await writeFile(path.join(folder, 'job.yaml'), orderJob());
  await licenseSync(['run', 'job.yaml', '--connection', 'sandbox'], { cwd: folder });
});
afterAll(() => rm(folder, { recursive: true }));

const RUN = '20261121-194523-405b3e';
const JOBS = ['run', 'validate', 'plan', 'show', 'rehearse', 'reconcile'];
const RUNS = ['apply', 'resume', 'retry', 'revert'];

it.each([
  ...JOBS.flatMap((it) => [
    [[it, 'orders.csv'], 'license-sync guess orders.csv'],
    [[it, 'orders.xlsx'], 'license-sync guess orders.xlsx'],
    [[it, 'jobs'], 'jobs is a folder'],
    [[it, RUN], `license-sync runs show ${RUN}`],
  ]),
  ...RUNS.flatMap((it) => [
    [[it, 'job.yaml'], 'license-sync plan job.yaml'],
    [[it, 'orders.csv'], 'license-sync guess orders.csv'],
  ]),
  [['runs', 'show', 'job.yaml'], 'license-sync run job.yaml'],
  [['explain', 'job.yaml', '2'], 'license-sync run job.yaml'],
  [['template', 'orders.xlsx'], 'license-sync guess orders.xlsx'],
  [['operations', 'orders.xlsx'], 'license-sync guess orders.xlsx'],
] as [string[], string][])('%j names what it is and the command that takes it', async (args, said) => {
  const { code, stderr } = await licenseSync(args, { cwd: folder });
  expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
});
