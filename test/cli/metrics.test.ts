import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { licenseSync } from '../support/command.js';
import { parseMetrics } from '../support/exposition.js';
import { type Answer, FakePlatform, ordersDone } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';

let folder: string;
let platform: FakePlatform;
const at = (name: string): string => path.join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-prom-'));
  platform = await new FakePlatform(ordersDone).start();
  await writeFile(at('job.yaml'), orderJob());
  await writeFile(at('orders.csv'), orderRows(4));
});
afterEach(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

const carry = (...args: string[]) =>
  licenseSync([...args, '--metrics-file', 'collector/license.prom'], {
    cwd: folder,
    env: {
      LICENSE_SYNC_BASE_URL: platform.url,
      LICENSE_SYNC_TOKEN: 's3cret-token',
      LICENSE_SYNC_APP_KEY: 'app',
    },
  });

const JOB = 'job=orders,connection=env,operation=order.new_buy';

/** Values of the job by metric (and the one label that is its own), without the zeros. */
async function shown(): Promise<Record<string, number>> {
  const metrics = parseMetrics(await readFile(at('collector/license.prom'), 'utf8'));
  const found: Record<string, number> = {};
  for (const [name, { samples }] of metrics) {
    for (const [key, value] of samples) {
      if (!key.includes(JOB) || value === 0 || /_seconds$/.test(name)) continue;
      found[name.replace('license_sync_', '') + key.replace(JOB, '').replace('{,', '{').replace('{}', '')] =
        value;
    }
  }
  return found;
}

it('--metrics-file reports each run as the ledger and the command know it, failures before a run too', async () => {
  const refused: Answer = { status: 401, body: {} };
  platform.answer = (seen, count) => (count > 2 ? refused : ordersDone(seen));
  const stopped = await carry('run', 'job.yaml', '--concurrency', '1');
  expect(stopped.code).toBe(4);
  expect(await shown()).toEqual({
    'runs_total{exit_code=4}': 1,
    requests_total: 3,
    'last_run_rows{status=succeeded}': 2,
    'last_run_rows{status=not_sent}': 2,
  });

  platform.answer = ordersDone;
  expect(await carry('resume')).toMatchObject({ code: 0 });
  const done = {
    'runs_total{exit_code=0}': 1,
    requests_total: 5,
    last_run_success: 1,
    'last_run_rows{status=succeeded}': 4,
  };
  expect(await shown()).toMatchObject(done);

  // A run that can't be resumed is no failure of the job.
  const refusal = await carry('resume');
  expect(refusal.code).toBe(2);
  expect(await shown()).toMatchObject(done);

  await rm(at('orders.csv'));
  const failed = await carry('run', 'job.yaml', '--json');
  expect(JSON.parse(failed.stdout).error.message).toContain('orders.csv');
  const now = await shown();
  expect(now.last_run_success).toBeUndefined();
  expect(now['last_run_rows{status=succeeded}']).toBeUndefined();
  expect(now.requests_total).toBe(5);
});

it('a metrics file that cannot be written changes neither the run nor its exit code', async () => {
  await writeFile(at('collector'), 'in the way');
  const end = await carry('run', 'job.yaml', '--json');
  expect(end.code).toBe(0);
  expect(JSON.parse(end.stdout)).toMatchObject({ counts: { succeeded: 4 } });
  expect(end.stderr).toMatch(/warning: the metrics file .*collector\/license\.prom .*ENOTDIR/);
});
