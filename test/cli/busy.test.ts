import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Running, saying, start } from '../support/command.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';
import { until } from '../support/until.js';

/** Occupies the event loop without end once the thread that watches for signals runs. */
const BUSY = `
  process.once('worker', (it) => it.once('online', () => setImmediate(() => {
    require('node:fs').writeSync(2, 'busy now');
    for (;;);
  })));
`;

let folder: string;
let platform: FakePlatform;
let running: Running;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-busy-'));
  platform = await new FakePlatform(ordersDone).start();
  await writeFile(path.join(folder, 'job.yaml'), orderJob());
  await writeFile(path.join(folder, 'orders.csv'), orderRows(3));
  await writeFile(path.join(folder, 'busy.cjs'), BUSY);
});

afterEach(async () => {
  running.child.kill('SIGKILL');
  await running.ended;
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

it.each(['SIGINT', 'SIGTERM'] as const)(
  'a process whose event loop is busy for ever ends by a repeated %s with 130, and its run can be resumed',
  async (signal) => {
    platform.answer = () => 'hang';
    const env = {
      LICENSE_SYNC_BASE_URL: platform.url,
      LICENSE_SYNC_TOKEN: 's3cret-token',
      LICENSE_SYNC_APP_KEY: 'app',
    };
    running = start(['run', 'job.yaml'], {
      cwd: folder,
      env: { ...env, NODE_OPTIONS: `--require ${path.join(folder, 'busy.cjs')}` },
    });
    const { child, ended } = running;
    await saying(running, 'busy now');
    let end: Awaited<typeof ended> | undefined;
    void ended.then((it) => {
      end = it;
    });
    // More than two: the thread may not have listened yet when the first one came.
    await until(() => {
      child.kill(signal);
      return end !== undefined;
    });
    expect(end).toMatchObject({ code: 130, signal: null });
    platform.answer = ordersDone;
    const again = start(['resume', '--json'], { cwd: folder, env });
    const { stdout } = await again.ended;
    expect(JSON.parse(stdout)).toMatchObject({ rows: 3 });
  },
);
