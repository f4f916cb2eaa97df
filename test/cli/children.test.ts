import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { utils, write } from '@e965/xlsx';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isAlive, ownProcess } from '../../src/util/process.js';
import { type Running, saying, start } from '../support/command.js';
import { FakePlatform } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';
import { until } from '../support/until.js';

let folder: string;
let platform: FakePlatform;
let running: Running;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-children-'));
  platform = await new FakePlatform(() => 'hang').start();
  const lines = orderRows(2000).trim().split('\n');
  const book = utils.book_new(utils.aoa_to_sheet(lines.map((it) => it.split(','))), 'Orders');
  await writeFile(path.join(folder, 'orders.xls'), write(book, { type: 'buffer', bookType: 'biff8' }));
  const lookup =
    '{ lookup: enterprise.query, with: { channelCode: { value: CH }, channelCustomerId: Customer, defaultCustomer: { value: Y } }, take: customerId }';
  await writeFile(
    path.join(folder, 'job.yaml'),
    orderJob()
      .replace('orders.csv', 'orders.xls')
      .replace('customerId: { value: C1 }', `customerId: ${lookup}`),
  );
});

afterEach(async () => {
  running.child.kill('SIGKILL');
  await running.ended;
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

it.skipIf(process.platform !== 'linux').each([
  ['is killed', ['SIGKILL']],
  ['is ended by a second Ctrl-C', ['SIGINT', 'SIGINT']],
] as const)(
  'the process that reads an .xls file does not survive a command that %s',
  async (_name, signals) => {
    running = start(['validate', 'job.yaml'], {
      cwd: folder,
      env: {
        LICENSE_SYNC_BASE_URL: platform.url,
        LICENSE_SYNC_TOKEN: 's3cret-token',
        LICENSE_SYNC_APP_KEY: 'app',
      },
    });
    // The rows wait for a lookup that never comes back; the file is still open.
    await until(() => platform.seen.length > 0);
    const readers = childrenOf(running.child.pid!);
    expect(readers).toHaveLength(1);
    for (const [index, signal] of signals.entries()) {
      // Two signals of one kind become one if the first was not heard yet.
      const heard = index < signals.length - 1 ? saying(running, 'stopping') : undefined;
      running.child.kill(signal);
      await heard;
    }
    await running.ended;
    await until(() => readers.every((pid) => !isAlive({ ...ownProcess(), process: pid })));
  },
);
