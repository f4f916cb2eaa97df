import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { licenseSync } from '../support/command.js';
import { FakePlatform } from '../support/fake-platform.js';

let folder: string;
let platform: FakePlatform;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-pauses-'));
  platform = await new FakePlatform(() => ({
    status: 429,
    body: {},
    headers: { 'retry-after': '60' },
  })).start();
  await writeFile(path.join(folder, 'locks.csv'), 'Enterprise,Lock\nE1,8100000001\nE2,8100000002\n');
  const source = 'source: { file: locks.csv }\nrun: { patience: 1s }\n';
  await writeFile(
    path.join(folder, 'lock.yaml'),
    `version: 1\nname: lock\noperation: asset.lock\n${source}map: { assetNums: Lock, operatorIdentity: { value: ops } }\n`,
  );
  await writeFile(
    path.join(folder, 'compare.yaml'),
    `version: 1\nname: compare\nreconcile: asset\n${source}key: { enterpriseGlobalId: Enterprise, assetNum: Lock }\nexpect: { locked: { value: true } }\n`,
  );
});

afterEach(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

it.each([
  ['run', 'lock.yaml', /license-sync resume \d/],
  ['reconcile', 'compare.yaml', /[Rr]un it again/],
])(
  '%s reports that the platform asked to wait and until when, and in the end how to continue',
  async (command, job, next) => {
    const LICENSE_SYNC_BASE_URL = platform.url;
    const env = { LICENSE_SYNC_BASE_URL, LICENSE_SYNC_TOKEN: 's3cret-token-0123456789' };
    for (const [LANG, said] of [
      [
        'en_US.UTF-8',
        /the platform replied HTTP 429, Retry-After 60 s.* \d{4}-\d\d-\d\d \d\d:\d\d:\d\d Asia\/Shanghai/,
      ],
      ['zh_CN.UTF-8', /平台返回 HTTP 429, Retry-After 60 s.*\d{4}-\d\d-\d\d \d\d:\d\d:\d\d Asia\/Shanghai/],
    ] as const) {
      const end = await licenseSync([command, job], { cwd: folder, env: { ...env, LANG } });
      expect(end.code).toBe(4);
      expect(end.stderr).toMatch(said);
      if (LANG.startsWith('en')) expect(end.stdout).toMatch(next);
    }
  },
);
