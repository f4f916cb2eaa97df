import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSigned } from '../support/certificate.js';
import { licenseSync, licenseSyncAlone } from '../support/command.js';
import { orderJob, orderRows } from '../support/orders.js';
import { type StartedPostgres, startPostgres } from '../support/postgres/server.mjs';
import { transactionPooler } from '../support/postgres/transaction-pooler.js';

const DAY = 86_400_000;
const PASSWORD = 'geheim-wort-9';
let server: StartedPostgres;
let folder: string;

const ask = async (sql: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
};

const own = async (name: string, text: string): Promise<string> => {
  const file = path.join(folder, name);
  await writeFile(file, text);
  await chmod(file, 0o600);
  if (process.getuid?.() === 0) await chown(file, 65534, 65534);
  return file;
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-refusals-'));
  await chmod(folder, 0o755);
  const { cert, key } = selfSigned('127.0.0.1', new Date(Date.now() - DAY), new Date(Date.now() + DAY));
  server = await startPostgres({
    settings: {
      ssl: 'on',
      ssl_cert_file: await own('server.pem', cert),
      ssl_key_file: await own('server.key', key),
      hba_file: await own(
        'hba',
        'host all sync 127.0.0.1/32 trust\nhost all wang 127.0.0.1/32 scram-sha-256\n',
      ),
    },
  });
  await ask(`CREATE ROLE wang LOGIN PASSWORD '${PASSWORD}'`);
  const job = orderJob({ extra: 'connection: sandbox\n' }).replace('normal_recover_usbkey', 'cloud_account');
  await writeFile(path.join(folder, 'orders.yaml'), job);
  await writeFile(path.join(folder, 'orders.csv'), orderRows(2));
});

afterAll(async () => {
  await server.remove();
  await rm(folder, { recursive: true, force: true });
});

const address = (user: string, schema: string, more = ''): string =>
  `postgres://${user}@127.0.0.1:${server.port}/postgres?schema=${schema}${more}`;

/** What commands that write, queue, execute and read say of such a ledger; none of them leaves anything behind. */
async function refused(place: string, code: string, words: RegExp): Promise<void> {
  const before = await ask('SELECT nspname FROM pg_namespace ORDER BY 1');
  const env = { LICENSE_SYNC_LEDGER: place };
  const carry = place.includes('geheim') ? licenseSyncAlone : licenseSync;
  for (const args of [
    ['run', 'orders.yaml'],
    ['submit', 'orders.yaml'],
    ['worker', '--once'],
    ['runs'],
    ['ledger', 'show'],
  ]) {
    const ended = await carry([...args, '--json'], { cwd: folder, env });
    expect({ args, code: ended.code, stderr: ended.stderr }).toMatchObject({ code: 2 });
    expect(ended.stderr).toMatch(words);
    expect((JSON.parse(ended.stdout) as { error: { code: string } }).error.code).toBe(code);
    expect(ended.stdout + ended.stderr).not.toMatch(/geheim|wrong-one/);
    expect(ended.stderr).not.toContain('    at ');
  }
  expect(await ask('SELECT nspname FROM pg_namespace ORDER BY 1')).toEqual(before);
}

describe('a ledger on a server that cannot be used ends every command with 2', () => {
  it('a wrong password', () =>
    refused(address('wang:geheim-wrong-one', 'a'), 'ledger.login_refused', /password/));

  it('a certificate that is not trusted', () =>
    refused(address('sync', 'a', '&sslmode=verify-full'), 'ledger.certificate_refused', /certificate/));

  it('tables of a newer program', async () => {
    const place = address('sync', 'newer');
    const env = { LICENSE_SYNC_LEDGER: place };
    expect((await licenseSync(['validate', 'orders.yaml'], { cwd: folder, env })).code).toBe(0);
    await ask('UPDATE newer.schema_version SET version = 99');
    await refused(place, 'ledger.server_newer', /99/);
  });

  it('a pooler that hands out sessions by the transaction', async () => {
    const about = { user: 'sync', database: 'postgres', count: 2, next: 'first' } as const;
    const pooler = await transactionPooler(server.port, about);
    try {
      const place = address('sync', 'a').replace(String(server.port), String(pooler.port));
      await refused(place, 'ledger.transaction_pooler', /session/);
    } finally {
      pooler.close();
    }
  });
});
