import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UNWATCHED } from '../../../src/app/context.js';
import { failureOf } from '../../../src/app/failure.js';
import { runJob } from '../../../src/app/run.js';
import { exportSchedule } from '../../../src/app/schedule.js';
import { submitJob } from '../../../src/app/submit.js';
import { runWorker } from '../../../src/app/worker.js';
import { rememberLedgerPatience } from '../../../src/util/ledger-address.js';
import { StopSignal } from '../../../src/util/stop-signal.js';
import { workerUnits } from '../../../src/workers/service-files.js';
import { FakePlatform, ordersDone } from '../../support/fake-platform.js';
import { orderJob, orderRows } from '../../support/orders.js';
import { CutProxy } from '../../support/postgres/cut-proxy.js';
import { type PostgresPlace, postgresPlace } from '../../support/postgres/shared-server.js';
import { type Life, supervise } from '../../support/systemd.js';

const PROGRAM = { program: ['/usr/bin/license-sync'], image: 'i', version: '1' };
/** What `ledgerPatience` is in the simulated time; the program itself waits for a moment only. */
const PATIENCE_S = 60;
const OUTAGE_S = 120;

let folder: string;
let place: PostgresPlace;
let proxy: CutProxy;
let platform: FakePlatform;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'outage-'));
  place = await postgresPlace();
  proxy = await CutProxy.before(place.url);
  platform = await new FakePlatform(ordersDone).start();
  const settings = `version: 1\nledger: ${proxy.through(place.url)}\nledgerPatience: 50ms\nconnections:\n  p: { baseUrl: "${platform.url}", appKey: app, token: { env: TOKEN } }\n`;
  await writeFile(path.join(folder, 'license-sync.yaml'), settings);
  const job = orderJob({ extra: 'connection: p\nschedule: { cron: "0 2 * * *" }\n' }).replace(
    'normal_recover_usbkey',
    'cloud_account',
  );
  await writeFile(path.join(folder, 'orders.yaml'), job);
  await writeFile(path.join(folder, 'orders.csv'), orderRows(5));
});

afterEach(async () => {
  rememberLedgerPatience(undefined);
  await proxy.stop();
  await platform.stop();
  await place.remove();
  await rm(folder, { recursive: true, force: true });
});

const context = (env: NodeJS.ProcessEnv = { TOKEN: 'x' }) => ({
  env,
  cwd: folder,
  language: 'en' as const,
  watch: UNWATCHED,
  stop: new StopSignal(),
  confirm: true as const,
});

/** The database cannot be reached for two minutes. */
function outageAt(now: number): void {
  if (now < OUTAGE_S) proxy.refuse();
  else proxy.open();
}

const workerUnit = () => {
  const [service] = workerUnits({ ...PROGRAM, home: folder, slots: 2, secrets: [] });
  return service!.text;
};

async function work(at: ReturnType<typeof context>): Promise<Life> {
  try {
    await runWorker(at, { slots: 2, connections: 'p', once: true });
    return { exitCode: 0, seconds: 1 };
  } catch (error) {
    const { exitCode } = failureOf(error, 'en');
    return { exitCode, seconds: exitCode === 5 ? PATIENCE_S : 0 };
  }
}

test('a worker that starts while its database cannot be reached is started again until it can', async () => {
  expect((await submitJob(context(), 'orders.yaml', {})).exitCode).toBe(0);
  const codes: number[] = [];
  const start = async (now: number): Promise<Life> => {
    outageAt(now);
    const life = await work(context());
    codes.push(life.exitCode);
    return life;
  };
  const ended = await supervise(workerUnit(), start, () => platform.seen.length > 0);
  expect(ended.state).toBe('stopped');
  expect(codes).toEqual([5, 5, 0]);
  expect(platform.seen).toHaveLength(5);
});

test('a worker that ends at once each time is started again for as long as that lasts', async () => {
  let last = 0;
  const start = async (now: number): Promise<Life> => {
    last = now;
    return { exitCode: 5, seconds: 0 };
  };
  const ended = await supervise(workerUnit(), start, () => last >= OUTAGE_S);
  expect(ended).toEqual({ state: 'stopped', starts: OUTAGE_S / 5 + 1 });
});

test('a worker whose settings are wrong is not started again', async () => {
  const ended = await supervise(workerUnit(), () => work(context({})));
  expect(ended).toEqual({ state: 'failed', starts: 1 });
});

test('a run of a timer is started again while its database cannot be reached, and not after its result', async () => {
  const { files } = await exportSchedule(context(), ['orders.yaml'], { ...PROGRAM, format: 'systemd' });
  const codes: number[] = [];
  const start = async (now: number): Promise<Life> => {
    outageAt(now);
    const { exitCode } = await runJob(context(), 'orders.yaml', { kind: 'run' });
    codes.push(exitCode);
    return { exitCode, seconds: exitCode === 5 ? PATIENCE_S : 1 };
  };
  expect(await supervise(files[0]!.text, start)).toEqual({ state: 'inactive', starts: 3 });
  expect(codes).toEqual([5, 5, 0]);
  for (const exitCode of [1, 2, 3, 4, 6, 130]) {
    const ended = await supervise(files[0]!.text, async () => ({ exitCode, seconds: 1 }));
    expect(ended).toEqual({ state: 'failed', starts: 1 });
  }
});
