import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/open.js';
import { MIGRATIONS } from '../../src/ledger/postgres/migrations/index.js';
import { sha256Of } from '../../src/util/files.js';
import { licenseSync, start } from '../support/command.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { type PostgresPlace, postgresPlace } from '../support/postgres/shared-server.js';

const FILES = path.join(import.meta.dirname, 'files');
/** The address of the platform is part of the plan's hash. */
const PORT = 18_999;
/**
 * A ledger that version 0.1 wrote. `first`: SO-1 and SO-4 succeeded, SO-2 is unknown, SO-3 was rejected. `cut`: killed while
 * SO-7 was in progress, SO-8 was not sent. `planned`: a kept plan of SO-9 and SO-10.
 */
const RUNS = {
  first: '20261126-170528-b332b3',
  cut: '20261126-170534-0e0c41',
  planned: '20261126-170539-567a30',
} as const;

/**
 * A ledger that version 0.1 wrote on a server. `first`: SO-1 and SO-4 succeeded, SO-2 is unknown, SO-3 was rejected. `cut`: killed
 * while SO-7 was in flight, SO-8 was not sent. `planned`: a stored plan of SO-9 and SO-10. `queued`: SO-11 and SO-12 wait for
 * workers. `nightly`: its schedule sent SO-13 and SO-14.
 */
const SERVER_RUNS = {
  first: '20261126-194535-88c308',
  cut: '20261126-194536-474a23',
  planned: '20261126-194537-032bde',
  queued: '20261126-194538-7736ae',
} as const;
/** The stored plans get older every day, and `apply` refuses a plan older than a day by default. */
const ANY_AGE = ['--max-age', '36500d'];
/** The schema of version 0.1 is that of its migrations. Since then only their comments and white space were changed. */
const SCHEMA_OF_01 = MIGRATIONS.slice(0, 11);
const DIGEST_OF_01 = 'd555a24d7084ac26a9ed6707dea31d3b4adc9f446428f2e1aa2373b16fa8f601';

let folder: string;
let ledger: string;
let platform: FakePlatform;
let place: PostgresPlace | undefined;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-upgrade-'));
  await cp(FILES, folder, { recursive: true });
  ledger = path.join(folder, '.license-sync', 'ledger.db');
  for (const name of Object.keys(RUNS)) {
    const file = path.join(folder, `${name}.csv`);
    const kept = path.join(folder, '.license-sync', 'inputs', await sha256Of(file));
    await mkdir(kept, { recursive: true, mode: 0o700 });
    await cp(file, path.join(kept, `${name}.csv`));
  }
  const sql = await readFile(path.join(import.meta.dirname, 'ledger-0.1.sql'), 'utf8');
  const db = new DatabaseSync(ledger);
  db.exec(sql.replaceAll('FOLDER', folder).replaceAll('"HOST"', JSON.stringify(hostname())));
  db.close();
  platform = await new FakePlatform(ordersDone).start(PORT);
});

afterEach(async () => {
  await platform.stop();
  await place?.remove();
  place = undefined;
  await rm(folder, { recursive: true, force: true });
});

const how = () => ({
  cwd: folder,
  env: { OFFICE_TOKEN: 't', LICENSE_SYNC_LEDGER: ledger, XDG_STATE_HOME: path.join(folder, 'state') },
});
const call = (...args: readonly string[]) => licenseSync(args, how());
const sent = (): string[] => platform.seen.map(({ body }) => String(body.channelOrderId));

/** The same on a server: everything is copied there. */
async function toServer(): Promise<void> {
  place = await postgresPlace();
  expect(await call('ledger', 'copy', '--to', place.url)).toMatchObject({ code: 0 });
  ledger = place.url;
}

it.each(['SQLite', 'PostgreSQL'])(
  'a ledger of version 0.1 continues without an order sent twice (%s)',
  async (kind) => {
    if (kind === 'PostgreSQL') await toServer();
    const first = JSON.parse((await call('run', 'first.yaml', '--yes', '--json')).stdout);
    expect(first).toMatchObject({ counts: { succeeded: 1, skipped: 3 } });
    expect(sent()).toEqual(['SO-3']);
    const resumed = JSON.parse((await call('resume', RUNS.cut, '--yes', '--json')).stdout);
    expect(resumed).toMatchObject({ counts: { succeeded: 3, unknown: 1 } });
    expect(sent()).toEqual(['SO-3', 'SO-8']);
    const applied = await call('apply', RUNS.planned, '--yes', '--json', ...ANY_AGE);
    expect(JSON.parse(applied.stdout)).toMatchObject({ counts: { succeeded: 2 } });
    expect(sent()).toEqual(['SO-3', 'SO-8', 'SO-9', 'SO-10']);
    expect((await call('apply', RUNS.planned, '--yes', ...ANY_AGE)).code).toBe(2);
    for (const job of ['first', 'cut', 'planned']) await call('run', `${job}.yaml`, '--yes');
    expect(sent()).toHaveLength(4);
    expect(await call('ledger', 'check')).toMatchObject({ code: 0 });
  },
);

