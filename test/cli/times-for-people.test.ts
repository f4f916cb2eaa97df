import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Ended, licenseSync } from '../support/command.js';
import { lockJob, OrderFixture } from '../support/order-fixture.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-times-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const call = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  licenseSync(args, { cwd: folder, env });

const settings = (top: string, more = ''): Promise<void> =>
  writeFile(
    path.join(folder, 'license-sync.yaml'),
    `version: 1\n${top}connections:\n  office: { baseUrl: "http://127.0.0.1:9", appKey: k, token: { env: T }, timezone: America/New_York }\n${more}`,
  );

const LOCAL = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d America\/New_York/;
const UTC = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

it.each(['en', 'zh'])(
  'people and the audit: the default connection’s zone with its name (%s)',
  async (lang) => {
    await settings('defaultConnection: office\n');
    const added = await call(['people', 'add', 'ada', '--role', 'admin', '--lang', lang]);
    expect(added).toMatchObject({ code: 0 });
    expect((await call(['people', 'token', 'ada', '--expires', '90d', '--lang', lang])).stderr).toMatch(
      LOCAL,
    );
    const people = (await call(['people', 'list', '--lang', lang])).stdout;
    expect(people.match(new RegExp(LOCAL, 'g'))).toHaveLength(3);
    expect(people).not.toMatch(UTC);
    const audit = (await call(['audit', '--lang', lang])).stdout;
    expect(audit).toMatch(LOCAL);
    // The end of the token is in a detail.
    expect(audit).not.toMatch(UTC);
    const [line] = JSON.parse((await call(['audit', '--json'])).stdout) as [{ at: string }];
    expect(line.at).toMatch(UTC);
  },
);

const PARIS =
  '  other: { baseUrl: "http://127.0.0.1:8", appKey: k, token: { env: T }, timezone: Europe/Paris }\n';

it.each([
  ['no settings: the zone of the sandbox', async () => {}, 'Asia/Shanghai'],
  ['no default connection: the zone that all connections have', () => settings(''), 'America/New_York'],
  [
    'no default connection and several zones: that of this machine',
    () => settings('', PARIS),
    'Pacific/Apia',
  ],
  ['settings with an error: the zone of this machine', () => settings('nonsense: 1\n'), 'Pacific/Apia'],
])('%s', async (_, write, zone) => {
  await write();
  const ledger = ['--ledger', path.join(folder, 'ledger.db')];
  const here = { TZ: 'Pacific/Apia' };
  expect(await call(['people', 'add', 'ada', '--role', 'admin', ...ledger], here)).toMatchObject({ code: 0 });
  expect((await call(['people', 'list', ...ledger], here)).stdout).toContain(` ${zone}`);
});

it.each(['SQLite', 'PostgreSQL'] as const)('a pruned run: the zone of its connection (%s)', async (kind) => {
  const fixture = await OrderFixture.open(kind, ', timezone: America/New_York');
  try {
    await fixture.file('overdue.yaml', lockJob('overdue', 'lock'));
    await fixture.file('overdue.csv', 'Asset\nL1\n');
    const { run } = await fixture.json('run', 'overdue.yaml');
    const shown = async () => (await fixture.call('runs', 'show', run)).stdout.match(new RegExp(LOCAL, 'g'));
    const before = await shown();
    expect(before).toHaveLength(2);
    expect(await fixture.json('runs', 'prune', '--older-than', '0m')).toMatchObject({ pruned: 1 });
    expect(await shown()).toEqual(before);
  } finally {
    await fixture.close();
  }
});
