import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { locatePlatform, sandboxNote } from '../../src/run/open-platform.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-platform-'));
  await writeFile(sandboxNote(folder), JSON.stringify({ url: 'http://127.0.0.1:1', pid: 4_194_000 }));
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

const SANDBOX = {
  name: 'sandbox',
  sandbox: true,
  timestamps: 'milliseconds',
  timezone: 'Asia/Shanghai',
} as Parameters<typeof locatePlatform>[0];

/** The system's answer when it is asked for a process. */
const answer = (code: string): void => {
  vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error(code), { code });
  });
};

describe('a note of a served sandbox', () => {
  it('holds while its process lives, also as another user', async () => {
    answer('EPERM');
    const { inProcess, connection } = await locatePlatform(SANDBOX, folder);
    expect([inProcess, connection.baseUrl]).toEqual([false, 'http://127.0.0.1:1']);
  });

  it('is ignored when its process no longer exists', async () => {
    answer('ESRCH');
    const { inProcess, close } = await locatePlatform(SANDBOX, folder);
    await close();
    expect(inProcess).toBe(true);
  });
});
