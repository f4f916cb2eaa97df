import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
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
  test('a note that outlived its process names no holder, though its number is another’s by now', async () => {
    await (await takeLock(ledger, 'job', 'sandbox', 'r1')).release();
    const locks = join(folder, 'locks');
    const [lock = ''] = (await readdir(locks)).filter((it) => it.endsWith('.lock'));
    const note = { run: 'r1', process: process.ppid, host: hostname() };
    await writeFile(join(locks, lock.replace('.lock', '.json')), JSON.stringify(note));
    expect(await ledger.holder('job', 'sandbox')).toBeUndefined();
    // Looking keeps no process from taking it.
    await (await takeLock(ledger, 'job', 'sandbox', 'r2')).release();
  });

  test('nor does one that bears this process’s own number, as after the restart of a container', async () => {
    await (await takeLock(ledger, 'job', 'sandbox', 'r1')).release();
    const locks = join(folder, 'locks');
    const [lock = ''] = (await readdir(locks)).filter((it) => it.endsWith('.lock'));
    const note = { run: 'r1', process: process.pid, host: hostname() };
    await writeFile(join(locks, lock.replace('.lock', '.json')), JSON.stringify(note));
    expect(await ledger.holder('job', 'sandbox')).toBeUndefined();
    const held = await takeLock(ledger, 'job', 'sandbox', 'r2');
    expect(await ledger.holder('job', 'sandbox')).toMatchObject({ run: 'r2', process: process.pid });
    await held.release();
    expect(await ledger.holder('job', 'sandbox')).toBeUndefined();
  });

  test('is released although its note cannot be removed', async () => {
    const held = await takeLock(ledger, 'job', 'sandbox', 'r1');
    const locks = join(folder, 'locks');
    const [note = ''] = (await readdir(locks)).filter((it) => it.endsWith('.json'));
    // A folder cannot be removed as a file, as root too.
    await rm(join(locks, note));
    await mkdir(join(locks, note));
    await held.release();
    await rm(join(locks, note), { recursive: true });
    await (await takeLock(ledger, 'job', 'sandbox', 'r2')).release();
  });
});
