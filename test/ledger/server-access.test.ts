import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ledgerLocation } from '../../src/app/with-ledger.js';
import { inspectServer, openExistingLedger, openLedger, passwordVariables } from '../../src/ledger/open.js';
import { ledgerPlace } from '../../src/util/ledger-address.js';
import { childEnvironment, redactKnown } from '../../src/util/secrets.js';
import { selfSigned } from '../support/certificate.js';
import { licenseSyncAlone } from '../support/command.js';
import { type StartedPostgres, startPostgres } from '../support/postgres/server.mjs';
import { transactionPooler } from '../support/postgres/transaction-pooler.js';

const DAY = 86_400_000;
const PASSWORD = 'geheim:wort/9';

let server: StartedPostgres;
let folder: string;
let schema = 0;

const own = async (name: string, text: string, mode = 0o600): Promise<string> => {
  const file = path.join(folder, name);
  await writeFile(file, text);
  await chmod(file, mode);
  if (process.getuid?.() === 0) await chown(file, 65534, 65534);
  return file;
};

const ask = async (sql: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'server-access-'));
  await chmod(folder, 0o755);
  const { cert, key } = selfSigned('127.0.0.1', new Date(Date.now() - DAY), new Date(Date.now() + DAY));
  const other = selfSigned('db.example.com', new Date(Date.now() - DAY), new Date(Date.now() + DAY));
  await own('other.pem', other.cert, 0o644);
  server = await startPostgres({
    settings: {
      ssl: 'on',
      ssl_cert_file: await own('server.pem', cert, 0o644),
      ssl_key_file: await own('server.key', key),
      hba_file: await own(
        'hba',
        'host all sync 127.0.0.1/32 trust\nhostssl all tls_only 127.0.0.1/32 trust\nhost all wang 127.0.0.1/32 scram-sha-256\nhost all poor 127.0.0.1/32 trust\n',
      ),
    },
  });
  await ask(`CREATE ROLE wang LOGIN PASSWORD '${PASSWORD}'`);
  await ask('CREATE ROLE poor LOGIN');
  await ask('CREATE ROLE tls_only LOGIN');
  await ask('GRANT CREATE ON DATABASE postgres TO wang, tls_only');
});

