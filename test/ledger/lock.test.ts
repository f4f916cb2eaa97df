import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import { openLedger } from '../../src/ledger/open.js';
import { takeLock } from '../../src/ledger/take-lock.js';

let folder: string;
let ledger: Ledger;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ledger-lock-'));
  ledger = await openLedger(join(folder, 'ledger.db'));
});

afterEach(async () => {
  await ledger.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the lock of a job and connection', () => {
  test('a second one is refused, in the same process too, naming the run', async () => {
    const lock = await takeLock(ledger, 'job', 'sandbox', 'r1');
    for (let time = 0; time < 2; time += 1) {
      await expect(takeLock(ledger, 'job', 'sandbox', 'r2')).rejects.toMatchObject({
        kind: 'usage',
        detail: { code: 'ledger.run_going_on', params: { run: 'r1', job: 'job', connection: 'sandbox' } },
      });
    }
    await lock.release();
    await (await takeLock(ledger, 'job', 'sandbox', 'r2')).release();
  });

  test('other jobs and other connections go on beside it', async () => {
    const locks = [
      await takeLock(ledger, 'job', 'sandbox', 'r1'),
      await takeLock(ledger, 'job', 'production', 'r2'),
      await takeLock(ledger, '../job/..', 'sandbox', 'r3'),
    ];
    for (const lock of locks) await lock.release();
  });

  test('releasing twice does not let go of a later one', async () => {
    const first = await takeLock(ledger, 'job', 'sandbox', 'r1');
    await first.release();
    const second = await takeLock(ledger, 'job', 'sandbox', 'r2');
    await first.release();
    await expect(takeLock(ledger, 'job', 'sandbox', 'r3')).rejects.toMatchObject({
      detail: { params: { run: 'r2' } },
    });
    await second.release();
  });

  test('its holder is told while it is held, and nobody else after', async () => {
    expect(await ledger.holder('job', 'sandbox')).toBeUndefined();
    const lock = await takeLock(ledger, 'job', 'sandbox', 'r1');
    expect(await ledger.holder('job', 'sandbox')).toMatchObject({ run: 'r1', process: process.pid });
    expect(await ledger.holder('job', 'production')).toBeUndefined();
    await lock.release();
    expect(await ledger.holder('job', 'sandbox')).toBeUndefined();
  });

  test('a note that outlived its process names no holder, though its number is another’s by now', async () => {
    await (await takeLock(ledger, 'job', 'sandbox', 'r1')).release();
    const locks = join(folder, 'locks');
    const [lock = ''] = (await readdir(locks)).filter((it) => it.endsWith('.lock'));
    const note = { run: 'r1', process: process.ppid, host: hostname() };
    await writeFile(join(locks, lock.replace('.lock', '.json')), JSON.stringify(note));
    expect(await ledger.holder('job', 'sandbox')).toBeUndefined();
    // Looking keeps nobody from taking it.
    await (await takeLock(ledger, 'job', 'sandbox', 'r2')).release();
  });
});
