import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openConsole } from '../../src/app/console/console-environment.js';
import { UNWATCHED } from '../../src/app/context.js';
import { doctor, examinedData } from '../../src/app/doctor.js';
import { migrateLedger, showLedger } from '../../src/app/ledger.js';
import { runJob } from '../../src/app/run.js';
import { listRuns } from '../../src/app/runs.js';
import { runSchedules } from '../../src/app/schedule.js';
import { waitRun } from '../../src/app/submit.js';
import { runWorker } from '../../src/app/worker.js';
import type { Message } from '../../src/errors/message.js';
import type { ProductError } from '../../src/errors/product-error.js';
import { openLedger } from '../../src/ledger/open.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { licenseSync } from '../support/command.js';
import { type OlderLedger, olderLedger } from '../support/older-ledger.js';
import { orderJob, orderRows } from '../support/orders.js';

let folder: string;
let older: OlderLedger;
let notes: Message[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'older-'));
  notes = [];
});

afterEach(async () => {
  await older.remove();
  await rm(folder, { recursive: true, force: true });
});

async function fixture(kind: 'SQLite' | 'PostgreSQL', patience = '300ms') {
  older = await olderLedger(kind, folder);
  const settings = `version: 1\nledger: ${older.address}\nledgerPatience: ${patience}\n`;
  await writeFile(path.join(folder, 'license-sync.yaml'), settings);
  await writeFile(
    path.join(folder, 'orders.yaml'),
    orderJob({ extra: 'connection: sandbox\nschedule: { cron: "0 2 * * *" }\n' }),
  );
  await writeFile(path.join(folder, 'orders.csv'), orderRows(3));
  const found = (it: Message) => notes.push(it);
  const about = { env: {}, cwd: folder, language: 'en', found } as const;
  return { ...about, watch: UNWATCHED, stop: new StopSignal(), confirm: true as const };
}

const codes = (): readonly string[] => notes.map((it) => it.code);
const refused = (work: Promise<unknown>, kind: ProductError['kind']) =>
  expect(work).rejects.toMatchObject({
    kind,
    detail: { code: 'ledger.older', params: { found: older.version, known: older.known } },
  });

describe.each(['SQLite', 'PostgreSQL'] as const)('a ledger whose schema is older (%s)', (kind) => {
  test('is not changed by a command that only reads: it is refused, naming the command that migrates', async () => {
    const context = await fixture(kind);
    await refused(showLedger(context), 'usage');
    await refused(listRuns(context), 'usage');
    const read = await licenseSync(['runs', '--json'], { cwd: folder });
    expect(read.code).toBe(2);
    expect(JSON.parse(read.stdout)).toMatchObject({ error: { code: 'ledger.older' } });
    expect(read.stderr).toContain('license-sync ledger migrate');
    const { steps } = examinedData(await doctor(context, { connection: 'sandbox' }), context.language);
    expect(steps.find((it) => it.step === 'ledger')).toMatchObject({ code: 'ledger.older' });
    expect(await older.versionNow()).toBe(older.version);
  });

  test('is migrated by `ledger migrate`, once', async () => {
    const context = await fixture(kind);
    const { version: from, known: to } = older;
    const [one, other] = await Promise.all([migrateLedger(context), migrateLedger(context)]);
    expect([one.from, other.from].sort((a, b) => a - b)).toEqual([from, to]);
    expect(await older.versionNow()).toBe(to);
    const again = await licenseSync(['ledger', 'migrate', '--json'], { cwd: folder });
    expect(again).toMatchObject({ code: 0 });
    expect(JSON.parse(again.stdout)).toMatchObject({ from: to, to });
    expect(await listRuns(context)).toBeDefined();
  });
});

describe('a file with an older schema', () => {
  const copies = async () =>
    (await readdir(path.dirname(older.address))).filter((it) => /\.before-[\d-]+$/.test(it));

  test('is migrated by a command that writes, after a copy was saved', async () => {
    const context = await fixture('SQLite');
    expect((await runJob(context, 'orders.yaml', { kind: 'run' })).exitCode).toBe(0);
    expect(codes()).toContain('ledger.migrated_file');
    expect(await copies()).toEqual([`ledger.db.before-${older.known}`]);
    const copy = `${older.address}.before-${older.known}`;
    const db = new DatabaseSync(copy);
    expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: older.version });
    expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    db.close();
    if (process.platform !== 'win32') expect((await stat(copy)).mode & 0o777).toBe(0o600);
    // The copy is a ledger: it can be migrated as well, and keeps its own copy.
    await (await openLedger(copy)).close();
    expect(await copies()).toHaveLength(2);
  });

  test('keeps a copy that is there already', async () => {
    const context = await fixture('SQLite');
    const first = `${older.address}.before-${older.known}`;
    await writeFile(first, 'an earlier copy');
    expect(await migrateLedger(context)).toMatchObject({ copy: `${first}-2` });
    expect((await copies()).sort()).toEqual([path.basename(first), `${path.basename(first)}-2`]);
  });

  test('is not migrated where its copy cannot be saved', async () => {
    await fixture('SQLite');
    // A folder in the place of the file that is being written.
    const making = `${older.address}.before-${older.known}.tmp`;
    await mkdir(path.join(making, 'in'), { recursive: true });
    await expect(openLedger(older.address)).rejects.toMatchObject({
      detail: { code: 'ledger.copy_unsaved' },
    });
    expect(await older.versionNow()).toBe(older.version);
  });
});

describe('a schema on a server that is older', () => {
  test('is refused by commands that write, with exit code 2', async () => {
    const context = await fixture('PostgreSQL');
    const ended = await runJob(context, 'orders.yaml', { kind: 'run' });
    expect(ended).toMatchObject({ exitCode: 2, failure: { code: 'ledger.older' } });
    expect(await older.versionNow()).toBe(older.version);
  });

  test('is waited for by worker, wait, schedule and console, which then end with exit code 5', async () => {
    const context = await fixture('PostgreSQL');
    await refused(runWorker(context, { slots: 1, connections: 'sandbox' }), 'internal');
    expect(await waitRun(context, '20260101-000000-000000', {})).toMatchObject({
      exitCode: 5,
      failure: { code: 'ledger.older' },
    });
    const watch = { note: context.found, line: () => {}, ran: () => {} };
    const schedule = { ...context, watch, leave: new AbortController().signal, program: [] };
    await refused(runSchedules(schedule, [], { concurrency: 1 }), 'internal');
    await refused(openConsole(context), 'internal');
    expect(codes().filter((it) => it === 'ledger.waits_for_server')).toHaveLength(4);
    expect(await older.versionNow()).toBe(older.version);
  });

  test('is used by a worker as soon as another command has migrated it', async () => {
    const context = await fixture('PostgreSQL', '60s');
    let reported = (): void => {};
    const waits = new Promise<void>((resolve) => {
      reported = resolve;
    });
    const working = runWorker(
      { ...context, found: () => reported() },
      { slots: 1, connections: 'sandbox', once: true },
    );
    await waits;
    await migrateLedger(context);
    expect(await working).toMatchObject({ runs: 0 });
  });
});