it.each(['SQLite', 'PostgreSQL'])(
  'a lock that version 0.1 ordered is not ordered for another customer (%s)',
  async (kind) => {
    if (kind === 'PostgreSQL') await toServer();
    const first = await readFile(path.join(folder, 'first.yaml'), 'utf8');
    const other = first.replace('name: first', 'name: other').replace('first.csv', 'other.csv');
    await writeFile(
      path.join(folder, 'other.yaml'),
      other.replace('customerId: { value: C1 }', 'customerId: { value: C2 }'),
    );
    // A3 was refused by the platform.
    const rows = ['A1', 'A2', 'A3', 'A99'].map((it, at) => `SO-9${at},Customer,${it},5\n`).join('');
    await writeFile(path.join(folder, 'other.csv'), `Order,Customer,Asset,Nodes\n${rows}`);
    const end = await call('run', 'other.yaml', '--yes', '--on-invalid', 'skip', '--json');
    expect(JSON.parse(end.stdout)).toMatchObject({ counts: { invalid: 2, succeeded: 2 } });
    expect(sent()).toEqual(['SO-92', 'SO-93']);
    const result = path.join(folder, 'result.csv');
    await call('runs', 'export', JSON.parse(end.stdout).run, '--output', result);
    const text = await readFile(result, 'utf8');
    expect(text).toContain(`A1 was ordered for another customer: row 2 of run ${RUNS.first}`);
    expect(text).toContain(`A2 was ordered for another customer: row 3 of run ${RUNS.first}`);
  },
);

it.each(['SQLite', 'PostgreSQL'])('a schedule that version 0.1 paused stays paused (%s)', async (kind) => {
  if (kind === 'PostgreSQL') await toServer();
  expect(await call('ledger', 'migrate')).toMatchObject({ code: 0 });
  const { stdout } = await call('schedule', 'list', 'nightly.yaml', '--json');
  expect(stdout).toContain('20261126-194600-eefd73');
  const opened = await openLedger(ledger);
  const pause = await opened.schedule.paused('nightly');
  await opened.close();
  expect(pause).toMatchObject({ who: 'os:root@vm', pausedAt: 1_795_722_400_000 });
  expect(pause?.continuedAt).toBeUndefined();
});

it('runs and plans of version 0.1 are executed by workers', async () => {
  await toServer();
  expect(await call('resume', RUNS.cut, '--queue', '--yes')).toMatchObject({ code: 0 });
  expect(await call('apply', RUNS.planned, '--queue', '--yes', ...ANY_AGE)).toMatchObject({ code: 0 });
  expect(await call('worker', '--once')).toMatchObject({ code: 0 });
  expect(await call('wait', RUNS.cut)).toMatchObject({ code: 6 });
  expect(await call('wait', RUNS.planned)).toMatchObject({ code: 0 });
  expect(sent().sort()).toEqual(['SO-10', 'SO-8', 'SO-9']);
});

/** One line is a table's name and a row of it as JSON. */
async function restoreOnServer(): Promise<PostgresPlace> {
  place = await postgresPlace();
  const { schema, ask } = place;
  const text = await readFile(path.join(import.meta.dirname, 'ledger-0.1-postgres.ndjson'), 'utf8');
  const here = text.replaceAll('FOLDER', folder).replaceAll('"HOST"', JSON.stringify(hostname()));
  const lines = here
    .trim()
    .split('\n')
    .map((line) => {
      const [table, ...json] = line.split(' ');
      const row = json.join(' ').replaceAll("'", "''");
      return `INSERT INTO ${table} SELECT * FROM json_populate_record(NULL::${table}, '${row}')`;
    });
  // What was written by that version is not checked again by the triggers of its tables.
  await ask(`CREATE SCHEMA ${schema}; SET search_path TO ${schema}; ${SCHEMA_OF_01.join(';')};
    CREATE TABLE schema_version (version integer NOT NULL); CREATE UNIQUE INDEX one_version ON schema_version ((true));
    INSERT INTO schema_version VALUES (${SCHEMA_OF_01.length});
    SET session_replication_role = replica; DELETE FROM audit_head; ${lines.join(';\n')};
    SELECT setval(pg_get_serial_sequence('runs', 'id'), (SELECT max(id) FROM runs)),
      setval(pg_get_serial_sequence('scopes', 'id'), (SELECT max(id) FROM scopes)),
      setval(pg_get_serial_sequence('chunks', 'id'), (SELECT max(id) FROM chunks)),
      setval(pg_get_serial_sequence('queued_runs', 'n'), (SELECT max(n) FROM queued_runs))`);
  ledger = place.url;
  return place;
}

