import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
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
const JOBS = ['run', 'validate', 'plan', 'show', 'rehearse', 'reconcile', 'submit', 'schedule', 'doctor'];
const RUNS = [
  ['apply'],
  ['resume'],
  ['retry'],
  ['revert'],
  ['wait'],
  ['stop'],
  ['resolve'],
  ['request'],
  ['approve'],
  ['reject'],
  ['runs', 'show'],
  ['runs', 'export'],
  ['runs', 'report', '--output', 'x.html'],
  ['explain', 'ARGUMENT', '2'],
];

const CASES: readonly (readonly [readonly string[], string])[] = [
  ...JOBS.flatMap((it) => [
    [[it, 'orders.csv'], 'license-sync guess orders.csv'] as const,
    [[it, 'orders.xlsx'], 'license-sync guess orders.xlsx'] as const,
    [[it, RUN], `license-sync runs show ${RUN}`] as const,
    [[it, 'order.new_buy'], 'license-sync template order.new_buy'] as const,
  ]),
  ...JOBS.filter((it) => it !== 'schedule').map((it) => [[it, 'jobs/'], 'jobs is a folder'] as const),
  ...RUNS.flatMap((it) => {
    const given = (argument: string) =>
      it.includes('ARGUMENT') ? it.map((part) => (part === 'ARGUMENT' ? argument : part)) : [...it, argument];
    return [
      [given('job.yaml'), 'license-sync plan job.yaml'] as const,
      [given('orders.csv'), 'license-sync guess orders.csv'] as const,
      [given('jobs'), 'jobs is a folder'] as const,
      [given('order.new_buy'), 'order.new_buy is an operation'] as const,
    ];
  }),
  ...['template', 'operations'].flatMap((it) => [
    [[it, 'orders.xlsx'], 'license-sync guess orders.xlsx'] as const,
    [[it, 'jobs'], 'jobs is a folder'] as const,
    [[it, RUN], `license-sync runs show ${RUN}`] as const,
  ]),
  [['operations', 'job.yaml'], 'license-sync run job.yaml'],
  [['guess', 'job.yaml'], 'license-sync run job.yaml'],
  [['guess', 'jobs'], 'license-sync guess jobs/FILE.xlsx'],
  [['guess', RUN], `license-sync runs show ${RUN}`],
  [['runs', 'shwo', RUN], "unknown command 'shwo'\n(Did you mean show?)"],
  [['runs', RUN], `license-sync runs show ${RUN}`],
  [['audit', 'chekc'], "unknown command 'chekc'\n(Did you mean check?)"],
  [['schedule', 'job.yaml', 'orders.csv'], 'license-sync guess orders.csv'],
  [['pull', 'orders.xlsx'], 'license-sync pull asset --enterprises orders.xlsx'],
  [['orders.xlsx'], 'license-sync guess orders.xlsx'],
  [['job.yaml'], 'license-sync run job.yaml'],
];

it.each(CASES)('%j names what it is and the command that takes it', async (args, text) => {
  const { code, stderr } = await licenseSync(args, { cwd: folder });
  expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
});

it('recognises an argument where there is no ledger, and creates none', async () => {
  const elsewhere = await mkdtemp(path.join(tmpdir(), 'license-sync-wrong-'));
  for (const command of ['apply', 'resolve', 'wait', 'approve']) {
    const { code, stdout } = await licenseSync([command, 'x.xlsx', '--json'], { cwd: elsewhere });
    expect([code, JSON.parse(stdout).error.code], command).toEqual([2, 'argument.is_spreadsheet']);
  }
  expect(await readdir(elsewhere)).toEqual([]);
  await rm(elsewhere, { recursive: true });
});
