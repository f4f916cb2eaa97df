import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/open.js';
import { licenseSync } from '../support/command.js';
import { orderJob, orderRows } from '../support/orders.js';
import { asking, serverUrl } from '../support/postgres/shared-server.js';
import { ServedPlatform } from '../support/served-platform.js';

const JOB = orderJob().replace('normal_recover_usbkey', 'cloud_account');

let folder = '';
let platform: ServedPlatform;
let server = '';
let name = '';
let env: Record<string, string> = {};

const address = (of: string): string => {
  const url = new URL(server);
  url.pathname = `/${of}`;
  return url.href;
};
const call = (args: readonly string[], user = 'user') =>
  licenseSync(args, {
    cwd: path.join(folder, 'work'),
    env: { ...env, XDG_STATE_HOME: path.join(folder, user) },
  });
const sent = async (): Promise<number> => (await platform.orders()).length;
/** What a script prints. */
const psql = (of: string, script: string): string =>
  execFileSync('psql', ['-qXAt', '-v', 'ON_ERROR_STOP=1', '-f', '-', address(of)], {
    encoding: 'utf8',
    input: script,
    maxBuffer: 1e8,
  });

const backUp = () => asking(server)(`CREATE DATABASE ${name}_backup TEMPLATE ${name}`);

/** All rows of the backup take the place of those in the tables, as a restored dump of the data does. */
function restoreRows(): void {
  const tables = psql(
    `${name}_backup`,
    "SELECT tablename FROM pg_tables WHERE schemaname = 'license_sync' ORDER BY 1;",
  );
  const names = tables
    .trim()
    .split('\n')
    .map((it) => `license_sync.${it}`);
  const restore = [
    'SET session_replication_role = replica;',
    `TRUNCATE ${names.join(', ')};`,
    // Writes a script: the rows of each table, and where its sequences are.
    psql(
      `${name}_backup`,
      [
        ...names.map(
          (it) => `\\echo 'COPY ${it} FROM STDIN;'\nCOPY (SELECT * FROM ${it}) TO STDOUT;\n\\echo '\\\\.'`,
        ),
        "SELECT format('SELECT setval(%L, %s);', 'license_sync.' || sequencename, coalesce(last_value, 1)) FROM pg_sequences WHERE schemaname = 'license_sync';",
      ].join('\n'),
    ),
  ];
  psql(name, restore.join('\n'));
}

const makeSchema = async (): Promise<void> => (await openLedger(address(name))).close();

async function run(from: number, flags: readonly string[] = [], user = 'user') {
  await writeFile(path.join(folder, 'work', 'orders.csv'), orderRows(3, from));
  return call(['run', 'orders.yaml', '--json', ...flags], user);
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-restored-server-'));
  for (const it of ['work', 'platform']) await mkdir(path.join(folder, it));
  await writeFile(path.join(folder, 'work', 'orders.yaml'), JOB);
  platform = await ServedPlatform.serve(path.join(folder, 'platform'), { latencyMs: 1, faults: '' });
  server = await serverUrl();
  name = `restored_${randomBytes(6).toString('hex')}`;
  await asking(server)(`CREATE DATABASE ${name}`);
  env = { ...platform.environment, LICENSE_SYNC_LEDGER: address(name) };
});

afterEach(async () => {
  await platform.stop();
  for (const it of [name, `${name}_backup`])
    await asking(server)(`DROP DATABASE IF EXISTS ${it} WITH (FORCE)`);
  await rm(folder, { recursive: true, force: true });
});

/** Restores what was saved before the orders 4 to 6 were sent. */
const RESTORES: readonly (readonly [what: string, restore: () => Promise<void>])[] = [
  [
    'the schema',
    async () => {
      psql(name, 'SET client_min_messages = warning; DROP SCHEMA license_sync CASCADE;');
      await makeSchema();
      restoreRows();
    },
  ],
  [
    'a database that was dropped and created again',
    async () => {
      await asking(server)(`DROP DATABASE ${name} WITH (FORCE)`);
      await asking(server)(`CREATE DATABASE ${name}`);
      await makeSchema();
      restoreRows();
    },
  ],
  [
    'a database that takes the place of the other',
    async () => {
      await asking(server)(`DROP DATABASE ${name} WITH (FORCE)`);
      await asking(server)(`ALTER DATABASE ${name}_backup RENAME TO ${name}`);
    },
  ],
];

it.each(RESTORES)('%s: nothing is sent until it is accepted', async (_what, restore) => {
  expect((await run(1)).code).toBe(0);
  await backUp();
  expect((await run(4)).code).toBe(0);
  await restore();
  for (const [flags, user] of [
    [[], 'user'],
    [['--yes'], 'user'],
    [['--yes'], 'a user without marks'],
  ] as const) {
    const refused = await run(4, flags, user);
    expect(refused.code).toBe(4);
    expect(refused.stdout).toContain('ledger accept-restored');
  }
  expect(await sent()).toBe(6);
  expect((await call(['doctor'])).code).toBe(2);
  expect(await call(['ledger', 'check'])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('accept-restored'),
  });

  expect((await call(['ledger', 'accept-restored'])).code).toBe(0);
  const audit = JSON.parse((await call(['audit', '--json'])).stdout) as { act: string; detail: unknown }[];
  expect(audit.find((it) => it.act === 'ledger_accept')?.detail).toMatchObject({
    why: 'ledger.server_objects',
  });
  expect((await run(7)).code).toBe(0);
  expect((await run(10, [], 'a user without marks')).code).toBe(0);
  expect(await sent()).toBe(12);
});

it('older rows in the same tables are noticed by the marks', async () => {
  expect((await run(1)).code).toBe(0);
  await backUp();
  expect((await run(4)).code).toBe(0);
  restoreRows();
  const refused = await run(4, ['--yes']);
  expect(refused.code).toBe(4);
  expect(refused.stdout).toContain('does not have run');
  expect(await sent()).toBe(6);
});
