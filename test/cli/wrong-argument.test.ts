import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { licenseSync } from '../support/command.js';
import { orderJob, orderRows } from '../support/orders.js';

const RESULTS = ['result.xlsx', 'result.csv', 'result.ndjson'] as const;

let folder = '';
/** By the names of their results. */
const runs = new Map<string, string>();
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-wrong-'));
  await mkdir(path.join(folder, 'jobs'));
  await writeFile(path.join(folder, 'orders.csv'), orderRows(2));
  await writeFile(path.join(folder, 'job.yaml'), orderJob());
  await writeFile(path.join(folder, 'license-sync.yaml'), 'version: 1\n');
  const run = (output: string) =>
    licenseSync(['run', 'job.yaml', '--connection', 'sandbox', '--output', output, '--json'], {
      cwd: folder,
    });
  for (const output of RESULTS) {
    const { stdout } = await run(output);
    runs.set(output, (JSON.parse(stdout) as { run: string }).run);
  }
});
afterAll(() => rm(folder, { recursive: true }));

const LEDGER = path.join('.license-sync', 'ledger.db');
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
  ...[...JOBS, 'retry', 'resume', 'guess', 'template'].flatMap((it) => [
    [[it, 'license-sync.yaml'], 'license-sync.yaml is the file with the settings'] as const,
    [[it, LEDGER], `license-sync runs --ledger ${LEDGER}`] as const,
  ]),
  [['license-sync.yaml'], 'license-sync doctor'],
  [[LEDGER], `license-sync runs --ledger ${LEDGER}`],
  [['schedule', 'job.yaml', 'orders.csv'], 'license-sync guess orders.csv'],
  [['pull', 'orders.xlsx'], 'license-sync pull asset --enterprises orders.xlsx'],
  [['orders.xlsx'], 'license-sync guess orders.xlsx'],
  [['job.yaml'], 'license-sync run job.yaml'],
];

it.each(RESULTS)('%s is the result of a run', async (result) => {
  const run = runs.get(result)!;
  for (const args of [['run'], ['validate'], ['resume'], ['retry'], ['runs', 'show'], ['schedule']]) {
    const { code, stderr } = await licenseSync([...args, result], { cwd: folder });
    expect([code, stderr], args.join()).toEqual([2, expect.stringContaining(`license-sync retry ${run}`)]);
  }
});

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

it.each(['sandbox', 'console'])('%s takes a port up to 65535, and names the limit', async (command) => {
  const { code, stderr } = await licenseSync([command, '--port', '65536'], { cwd: folder });
  expect(code).toBe(2);
  expect(stderr).toContain('from 0 to 65535');
});

it('a backup onto the ledger is refused as a backup, not as a spreadsheet', async () => {
  const { code, stderr } = await licenseSync(['ledger', 'backup', LEDGER], { cwd: folder });
  expect(code).toBe(2);
  expect(stderr).toContain('Name a new file in another folder');
  expect(stderr).not.toContain('spreadsheet');
});
