import type * as Fs from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { failureOf } from '../../src/app/failure.js';
import { InputFiles } from '../../src/ledger/files/inputs.js';
import { openLedger } from '../../src/ledger/open.js';
import { diskFull, openFailure } from '../../src/ledger/sqlite/failures.js';

let isFull = false;

vi.mock('node:fs', async (original) => {
  const actual = await original<typeof Fs>();
  const writeFileSync: typeof actual.writeFileSync = (...args) => {
    if (isFull) throw noSpace();
    return actual.writeFileSync(...args);
  };
  const statfsSync = (file: string) => (isFull ? { bavail: 0, bsize: 4096 } : actual.statfsSync(file));
  return { ...actual, writeFileSync, statfsSync };
});

let folder: string;

beforeEach(async () => {
  isFull = false;
  folder = await mkdtemp(path.join(tmpdir(), 'full-disk-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function noSpace(): Error {
  return Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
}

describe('a full disk is reported as a full disk, with exit code 5', () => {
  test('while a run takes its lock', async () => {
    const ledger = await openLedger(path.join(folder, 'ledger.db'));
    isFull = true;
    await expect(ledger.lock('job', 'platform', 'r1')).rejects.toMatchObject({
      code: 'ledger.disk_full',
      exitCode: 5,
      detail: { params: { free: 0 } },
    });
    isFull = false;
    await ledger.close();
  });

  test('while SQLite makes its shared memory, whose error does not name the disk', () => {
    const error = Object.assign(new Error('disk I/O error'), { errcode: 4874 });
    const location = path.join(folder, 'ledger.db');
    expect(openFailure(error, location)).toMatchObject({ code: 'ledger.cannot_open', exitCode: 2 });
    isFull = true;
    expect(openFailure(error, location)).toMatchObject({ code: 'ledger.disk_full', exitCode: 5 });
  });

  test('while the copy of an input is written, of which nothing is left', async () => {
    const inputs = new InputFiles(folder, () => {}, diskFull);
    async function* bytes(): AsyncIterable<Uint8Array> {
      yield Buffer.from('Order');
      throw noSpace();
    }
    await expect(inputs.put('orders.csv', bytes())).rejects.toMatchObject({ code: 'ledger.disk_full' });
    expect(await readdir(path.join(folder, 'inputs'))).toEqual([]);
  });

  test('wherever else a file is written', () => {
    const failure = failureOf(noSpace(), 'en');
    expect(failure).toMatchObject({ exitCode: 5, code: 'cli.disk_full' });
    expect(failure.text).toContain('Free space');
  });
});
