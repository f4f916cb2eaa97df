import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepUpload } from '../../../src/app/imports/upload.js';
import { openLedger } from '../../../src/ledger/open.js';
import { orderRows } from '../../support/orders.js';

const PATIENCE_MS = 800;

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'license-sync-slow-'));
  await (await openLedger(path.join(cwd, '.license-sync', 'ledger.db'))).close();
});

afterEach(() => rm(cwd, { recursive: true, force: true }));

const keep = (bytes: AsyncIterable<Uint8Array>, patienceMs = PATIENCE_MS) =>
  keepUpload(
    { cwd, env: {}, language: 'en' },
    { name: 'orders.csv', bytes, limit: 10 * 1024 ** 2, patienceMs },
  );

const left = async (): Promise<readonly string[]> => {
  const state = path.join(cwd, '.license-sync');
  const files = await Promise.all(
    ['uploads', 'inputs'].map((it) => readdir(path.join(state, it)).catch(() => [])),
  );
  return files.flat();
};

async function* drop(text: string, size: number, everyMs: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size);
    await sleep(everyMs);
  }
}

describe('an upload that comes slowly', () => {
  it.each([
    ['byte by byte', () => drop(orderRows(100), 1, 40)],
    [
      'not at all after its beginning',
      async function* () {
        yield Buffer.from(orderRows(3));
        await sleep(20 * PATIENCE_MS, undefined, { ref: false });
      },
    ],
  ])('%s is refused when too little came for too long, and leaves nothing', async (_, bytes) => {
    await expect(keep(bytes())).rejects.toMatchObject({ code: 'imports.too_slow' });
    expect(await left()).toEqual([]);
  });

  it('is taken where it takes much longer than that, but continues', async () => {
    const text = orderRows(4000);
    const patienceMs = 2500;
    const began = performance.now();
    expect(await keep(drop(text, 24_000, 700), patienceMs)).toMatchObject({ size: text.length });
    expect(performance.now() - began).toBeGreaterThan(patienceMs);
  });

  it('is taken however small it is', async () => {
    expect(await keep(drop(orderRows(1), 20, 10), 5000)).toMatchObject({ name: 'orders.csv' });
  });
});