describe('a ledger of version 0.1 on a server', () => {
  let server: PostgresPlace;

  beforeEach(async () => {
    server = await restoreOnServer();
  });

  it('the schema of version 0.1 is what it was', () => {
    const statements = SCHEMA_OF_01.map((it) =>
      String(it)
        .replace(/--[^\n]*/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    );
    expect(createHash('sha256').update(JSON.stringify(statements)).digest('hex')).toBe(DIGEST_OF_01);
  });

  it('a ledger of version 0.1 on a server is refused until it is migrated, and no order is sent twice then', async () => {
    expect(await call('run', 'first.yaml', '--yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('ledger migrate'),
    });
    expect(await call('ledger', 'migrate')).toMatchObject({ code: 0 });
    const first = JSON.parse((await call('run', 'first.yaml', '--yes', '--json')).stdout);
    expect(first).toMatchObject({ counts: { succeeded: 1, skipped: 3 } });
    expect(sent()).toEqual(['SO-3']);
    const resumed = JSON.parse((await call('resume', SERVER_RUNS.cut, '--yes', '--json')).stdout);
    expect(resumed).toMatchObject({ counts: { succeeded: 3, unknown: 1 } });
    const applied = await call('apply', SERVER_RUNS.planned, '--yes', '--json', ...ANY_AGE);
    expect(JSON.parse(applied.stdout)).toMatchObject({ counts: { succeeded: 2 } });
    expect(
      await call(
        'resolve',
        SERVER_RUNS.first,
        '--row',
        '3',
        '--as',
        'succeeded',
        '--license-order-id',
        'LO-9',
      ),
    ).toMatchObject({
      code: 0,
    });
    expect(sent()).toEqual(['SO-3', 'SO-8', 'SO-9', 'SO-10']);
    for (const job of ['first', 'cut', 'planned', 'nightly']) await call('run', `${job}.yaml`, '--yes');
    expect(sent()).toHaveLength(4);
    expect(await call('ledger', 'check')).toMatchObject({ code: 0 });
    expect(await call('audit', 'check')).toMatchObject({ code: 0 });
  });

  it('workers of this version execute what version 0.1 queued, and what it left unfinished', async () => {
    expect(await call('ledger', 'migrate')).toMatchObject({ code: 0 });
    expect(await call('resume', SERVER_RUNS.cut, '--queue', '--yes')).toMatchObject({ code: 0 });
    expect(await call('apply', SERVER_RUNS.planned, '--queue', '--yes', ...ANY_AGE)).toMatchObject({
      code: 0,
    });
    expect(await call('worker', '--once')).toMatchObject({ code: 0 });
    expect(await call('wait', SERVER_RUNS.queued)).toMatchObject({ code: 0 });
    expect(await call('wait', SERVER_RUNS.cut)).toMatchObject({ code: 6 });
    expect(await call('wait', SERVER_RUNS.planned)).toMatchObject({ code: 0 });
    expect(sent().sort()).toEqual(['SO-10', 'SO-11', 'SO-12', 'SO-8', 'SO-9']);
  });

  it('a schedule of version 0.1 continues after its last time', async () => {
    expect(await call('ledger', 'migrate')).toMatchObject({ code: 0 });
    const listed = await call('schedule', 'list', 'nightly.yaml', '--json');
    expect(listed.stdout).toContain('20261126-194600-eefd73');
    const schedule = start(['schedule', 'nightly.yaml'], how());
    const run = () =>
      server.ask<{ n: number }>(`SELECT count(*)::int AS n FROM ${server.schema}.schedule_times
      WHERE ended_at IS NOT NULL`);
    await expect.poll(async () => (await run())[0]?.n).toBeGreaterThan(1);
    schedule.child.kill('SIGTERM');
    expect(await schedule.ended).toMatchObject({ code: 0 });
    expect(sent()).toEqual([]);
  });
});