afterAll(async () => {
  await server.remove();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(() => {
  schema += 1;
});

const url = (user: string, more = ''): string =>
  `postgres://${user}@127.0.0.1:${server.port}/postgres?schema=s${schema}${more}`;

/** Opens and closes; gives how the session is protected. */
const open = async (place: string): Promise<string> => {
  const ledger = await openLedger(place);
  const [row] = await ledger.upkeep.read<{ it: string }>(
    "SELECT coalesce((SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl), 'plain') AS it",
  );
  await ledger.close();
  return row?.it ?? '';
};

const refusal = (place: string, code: string) =>
  expect(openLedger(place)).rejects.toMatchObject({ kind: 'usage', detail: { code } });

const nothingMade = async () =>
  expect(await ask(`SELECT 1 FROM pg_namespace WHERE nspname = 's${schema}'`)).toEqual([]);

describe('a password', () => {
  test('is found in the URL, and never shown', async () => {
    const given = url(`wang:${encodeURIComponent(PASSWORD)}`);
    const ledger = await openLedger(given);
    expect(ledger.location + ledger.address).not.toContain('geheim');
    await ledger.close();
    expect(redactKnown(`password is ${PASSWORD}`)).toBe('password is [redacted]');
    expect(childEnvironment({ X: PASSWORD, Y: 'y' })).toEqual({ Y: 'y' });
  });

  test.each([
    ['env', async () => ({ kind: 'env', name: 'LEDGER_PW' }) as const],
    ['file', async () => ({ kind: 'file', path: await own('pw', `${PASSWORD}\n`) }) as const],
    [
      'command',
      async () => ({ kind: 'command', argv: [process.execPath, '-p', JSON.stringify(PASSWORD)] }) as const,
    ],
  ])('is found by %s', async (_, source) => {
    const env = { ...process.env, LEDGER_PW: PASSWORD };
    await open(ledgerPlace(url('wang'), '/', { env, password: await source() }));
  });

  test('is found in PGPASSWORD and in the file of passwords', async () => {
    await open(ledgerPlace(url('wang'), '/', { env: { PGPASSWORD: PASSWORD } }));
    process.env.PGPASSFILE = await own(
      'pgpass',
      `127.0.0.1:${server.port}:*:wang:${PASSWORD.replace(':', '\\:')}\n`,
    );
    // The test's own process reads it, whichever user it is.
    if (process.getuid?.() === 0) await chown(process.env.PGPASSFILE, 0, 0);
    try {
      schema += 100;
      await open(ledgerPlace(url('wang'), '/', { env: {} }));
    } finally {
      delete process.env.PGPASSFILE;
    }
  });

  test('is found by the settings where the URL comes on the command line', async () => {
    const settings = `version: 1\nledger: { url: "${url('wang')}", password: { file: pw } }\n`;
    await writeFile(path.join(folder, 'license-sync.yaml'), settings);
    const file = await own('pw', PASSWORD);
    if (process.getuid?.() === 0) await chown(file, 0, 0);
    await open(ledgerPlace(url(`wang:${encodeURIComponent(PASSWORD)}`), '/'));
    const context = { env: {}, cwd: folder, language: 'en' } as const;
    const ended = await licenseSyncAlone(['runs', '--ledger', url('wang')], { cwd: folder });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(await passwordVariables(await ledgerLocation({ ...context, ledger: url('wang') }))).toEqual({
      PGPASSWORD: PASSWORD,
    });
  });

  test('that is wrong, or not there, is refused before anything is made', async () => {
    await refusal(url('wang:wrongword'), 'ledger.login_refused');
    await refusal(
      ledgerPlace(url('wang', '&application_name=x'), '/', { env: {}, schema: `s${schema}_x` }),
      'ledger.password_missing',
    );
    const missing = ledgerPlace(url('wang', '&sslmode=disable'), '/', {
      env: {},
      password: { kind: 'env', name: 'NOT_SET' },
    });
    await refusal(missing, 'ledger.password_env');
    await nothingMade();
  });
});

describe('TLS', () => {
  test('on this machine is used where the server has it, and may be switched off', async () => {
    expect(await open(url('sync'))).toMatch(/^TLS/);
    expect(await open(url('sync', '&sslmode=disable'))).toBe('plain');
    expect(await open(url('sync', '&sslmode=allow'))).toBe('plain');
    schema += 300;
    expect(await open(url('tls_only', '&sslmode=require'))).toMatch(/^TLS/);
    await refusal(url('tls_only', '&sslmode=disable'), 'ledger.login_refused');
  });

  test('a certificate is checked where that is asked for: who signed it, and whose it is', async () => {
    await refusal(url('sync', '&sslmode=verify-full'), 'ledger.certificate_refused');
    await refusal(url('sync', '&sslmode=verify-ca'), 'ledger.certificate_refused');
    await refusal(
      url('sync', `&sslmode=verify-full&sslrootcert=${folder}/other.pem`),
      'ledger.certificate_refused',
    );
    await refusal(
      url('sync', `&sslmode=require&sslrootcert=${folder}/other.pem`),
      'ledger.certificate_refused',
    );
    await refusal(url('sync', '&sslmode=verify-full&sslrootcert=/nowhere.pem'), 'ledger.no_certificate_file');
    await nothingMade();
    expect(await open(url('sync', `&sslmode=verify-full&sslrootcert=${folder}/server.pem`))).toMatch(/^TLS/);
    const byName = `postgres://sync@localhost:${server.port}/postgres?schema=s${schema}&sslrootcert=${folder}/server.pem`;
    await refusal(`${byName}&sslmode=verify-full`, 'ledger.certificate_refused');
    expect(await open(`${byName}&sslmode=verify-ca`)).toMatch(/^TLS/);
  });
});

describe('what cannot be used is refused with 2, and nothing is made', () => {
  test('no database, no rights', async () => {
    await refusal(url('sync').replace('/postgres?', '/nowhere?'), 'ledger.no_database');
    await refusal(url('poor'), 'ledger.rights_missing');
    await nothingMade();
    await open(url('sync'));
    await refusal(url('poor'), 'ledger.rights_missing');
  });

  test('a user who may not make schemas needs one made in advance, and nothing beyond', async () => {
    await ask(`CREATE SCHEMA s${schema} AUTHORIZATION poor`);
    await open(url('poor'));
  });

  test('the queue’s schema as well: where it is missing, it is named, and the queue is refused', async () => {
    await ask(`CREATE SCHEMA s${schema} AUTHORIZATION poor`);
    const ledger = await openLedger(url('poor'));
    const refused = await ledger.queue!.ready().catch((error: unknown) => error);
    expect(refused).toMatchObject({
      kind: 'usage',
      code: 'ledger.queue_rights_missing',
      detail: { params: { schema: `s${schema}_queue` } },
    });
    await ask(`CREATE SCHEMA s${schema}_queue AUTHORIZATION poor`);
    await ledger.queue!.ready();
    await ledger.close();
  });

  test('a newer ledger, and a schema of another user', async () => {
    await open(url('sync'));
    await ask(`UPDATE s${schema}.schema_version SET version = 99`);
    await refusal(url('sync'), 'ledger.server_newer');
    expect(await ask(`SELECT version FROM s${schema}.schema_version`)).toEqual([{ version: 99 }]);
    schema += 200;
    await ask(`CREATE SCHEMA s${schema}`);
    await ask(`CREATE TABLE s${schema}.customers (id int)`);
    await refusal(url('sync'), 'ledger.schema_taken');
  });

  test.each([
    [1, 'last'],
    [2, 'last'],
    [2, 'first'],
    [3, 'first'],
    [4, 'first'],
  ] as const)(
    'a pooler that hands out %d sessions for a transaction, the %s one first',
    async (count, next) => {
      const pooler = await transactionPooler(server.port, {
        user: 'sync',
        database: 'postgres',
        count,
        next,
      });
      try {
        await refusal(
          url('sync').replace(String(server.port), String(pooler.port)),
          'ledger.transaction_pooler',
        );
        await nothingMade();
      } finally {
        pooler.close();
      }
    },
  );
});

test('who only reads makes nothing', async () => {
  expect(await openExistingLedger(url('sync'))).toBeUndefined();
  expect(await inspectServer(url('sync'), process.env)).toEqual({
    hasLedger: false,
    unsafe: false,
    asynchronous: false,
  });
  await nothingMade();
});

test('of many that open an empty schema at once one makes the tables', async () => {
  let made = 0;
  const reported = {
    made: () => {
      made += 1;
    },
  };
  const all = await Promise.all(Array.from({ length: 5 }, () => openLedger(url('sync'), reported)));
  for (const it of all) await it.close();
  expect(made).toBeGreaterThanOrEqual(1);
  expect(await ask(`SELECT count(*)::int AS n FROM s${schema}.schema_version`)).toEqual([{ n: 1 }]);
});

test('sessions wait for the disk whatever the defaults say', async () => {
  await ask('ALTER ROLE sync SET synchronous_commit = off');
  try {
    const ledger = await openLedger(url('sync'));
    const show = async () =>
      (await ledger.upkeep.read<{ it: string }>("SELECT current_setting('synchronous_commit') AS it"))[0]?.it;
    expect(await show()).toBe('on');
    await ledger.close();
  } finally {
    await ask('ALTER ROLE sync RESET synchronous_commit');
  }
});

test('a server without fsync is reported', async () => {
  const unsafe = await startPostgres({ settings: { fsync: 'off' } });
  try {
    expect(await inspectServer(unsafe.url, process.env)).toEqual({
      hasLedger: false,
      unsafe: true,
      asynchronous: false,
    });
  } finally {
    await unsafe.remove();
  }
});
