import { readFileSync, truncateSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AttemptEnd } from '../../../src/ledger/contract/attempt.js';
import { readSpool, Spool } from '../../../src/ledger/postgres/spool.js';
import { takeInSpools } from '../../../src/ledger/postgres/take-in-spool.js';

let folder: string;
/** Called once, just before a file is removed. */
let beforeRemoval: (() => void) | undefined;

vi.mock('node:fs/promises', async (original) => {
  const actual = await original<typeof import('node:fs/promises')>();
  const remove: typeof actual.rm = (file, options) => {
    const call = beforeRemoval;
    beforeRemoval = undefined;
    call?.();
    return actual.rm(file, options);
  };
  return { ...actual, rm: remove };
});

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'spool-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

function end(batch: number): { readonly end: AttemptEnd } {
  const about = { run: 'r1', batch, attempt: 1, nonce: `n${batch}`, endedAt: 1, event: 'reply', sent: true };
  return { end: { ...about, reply: '{"code":"0"}', outcomes: [] } };
}

function takeIn(close: (taken: AttemptEnd) => Promise<void>): Promise<void> {
  const ledger = { location: 'here', knows: async () => true, close, now: () => 1, tell: () => {} };
  return takeInSpools([folder], ledger);
}

test('what is kept after a line that the disk cut off is whole', async () => {
  const spool = new Spool('here');
  const file = spool.fileFor(folder);
  spool.keep(file, [end(1), end(2)]);
  truncateSync(file, readFileSync(file).length - 20);
  spool.keep(file, [end(3)]);
  const { head, lines, damaged } = await readSpool(file);
  expect(head).toMatchObject({ location: 'here', host: hostname() });
  expect(lines).toEqual([end(1), end(3)]);
  expect(damaged).toBe(1);
});

test('what its process adds while the file is taken in is taken in too', async () => {
  const spool = new Spool('here');
  const file = spool.fileFor(folder);
  spool.keep(file, [end(1)]);
  const taken: number[] = [];
  await takeIn(async ({ batch }) => {
    if (taken.length === 0) spool.keep(file, [end(2)]);
    taken.push(batch);
  });
  expect(new Set(taken)).toEqual(new Set([1, 2]));
  expect(await readdir(folder)).toEqual([]);
});

test('what is added just before the file is removed is taken in too', async () => {
  const spool = new Spool('here');
  const file = spool.fileFor(folder);
  spool.keep(file, [end(1)]);
  const taken: number[] = [];
  beforeRemoval = () => spool.keep(file, [end(2)]);
  await takeIn(async ({ batch }) => void taken.push(batch));
  expect(taken).toEqual([1, 2]);
  expect(await readdir(folder)).toEqual([]);
});

test('a file that somebody set aside and died is taken in', async () => {
  const spool = new Spool('here');
  const file = spool.fileFor(folder);
  spool.keep(file, [end(1)]);
  await expect(
    takeInSpools([folder], {
      location: 'here',
      knows: async () => true,
      close: async () => Promise.reject(new Error('The server went away')),
      now: () => 1,
      tell: () => {},
    }),
  ).resolves.toBeUndefined();
  expect(await readdir(folder)).toEqual([expect.stringMatching(/-taken-[0-9a-f]{8}\.ndjson$/)]);
  spool.keep(file, [end(2)]);
  const taken: number[] = [];
  await takeIn(async ({ batch }) => void taken.push(batch));
  expect(new Set(taken)).toEqual(new Set([1, 2]));
  expect(await readdir(folder)).toEqual([]);
});
