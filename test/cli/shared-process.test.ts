import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Ended, licenseSync, licenseSyncAlone } from '../support/command.js';
import { orderJob, orderRows } from '../support/orders.js';

let folder: string;
const at = (name: string): string => path.join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-shared-process-'));
  await writeFile(at('orders.csv'), orderRows(3));
  await writeFile(at('job.yaml'), orderJob({ extra: 'connection: sandbox\n' }));
  await writeFile(at('bad.yaml'), 'version: 1\noperation: order.new_by\n');
  // The first creates the ledger, and reports this.
  await licenseSync(['validate', 'job.yaml'], { cwd: folder });
});
afterEach(() => rm(folder, { recursive: true }));

/** Without what is new each time. */
const lasting = ({ code, signal, stdout, stderr }: Ended): unknown => ({
  code,
  signal,
  said: [stdout, stderr].map((it) => it.replace(/20\d{6}-\d{6}-\w{6}/g, 'RUN').replace(/\d[\d.:]*/g, '0')),
});

it.each([
  [['validate', 'job.yaml', '--output', 'result.csv'], {}],
  [['validate', 'job.yaml', '--output', 'result.csv'], { LANG: 'zh_CN.UTF-8' }],
  [['validate', 'bad.yaml', '--json'], {}],
  [['runs', '--json', '--ledger', 'nowhere/ledger.db'], {}],
  [['guess', 'orders.csv', '--json'], {}],
  [['rnu'], {}],
  [['run', 'job.yaml', '--jsn'], { LC_ALL: 'zh_CN.UTF-8' }],
])('%j says and ends there as in a process of its own, whatever came before', async (args, env) => {
  const alone = lasting(await licenseSyncAlone(args, { cwd: folder, env }));
  for (let time = 0; time < 2; time += 1) {
    expect(lasting(await licenseSync(args, { cwd: folder, env }))).toEqual(alone);
  }
});

it('leaves a command no folder or language of the one before', async () => {
  const runs = async (cwd: string, env = {}): Promise<string> =>
    (await licenseSync(['runs'], { cwd, env })).stdout;
  const before = await runs(folder);
  expect(before).toMatch(/^run .*\n.* dry_run +orders/);
  expect(await runs(path.dirname(folder))).not.toContain('dry_run');
  expect(await runs(folder, { LANG: 'zh_CN.UTF-8' })).toMatch(/^运行 .*\n.* dry_run +orders/);
  expect(await runs(folder)).toBe(before);
});
