import { readFileSync, truncateSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Message, render } from '../../../src/errors/message.js';
import type { AttemptEnd } from '../../../src/ledger/contract/execution.js';
import { readSpool, Spool } from '../../../src/ledger/postgres/spool.js';
import { importSpooledReplies, SpooledReplies } from '../../../src/ledger/postgres/spooled-replies.js';
import type { Queryable } from '../../../src/ledger/postgres/transaction.js';

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

/** Whether the disk takes only half of what is written. */
let isFull = false;

vi.mock('node:fs', async (original) => {
  const actual = await original<typeof import('node:fs')>();
  const writeFileSync: typeof actual.writeFileSync = (file, data, options) => {
    if (!isFull) return actual.writeFileSync(file, data, options);
    actual.writeFileSync(file, String(data).slice(0, String(data).length / 2), options);
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  };
  return { ...actual, writeFileSync };
});

beforeEach(async () => {
  isFull = false;
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
  const ledger = { location: 'here', knows: async () => true, close, now: () => 1, notify: () => {} };
  return importSpooledReplies([folder], ledger);
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

test('a file that a process set aside before it died is imported', async () => {
  const spool = new Spool('here');
  const file = spool.fileFor(folder);
  spool.keep(file, [end(1)]);
  await expect(
    importSpooledReplies([folder], {
      location: 'here',
      knows: async () => true,
      close: async () => Promise.reject(new Error('The server went away')),
      now: () => 1,
      notify: () => {},
    }),
  ).resolves.toBeUndefined();
  expect(await readdir(folder)).toEqual([expect.stringMatching(/-taken-[0-9a-f]{8}\.ndjson$/)]);
  spool.keep(file, [end(2)]);
  const taken: number[] = [];
  await takeIn(async ({ batch }) => void taken.push(batch));
  expect(new Set(taken)).toEqual(new Set([1, 2]));
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  { other: 'here', code: 'spool.run_lost' },
  { other: 'elsewhere', code: 'spool.foreign' },
])(
  'replies of a run that the ledger does not have are kept: of a restored ledger, or another one ($code)',
  async ({ other, code }) => {
    const spool = new Spool(other);
    const file = spool.fileFor(folder);
    spool.keep(file, [end(1)]);
    const notes: Message[] = [];
    await importSpooledReplies([folder], {
      location: 'here',
      knows: async () => false,
      close: async () => {},
      now: () => 1,
      notify: (it) => void notes.push(it),
    });
    expect(notes).toMatchObject([{ code, params: { file } }]);
    expect(await readdir(folder)).toEqual([path.basename(file)]);
  },
);

describe('on a full disk', () => {
  const READ: Queryable = {
    get: async <T>() => ({ job_file: path.join(folder, 'job.yaml') }) as T,
    all: async () => [],
    run: async () => 0,
  };

  test('no file is left, and what it would have held is reported', async () => {
    const notes: Message[] = [];
    const kept = new SpooledReplies(READ, 'here', (it) => notes.push(it));
    await kept.prepare('r1');
    isFull = true;
    const failure = kept.keepEnds([end(1).end, end(2).end], new Error('gone'));
    expect(failure).toMatchObject({ kind: 'internal', code: 'spool.unwritable' });
    expect(notes.map((it) => it.code)).toEqual(['spool.unwritable', 'spool.reply_lost', 'spool.reply_lost']);
    expect(render(notes[2]!)).toContain('"batch":2');
    expect(render(notes[2]!)).toContain('{\\"code\\":\\"0\\"}');
    expect(await readdir(folder)).toEqual([]);
    kept.reportProblems();
    expect(notes).toHaveLength(3);
  });

  test('a file that was written before is as it was', async () => {
    const spool = new Spool('here');
    const file = spool.fileFor(folder);
    spool.keep(file, [end(1)]);
    isFull = true;
    expect(() => spool.keep(file, [end(2)])).toThrow('ENOSPC');
    isFull = false;
    spool.keep(file, [end(3)]);
    expect(await readSpool(file)).toMatchObject({ lines: [end(1), end(3)], damaged: 0 });
    expect(await readdir(folder)).toEqual([path.basename(file)]);
  });
});

test('an empty file of an earlier version is removed without a word', async () => {
  await writeFile(path.join(folder, '.license-sync-replies-1-2-3.ndjson'), '');
  const reported: Message[] = [];
  const ledger = { location: 'here', knows: async () => true, close: async () => {}, now: () => 1 };
  await importSpooledReplies([folder], { ...ledger, notify: (it) => reported.push(it) });
  expect(reported).toEqual([]);
  expect(await readdir(folder)).toEqual([]);
});
