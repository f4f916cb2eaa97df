import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  applyPlan,
  planJob,
  reconcileJob,
  resumeRun,
  runJob,
  runRows,
  validateJob,
} from '../../src/api/index.js';
import { openLedger } from '../../src/ledger/open.js';
import { type Ended, licenseSync } from '../support/command.js';
import { type Answer, FakePlatform, ordersDone, type Seen } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';
import { SchedulerProcess } from '../support/schedule-fixture.js';

/** Two folders with a connection of one name; the jobs are in the first, and everything is called from the second. */
let root: string;
let own: FakePlatform;
let other: FakePlatform;
const env = { TOKEN: 's3cret-token-0123456789' };

const home = (name: string): string => path.join(root, 'home', name);
const elsewhere = (name = ''): string => path.join(root, 'elsewhere', name);

const settings = (platform: FakePlatform): string => `version: 1
connections:
  p: { baseUrl: "${platform.url}", appKey: app, token: { env: TOKEN } }
`;

/** SO-2 may have been executed, SO-3 was refused; what isn't an order is answered with nothing. */
function answer(seen: Seen): Answer {
  if (!('orderList' in seen.body)) return { body: { code: 0, message: 'ok', data: [] } };
  const order = String(seen.body.channelOrderId);
  if (order === 'SO-2') return 'reset';
  if (order === 'SO-3') return { body: { code: 4711, message: 'refused' } };
  return ordersDone(seen);
}

const job = (name: string, file: string, extra = ''): string =>
  orderJob({ extra: `connection: p\nrun: { retries: 0, timeout: 5s }\n${extra}` })
    .replace('normal_recover_usbkey', 'cloud_account')
    .replace('name: orders', `name: ${name}`)
    .replace('file: orders.csv', `file: ${file}`);

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'license-sync-own-'));
  own = await new FakePlatform(answer).start();
  other = await new FakePlatform(answer).start();
  await mkdir(home('inbox'), { recursive: true });
  await mkdir(elsewhere());
  await writeFile(home('license-sync.yaml'), settings(own));
  await writeFile(elsewhere('license-sync.yaml'), settings(other));
  await writeFile(home('orders.csv'), orderRows(3));
  await writeFile(home('more.csv'), orderRows(2, 10));
  await writeFile(home('planned.csv'), orderRows(2, 20));
  await writeFile(home('nightly.csv'), orderRows(2, 30));
  await writeOld('inbox/new.csv', orderRows(2, 40));
  await writeFile(home('called.csv'), orderRows(2, 50));
  await writeFile(home('want.csv'), 'Enterprise,Lock,Locked\nE1,8100000001,TRUE\n');
  await writeFile(home('orders.yaml'), job('orders', 'orders.csv'));
  await writeFile(home('held.yaml'), job('held', 'more.csv', 'safety: { maxItems: 1 }\n'));
  await writeFile(home('planned.yaml'), job('planned', 'planned.csv'));
  await writeFile(home('inbox.yaml'), job('inbox', '"inbox/*.csv"'));
  await writeFile(home('nightly.yaml'), job('nightly', 'nightly.csv', 'schedule: { cron: "0 2 * * *" }\n'));
  await writeFile(home('called.yaml'), job('called', 'called.csv', 'safety: { maxItems: 1 }\n'));
  await writeFile(
    home('compare.yaml'),
    [
      'version: 1',
      'name: compare',
      'reconcile: asset',
      'connection: p',
      'source: { file: want.csv }',
      'key: { enterpriseGlobalId: Enterprise, assetNum: Lock }',
      'expect: { locked: Locked }',
    ].join('\n'),
  );
});

/** A file that was complete a minute ago: an input folder does not wait for it. */
async function writeOld(name: string, content: string): Promise<void> {
  const minuteAgo = new Date(Date.now() - 60_000);
  await writeFile(home(name), content);
  await utimes(home(name), minuteAgo, minuteAgo);
}

afterEach(async () => {
  await own.stop();
  await other.stop();
  await rm(root, { recursive: true, force: true });
});

const LEDGER = '.license-sync/ledger.db';
const call = (...args: string[]): Promise<Ended> =>
  licenseSync(args, { cwd: elsewhere(), env: { ...env, LICENSE_SYNC_LEDGER: home(LEDGER) } });
const library = () => ({ cwd: elsewhere(), env, ledger: home(LEDGER) });
const said = (end: Ended): { run: string } => JSON.parse(end.stdout) as { run: string };

/** Does the work, and checks that only the right platform received it. */
async function reaches<T>(what: string, times: 'some' | 'none', work: () => Promise<T>): Promise<T> {
  own.seen.length = 0;
  const result = await work();
  expect([what, other.seen.map((it) => it.path)]).toEqual([what, []]);
  expect([what, own.seen.length > 0]).toEqual([what, times === 'some']);
  return result;
}

