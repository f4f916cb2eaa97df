import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sha256Of } from '../../src/util/file-identity.js';
import { licenseSync } from '../support/command.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { type PostgresPlace, postgresPlace } from '../support/postgres/shared-server.js';

const FILES = path.join(import.meta.dirname, 'files');
/** The address of the platform is part of the plan's hash. */
const PORT = 18_999;
/**
 * A ledger that version 0.1 wrote. `first`: SO-1 and SO-4 succeeded, SO-2 is unknown, SO-3 was rejected. `cut`: killed while
 * SO-7 was under way, SO-8 was not sent. `planned`: a kept plan of SO-9 and SO-10.
 */
const RUNS = {
  first: '20261126-170528-b332b3',
  cut: '20261126-170534-0e0c41',
  planned: '20261126-170539-567a30',
} as const;

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

const call = (...args: readonly string[]) =>
  licenseSync(args, {
    cwd: folder,
    env: { OFFICE_TOKEN: 't', LICENSE_SYNC_LEDGER: ledger, XDG_STATE_HOME: path.join(folder, 'state') },
  });
const sent = (): string[] => platform.seen.map(({ body }) => String(body.channelOrderId));

/** The same on a server: everything is copied there. */
async function toServer(): Promise<void> {
  place = await postgresPlace();
  expect(await call('ledger', 'copy', '--to', place.url)).toMatchObject({ code: 0 });
  ledger = place.url;
}

it.each(['SQLite', 'PostgreSQL'])(
  'a ledger of version 0.1 goes on without an order sent twice (%s)',
  async (kind) => {
    if (kind === 'PostgreSQL') await toServer();
    const first = JSON.parse((await call('run', 'first.yaml', '--yes', '--json')).stdout);
    expect(first).toMatchObject({ counts: { succeeded: 1, skipped: 3 } });
    expect(sent()).toEqual(['SO-3']);
    const resumed = JSON.parse((await call('resume', RUNS.cut, '--yes', '--json')).stdout);
    expect(resumed).toMatchObject({ counts: { succeeded: 3, unknown: 1 } });
    expect(sent()).toEqual(['SO-3', 'SO-8']);
    const applied = await call('apply', RUNS.planned, '--yes', '--json');
    expect(JSON.parse(applied.stdout)).toMatchObject({ counts: { succeeded: 2 } });
    expect(sent()).toEqual(['SO-3', 'SO-8', 'SO-9', 'SO-10']);
    expect((await call('apply', RUNS.planned, '--yes')).code).toBe(2);
    for (const job of ['first', 'cut', 'planned']) await call('run', `${job}.yaml`, '--yes');
    expect(sent()).toHaveLength(4);
    expect(await call('ledger', 'check')).toMatchObject({ code: 0 });
  },
);

it('runs and plans of version 0.1 are executed by workers', async () => {
  await toServer();
  expect(await call('resume', RUNS.cut, '--queue', '--yes')).toMatchObject({ code: 0 });
  expect(await call('apply', RUNS.planned, '--queue', '--yes')).toMatchObject({ code: 0 });
  expect(await call('worker', '--once')).toMatchObject({ code: 0 });
  expect(await call('wait', RUNS.cut)).toMatchObject({ code: 6 });
  expect(await call('wait', RUNS.planned)).toMatchObject({ code: 0 });
  expect(sent().sort()).toEqual(['SO-10', 'SO-8', 'SO-9']);
});
