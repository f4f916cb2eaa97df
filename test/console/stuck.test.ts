import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'vitest';
import { openConsole } from '../../src/app/console/console-environment.js';
import { RunProcesses } from '../../src/console/child-processes/run-processes.js';
import { ServiceRegistry } from '../../src/console/service-registry.js';
import { isAlive, ownProcess } from '../../src/util/process.js';
import { Door } from '../support/console-door.js';
import { orderJob, orderRows } from '../support/orders.js';
import { until } from '../support/until.js';

/** A child of the console is busy without end while the file `stuck` is there. It notes its id first. */
const PRELOADED = `
const fs = require('node:fs');
const path = require('node:path');
if (/child\\.cjs$/.test(process.argv[1] ?? '') && fs.existsSync(path.join(__dirname, 'stuck')))
  setImmediate(() => {
    fs.appendFileSync(path.join(__dirname, 'pids'), process.pid + ' ');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

/** A folder in which the children of a console are busy without end. It is removed after the test. */
async function open(onTestFinished: TestContext['onTestFinished'], settings = '') {
  const folder = await mkdtemp(path.join(tmpdir(), 'license-sync-stuck-'));
  const env = { NODE_OPTIONS: `--require ${path.join(folder, 'preloaded.cjs')}` };
  await writeFile(path.join(folder, 'preloaded.cjs'), PRELOADED);
  await writeFile(path.join(folder, 'stuck'), '');
  await writeFile(path.join(folder, 'license-sync.yaml'), `version: 1\n${settings}`);
  await mkdir(path.join(folder, 'jobs'));
  await writeFile(path.join(folder, 'jobs/orders.yaml'), `${orderJob()}connection: sandbox\n`);
  const doors: Door[] = [];
  onTestFinished(async () => {
    for (const { running } of doors) running.child.kill('SIGKILL');
    for (const { running } of doors) await running.ended;
    await rm(folder, { recursive: true, force: true });
  });
  const stuck = (): readonly number[] =>
    existsSync(path.join(folder, 'pids'))
      ? readFileSync(path.join(folder, 'pids'), 'utf8').trim().split(' ').map(Number)
      : [];
  return {
    folder,
    env,
    stuck,
    allGone: (): boolean => stuck().every((pid) => !isAlive({ ...ownProcess(), process: pid })),
    async importing(): Promise<{ readonly console: Door; readonly id: string }> {
      const console = await Door.open({ cwd: folder, env });
      doors.push(console);
      return { console, id: await putIn(console) };
    },
  };
}

async function putIn(console: Door): Promise<string> {
  const headers = { 'x-file-name': 'orders.csv' };
  const uploaded = await console.ask('POST', '/uploads', { body: orderRows(2), headers });
  const body = { upload: uploaded.reported.upload, job: 'orders.yaml' };
  return (await console.ask('POST', '/imports', { body })).reported.import;
}

async function ended(console: Door, id: string) {
  let reported: Awaited<ReturnType<Door['ask']>>['reported'];
  await until(async () => {
    reported = (await console.ask('GET', `/imports/${id}`)).reported;
    return reported.state !== 'checking';
  });
  return reported;
}

describe.concurrent('what is busy without end in a child of the console', () => {
  it('a check is cancelled: its process is killed, and it is checked again only when a person asks', async ({
    expect,
    onTestFinished,
  }) => {
    const { folder, importing, stuck, allGone } = await open(onTestFinished);
    const { console, id } = await importing();
    await until(async () => {
      await console.ask('GET', `/imports/${id}`);
      return stuck().length === 1;
    });
    expect(await console.ask('POST', `/imports/${id}/cancel`, { body: {} })).toMatchObject({ status: 204 });
    expect(await ended(console, id)).toMatchObject({
      state: 'failed',
      failure: { code: 'imports.check_cancelled' },
    });
    expect(allGone()).toBe(true);
    expect((await console.ask('POST', `/imports/${id}/cancel`, { body: {} })).status).toBe(409);
    await rm(path.join(folder, 'stuck'));
    expect((await ended(console, await putIn(console))).state).toBe('checked');
    expect((await console.ask('GET', `/imports/${id}`)).reported.state).toBe('failed');
    await console.ask('POST', `/imports/${id}/check`, { body: {} });
    expect(await ended(console, id)).toMatchObject({ state: 'checked', counts: { valid: 2 } });
  });

  it('a check ends when it takes longer than console.checkTimeout', async ({ expect, onTestFinished }) => {
    const { importing, stuck, allGone } = await open(onTestFinished, 'console: { checkTimeout: 2s }\n');
    const { console, id } = await importing();
    const reported = await ended(console, id);
    expect(reported).toMatchObject({ state: 'failed', failure: { code: 'imports.took_too_long' } });
    expect(reported.failure.text).toContain('2 s');
    expect(stuck()).toHaveLength(1);
    expect(allGone()).toBe(true);
  });

  it.for(['SIGTERM', 'SIGINT'] as const)(
    'a check does not keep the console from ending with 0 by %s',
    async (signal, { expect, onTestFinished }) => {
      const { importing, stuck, allGone } = await open(onTestFinished);
      const { console } = await importing();
      await until(() => stuck().length === 1);
      console.running.child.kill(signal);
      expect(await console.running.ended).toMatchObject({ code: 0, signal: null });
      expect(allGone()).toBe(true);
    },
  );

  it('a check does not survive a console that is killed, or leaves by a second signal', async ({
    onTestFinished,
  }) => {
    const { folder, importing, stuck, allGone } = await open(onTestFinished);
    const { console } = await importing();
    await until(() => stuck().length === 1);
    console.running.child.kill('SIGKILL');
    await console.running.ended;
    await until(allGone);
    await rm(path.join(folder, 'pids'));
    const next = await importing();
    await until(() => stuck().length === 1);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) next.console.running.child.kill(signal);
    await next.console.running.ended;
    await until(allGone);
  });

  it('a run is killed by Stop, and can be resumed', async ({ expect, onTestFinished }) => {
    const { folder, env, stuck } = await open(onTestFinished);
    await writeFile(path.join(folder, 'jobs/orders.csv'), orderRows(3));
    const app = { env: { ...process.env, ...env }, cwd: folder, language: 'en' } as const;
    const ground = await openConsole(app);
    const services = new ServiceRegistry();
    const context = { ...app, opened: ground.ledger };
    const carried = await services.get(RunProcesses.of).start(context, {
      use: 'run',
      input: ['jobs/orders.yaml', { kind: 'run' }],
    });
    carried.started.catch(() => {});
    await until(() => stuck().length === 1);
    carried.stop();
    expect(await carried.over).toMatchObject({ failure: { text: 'SIGKILL' } });
    await services.close();
    await ground.close();
  });
});