describe('called from a folder whose settings have a connection of the same name', () => {
  it('every command uses the connection of its job', async () => {
    const run = said(await reaches('run', 'some', () => call('run', home('orders.yaml'), '--json'))).run;
    await reaches('validate', 'none', () => call('validate', home('planned.yaml')));
    const plan = said(await reaches('plan', 'none', () => call('plan', home('planned.yaml'), '--json'))).run;
    expect((await reaches('apply', 'some', () => call('apply', plan))).code).toBe(0);
    const held = await call('run', home('held.yaml'), '--json');
    expect(held.code).toBe(4);
    const resumed = await reaches('resume', 'some', () => call('resume', said(held).run, '--max-items', '5'));
    expect(resumed.code).toBe(0);
    await reaches('retry', 'some', () => call('retry', run, '--include', 'rejected'));
    await reaches('resolve', 'some', () => call('resolve', run, '--verify'));
    await reaches('reconcile', 'some', () => call('reconcile', home('compare.yaml')));
    await reaches('inbox', 'some', () => call('run', home('inbox.yaml')));
    await reaches('doctor', 'some', () => call('doctor', home('orders.yaml')));
    await reaches('explain', 'none', () => call('explain', run, '2'));
    await reaches('schedule list', 'none', () => call('schedule', 'list', home('nightly.yaml')));
  });

  it('a schedule starts its runs on the connection of the job', async () => {
    await mkdir(home('.license-sync'));
    const ledger = await openLedger(home(LEDGER));
    const long = Date.now() - 3 * 86_400_000;
    const due = long - (long % 86_400_000) + 18 * 3_600_000 - 86_400_000;
    await ledger.schedule.begin('nightly', due, due);
    await ledger.schedule.end('nightly', due, { endedAt: due, exitCode: 0 });
    await ledger.close();
    await reaches('schedule', 'some', async () => {
      const scheduler = new SchedulerProcess([home('nightly.yaml'), '--json'], {
        cwd: elsewhere(),
        env: { ...env, LICENSE_SYNC_LEDGER: home(LEDGER) },
      });
      await scheduler.until(() => scheduler.runs.length > 0);
      scheduler.child.kill('SIGTERM');
      await scheduler.ended;
      expect(scheduler.runs).toMatchObject([{ job: 'nightly', counts: { succeeded: 2 } }]);
    });
  });

  it('so does every function of the library', async () => {
    await reaches('validateJob', 'none', () => validateJob(home('orders.yaml'), library()));
    const ran = await reaches('runJob', 'some', () => runJob(home('orders.yaml'), library()));
    const plan = await reaches('planJob', 'none', () => planJob(home('planned.yaml'), library()));
    const applied = await reaches('applyPlan', 'some', () => applyPlan(plan.run, library()));
    expect(applied.counts).toEqual({ succeeded: 2 });
    const held = await runJob(home('called.yaml'), library());
    expect(held.exitCode).toBe(4);
    const resumed = await reaches('resumeRun', 'some', () =>
      resumeRun(held.run, { ...library(), maxItems: 5 }),
    );
    expect(resumed.counts).toEqual({ succeeded: 2 });
    await reaches('reconcileJob', 'some', () => reconcileJob(home('compare.yaml'), library()));
    expect(await reaches('runRows', 'none', () => runRows(ran.run, library()))).toHaveLength(3);
  });
});

describe('where the connection leads to another host since', () => {
  it('a run is not resumed: exit 2, naming both', async () => {
    const { run } = said(await call('run', home('orders.yaml'), '--json'));
    const plan = said(await call('plan', home('planned.yaml'), '--json')).run;
    const held = said(await call('run', home('held.yaml'), '--json')).run;
    await writeFile(home('license-sync.yaml'), settings(other));
    own.seen.length = 0;
    const hosts = [own, other].map((it) => new URL(it.url).host);
    for (const args of [
      ['apply', plan],
      ['resume', held, '--max-items', '5'],
      ['retry', run, '--include', 'rejected'],
      ['resolve', run, '--verify'],
    ]) {
      const end = await call(...args, '--json');
      expect([args[0], end.code]).toEqual([args[0], 2]);
      for (const host of hosts) expect(end.stderr).toContain(host);
    }
    for (const refused of [
      () => applyPlan(plan, library()),
      () => resumeRun(held, { ...library(), maxItems: 5 }),
    ])
      await expect(refused()).rejects.toMatchObject({ detail: { code: 'run.other_host' } });
    await expect(resumeRun(held, { ...library(), connection: 'sandbox' })).rejects.toMatchObject({
      detail: { code: 'run.other_connection' },
    });
    expect([own.seen, other.seen]).toEqual([[], []]);
  });

  it('what was sent to the first blocks nothing on the second', async () => {
    expect((await call('run', home('planned.yaml'))).code).toBe(0);
    expect((await call('run', home('inbox.yaml'))).code).toBe(0);
    await writeFile(home('license-sync.yaml'), settings(other));
    await writeOld('inbox/again.csv', orderRows(2, 40));
    const moved = await call('run', home('planned.yaml'), '--json');
    expect(JSON.parse(moved.stdout)).toMatchObject({ counts: { succeeded: 2 } });
    await call('run', home('inbox.yaml'));
    expect(other.seen).toHaveLength(4);
    await writeFile(home('license-sync.yaml'), settings(own));
    own.seen.length = 0;
    const back = await call('run', home('planned.yaml'), '--json');
    expect(JSON.parse(back.stdout)).toMatchObject({ counts: { skipped: 2 } });
    expect(own.seen).toEqual([]);
    const listed = await call('runs');
    for (const it of [own, other]) expect(listed.stdout).toContain(new URL(it.url).host);
  });
});
