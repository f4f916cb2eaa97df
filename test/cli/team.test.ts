import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Ended, licenseSync, type Running, saying, start } from '../support/command.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';
import { type PostgresPlace, postgresPlace } from '../support/postgres/shared-server.js';
import { until } from '../support/until.js';

/** A machine where runs are planned, a second machine that has only the settings, and a ledger on a server for both. */
let folder = '';
let place: PostgresPlace;
let platform: FakePlatform;
let workers: Running[] = [];
/** How long the platform takes for an order, from when it is released. */
let latencyMs = 5;
let held: Promise<void> | undefined;

const at = (name: string): string => path.join(folder, name);
const settings = (token = 'TOKEN'): string => `version: 1
ledger: ${place.url}
workers: { lease: 5s }
connections:
  p: { baseUrl: "${platform.url}", appKey: app, token: { env: ${token} } }
`;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-team-'));
  place = await postgresPlace();
  workers = [];
  latencyMs = 5;
  held = undefined;
  platform = await new FakePlatform(async (seen) => {
    await held;
    await delay(latencyMs);
    return ordersDone(seen);
  }).start();
  for (const machine of ['desk/jobs', 'far']) await mkdir(at(machine), { recursive: true });
  await writeFile(at('desk/license-sync.yaml'), settings());
  await writeFile(at('far/license-sync.yaml'), settings());
  await job('orders', 40);
});

afterEach(async () => {
  for (const { child } of workers) child.kill('SIGKILL');
  await Promise.all(workers.map(({ ended }) => ended));
  await platform.stop();
  await place.remove();
  await rm(folder, { recursive: true, force: true });
});

async function job(name: string, rows: number, extra = ''): Promise<void> {
  const text = orderJob({ extra: `connection: p\nrun: { retries: 0 }\n${extra}` })
    .replace('normal_recover_usbkey', 'cloud_account')
    .replace('name: orders', `name: ${name}`)
    .replace('orders.csv', `${name}.csv`);
  await writeFile(at(`desk/jobs/${name}.yaml`), text);
  await writeFile(at(`desk/jobs/${name}.csv`), orderRows(rows));
}

const run = (machine: 'desk' | 'far', ...args: readonly string[]): Promise<Ended> =>
  licenseSync(args, { cwd: at(machine), env: { TOKEN: 'secret-of-the-test' } });

function worker(...args: readonly string[]): Running {
  const running = start(['worker', ...args], { cwd: at('far'), env: { TOKEN: 'secret-of-the-test' } });
  workers.push(running);
  return running;
}

async function submitted(...args: readonly string[]): Promise<string> {
  const { stdout, stderr, code } = await run('desk', 'submit', 'jobs/orders.yaml', '--json', ...args);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const reported = JSON.parse(stdout) as { run: string; status: string };
  expect(reported.status).toBe('queued');
  return reported.run;
}

/** The orders that the platform received, each once for each time. */
const heard = (): string[] => platform.seen.map(({ body }) => String(body.channelOrderId)).sort();
const orders = (count: number): string[] => Array.from({ length: count }, (_, i) => `SO-${i + 1}`).sort();

describe('a run that workers process', () => {
  it('is planned on one machine, executed elsewhere, and its result is written wherever it is waited for', async () => {
    const id = await submitted();
    expect(platform.seen).toEqual([]);
    const listed = await run('desk', 'runs');
    expect(listed.stdout).toMatch(/orders .*queued/);
    // Nothing of the fixture is needed any more.
    await rm(at('desk/jobs'), { recursive: true });
    const { stdout, code } = await worker('--once', '--slots', '4', '--json', '--log-file', 'w.log').ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ runs: 1, requests: 40, retries: 0 });
    expect(heard()).toEqual(orders(40));
    const waited = await run('far', 'wait', id, '--output', 'result.csv', '--report', 'page.html', '--json');
    expect(waited.code).toBe(0);
    expect(JSON.parse(waited.stdout)).toMatchObject({
      run: id,
      status: 'completed',
      counts: { succeeded: 40 },
      requests: 40,
      output: at('far/result.csv'),
      report: at('far/page.html'),
    });
    expect((await readFile(at('far/result.csv'), 'utf8')).trim().split('\n')).toHaveLength(41);
    const lines = (await readFile(at('far/w.log'), 'utf8')).trim().split('\n');
    const reported = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(reported.filter((it) => it.event === 'attempt')).toHaveLength(40);
    expect(new Set(reported.map((it) => it.worker)).size).toBe(1);
    expect(reported.at(-1)).toMatchObject({ event: 'run_concluded', run: id, status: 'completed' });
    const left = await run('far', 'workers', '--json');
    expect(JSON.parse(left.stdout)).toEqual({ workers: [] });
  });

  it('is processed by all that are there, each order once; each exits in order when stopped', async () => {
    latencyMs = 60;
    await job('orders', 120);
    const two = [worker('--slots', '2'), worker('--slots', '2', '--metrics-file', 'w.prom')];
    const waiting = start(['submit', 'jobs/orders.yaml', '--wait', '--json', '--output', 'here.csv'], {
      cwd: at('desk'),
      env: { TOKEN: 'secret-of-the-test' },
    });
    await until(() => platform.seen.length > 20);
    // Long enough for a machine that has much else to do, on which the second may begin late.
    latencyMs = 1000;
    let listed: Record<string, unknown>[] = [];
    const carrying = async (): Promise<unknown[]> => {
      const asked = Date.now();
      listed = JSON.parse((await run('far', 'workers', '--json')).stdout).workers;
      for (const { heardOf } of listed) expect(asked - Date.parse(String(heardOf))).toBeLessThan(10_000);
      return listed.map(({ slots, runs }) => [slots, (runs as string[]).length]);
    };
    const both = [2, 2].map((slots) => [slots, 1]);
    await expect.poll(carrying).toEqual(both);
    latencyMs = 30;
    two[0]!.child.kill('SIGTERM');
    expect((await two[0]!.ended).code).toBe(0);
    const { stdout: reported, code } = await waiting.ended;
    expect(code).toBe(0);
    expect(JSON.parse(reported)).toMatchObject({ status: 'completed', counts: { succeeded: 120 } });
    expect(heard()).toEqual(orders(120));
    await expect(readFile(at('desk/here.csv'), 'utf8')).resolves.toContain('SO-120');
    two[1]!.child.kill('SIGHUP');
    expect((await two[1]!.ended).code).toBe(0);
    expect(await readFile(at('far/w.prom'), 'utf8')).toMatch(/license_sync_worker_requests_total\{.*\} \d+/);
  });

  it('stops within a second, everywhere, and continues by resume --queue; nothing is sent twice', async () => {
    latencyMs = 50;
    await job('orders', 200);
    worker('--slots', '4');
    worker('--slots', '4');
    const id = await submitted();
    const waiting = start(['wait', id, '--json'], { cwd: at('desk'), env: {} });
    await until(() => platform.seen.length > 20);
    // So that much is left when two commands have begun and come to their ends.
    let letGo = (): void => {};
    held = new Promise((resolve) => {
      letGo = resolve;
    });
    latencyMs = 1000;
    const here = await run('desk', 'resume', id);
    expect({ code: here.code, stderr: here.stderr }).toMatchObject({ code: 2 });
    expect(here.stderr).toContain(`license-sync wait ${id}`);
    letGo();
    const stopped = await run('far', 'stop', id, '--json');
    const after = platform.seen.length;
    latencyMs = 20;
    expect(JSON.parse(stopped.stdout)).toEqual({ run: id, status: 'interrupted' });
    const { code, stdout } = await waiting.ended;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'interrupted' });
    await delay(500);
    expect(platform.seen.length).toBe(after);
    expect(after).toBeLessThan(200);
    const again = await run('desk', 'stop', id);
    expect(again.code).toBe(0);
    expect((await run('desk', 'resume', id, '--queue')).code).toBe(0);
    expect((await run('desk', 'wait', id)).code).toBe(0);
    expect(heard()).toEqual(orders(200));
    const late = await run('desk', 'stop', id);
    expect({ code: late.code, stderr: late.stderr }).toMatchObject({ code: 2 });
  });

  it('is stopped where no worker is there, and may then be taken up here', async () => {
    const id = await submitted();
    expect(JSON.parse((await run('far', 'stop', id, '--json')).stdout)).toMatchObject({
      status: 'interrupted',
    });
    expect((await run('desk', 'wait', id)).code).toBe(130);
    expect((await run('desk', 'resume', id)).code).toBe(0);
    expect(heard()).toEqual(orders(40));
  });

  it('is named as waiting once its worker has left; its result never goes to a folder that no longer exists', async () => {
    latencyMs = 100;
    const id = await submitted();
    const leaving = worker('--slots', '2');
    await until(() => platform.seen.length > 4);
    leaving.child.kill('SIGTERM');
    expect((await leaving.ended).code).toBe(0);
    expect((await run('far', 'workers')).stdout).toContain(`waiting for workers: ${id}`);
    await rm(at('desk'), { recursive: true });
    latencyMs = 5;
    expect((await worker('--once').ended).code).toBe(0);
    expect((await run('far', 'workers')).stdout).not.toContain(id);
    const { code, stdout } = await run('far', 'wait', id, '--json');
    const { output } = JSON.parse(stdout) as { output: string };
    expect([code, path.dirname(output)]).toEqual([0, at('far/results')]);
    await expect(readFile(output)).resolves.toBeDefined();
    await expect(readFile(at('desk'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('waits in line behind another of its job; none is begun next to them in a process', async () => {
    const first = await submitted();
    await writeFile(at('desk/jobs/orders.csv'), orderRows(10, 41));
    const second = await submitted();
    const beside = await run('desk', 'run', 'jobs/orders.yaml');
    expect(beside.code).toBe(2);
    expect(beside.stderr).toContain(first);
    expect((await worker('--once').ended).code).toBe(0);
    for (const id of [first, second]) expect((await run('far', 'wait', id)).code).toBe(0);
    expect(heard()).toEqual(orders(50));
  });

  it('is followed by wait, whose Ctrl-C leaves the run alone', async () => {
    const id = await submitted();
    const waiting = start(['wait', id, '--json'], { cwd: at('far'), env: {} });
    await saying(waiting, `run ${id}`);
    waiting.child.kill('SIGINT');
    const { code, stdout } = await waiting.ended;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ run: id, status: 'queued' });
    expect((await worker('--once').ended).code).toBe(0);
    expect((await run('far', 'wait', id)).code).toBe(0);
  });

  it('sends its canary, then waits for a confirmation', async () => {
    const id = await submitted('--canary', '3');
    expect((await worker('--once').ended).code).toBe(0);
    expect(heard()).toEqual(orders(3));
    expect((await run('desk', 'wait', id)).code).toBe(4);
    expect((await run('desk', 'resume', id, '--queue')).code).toBe(4);
    expect((await run('desk', 'resume', id, '--queue', '--yes')).code).toBe(0);
    expect((await worker('--once').ended).code).toBe(0);
    expect((await run('desk', 'wait', id)).code).toBe(0);
    expect(heard()).toEqual(orders(40));
  });
});

describe('a worker that is killed', () => {
  it('leaves its requests unknown for the worker that takes over, resolved by a person only when it can’t send any more', async () => {
    await job('orders', 30, '');
    const text = await readFile(at('desk/jobs/orders.yaml'), 'utf8');
    await writeFile(at('desk/jobs/orders.yaml'), text.replace('retries: 0', 'retries: 0, timeout: 240s'));
    latencyMs = 30_000;
    const id = await submitted();
    const killed = worker('--slots', '2');
    await until(() => platform.seen.length === 2);
    killed.child.kill('SIGKILL');
    const since = Date.now();
    latencyMs = 5;
    expect((await worker('--once').ended).code).toBe(0);
    const waited = await run('far', 'wait', id, '--json', '--output', 'r.ndjson');
    expect(waited.code).toBe(6);
    expect(JSON.parse(waited.stdout)).toMatchObject({ counts: { succeeded: 28, unknown: 2 } });
    const lines = (await readFile(at('far/r.ndjson'), 'utf8')).trim().split('\n');
    const rows = lines
      .map((line) => JSON.parse(line) as { row: number; status: string })
      .filter(({ status }) => status === 'unknown');
    const row = String(rows[0]?.row);
    const early = await run('desk', 'resolve', id, '--row', row, '--as', 'failed');
    expect(early.code).toBe(2);
    const [, day, time] = /(\d{4}-\d\d-\d\d) ([\d:]+) Asia\/Shanghai/.exec(early.stderr) ?? [];
    const when = Date.parse(`${day}T${time}+08:00`);
    expect(when).toBeGreaterThan(since + 240_000);
    // Four minutes later.
    await place.ask('UPDATE attempts SET ended_at = ended_at - 240000');
    expect((await run('desk', 'resolve', id, '--row', row, '--as', 'failed')).code).toBe(0);
    expect(new Set(heard()).size).toBe(heard().length);
  });
});

describe('before a run is queued', () => {
  it.each([
    ['rows that are invalid', 3, ''],
    ['a limit', 4, 'safety: { maxItems: 2 }\n'],
  ])('%s end submit as they end run (%i)', async (_what, code, extra) => {
    await job('orders', 5, extra);
    if (extra === '') await writeFile(at('desk/jobs/orders.csv'), orderRows(5).replace('SO-3', ''));
    const ended = await run('desk', 'submit', 'jobs/orders.yaml', '--json');
    expect(ended.code).toBe(code);
    const { run: id } = JSON.parse(ended.stdout) as { run: string };
    expect((await run('far', 'wait', id)).code).toBe(code);
    expect(platform.seen).toEqual([]);
  });
});

describe('a new ledger on a server', () => {
  it('is confirmed where a run is queued, and workers do not ask again', async () => {
    const address = platform.url.replace('127.0.0.1', '0.0.0.0');
    const beyond = settings().replace(`"${platform.url}"`, `"${address}", allowInsecureHttp: true`);
    for (const machine of ['desk', 'far']) await writeFile(at(`${machine}/license-sync.yaml`), beyond);
    await job('orders', 3);
    const env = { TOKEN: 'secret-of-the-test', XDG_STATE_HOME: at('user') };
    const call = (...args: readonly string[]) => licenseSync(args, { cwd: at('desk'), env });
    expect((await call('run', 'jobs/orders.yaml', '--ledger', 'own.db')).code).toBe(0);
    const refused = await call('submit', 'jobs/orders.yaml');
    expect(refused).toMatchObject({
      code: 4,
      stdout: expect.stringContaining(`--ledger ${at('desk/own.db')}`),
    });
    expect((await worker('--once').ended).code).toBe(0);
    expect(platform.seen).toHaveLength(3);
    expect((await call('submit', 'jobs/orders.yaml', '--yes')).code).toBe(0);
    expect((await start(['worker', '--once'], { cwd: at('far'), env }).ended).code).toBe(0);
    expect(platform.seen).toHaveLength(6);
    await writeFile(at('desk/jobs/orders.csv'), orderRows(1, 10));
    expect((await call('submit', 'jobs/orders.yaml')).code).toBe(0);
  });
});

describe('a worker', () => {
  it('without a credential for any connection ends with 2, naming what it lacks', async () => {
    const { code, stderr } = await licenseSync(['worker', '--once'], { cwd: at('far'), env: {} });
    expect(code).toBe(2);
    expect(stderr).toContain('TOKEN');
  });

  it('with some leaves the runs of the others alone', async () => {
    const own = settings().replace(
      'connections:\n',
      `connections:\n  q: { baseUrl: "${platform.url}", appKey: app, token: { env: OTHER } }\n`,
    );
    for (const machine of ['desk', 'far']) await writeFile(at(`${machine}/license-sync.yaml`), own);
    const env = { OTHER: 'another-secret', TOKEN: 'secret-of-the-test' };
    const args = ['submit', 'jobs/orders.yaml', '--json', '--connection'];
    for (const connection of ['p', 'q'])
      expect((await licenseSync([...args, connection], { cwd: at('desk'), env })).code).toBe(0);
    const { code, stderr } = await worker('--once').ended;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain('OTHER');
    expect(new Set(platform.seen.map((it) => it.authorization))).toEqual(
      new Set(['Bearer secret-of-the-test']),
    );
    expect(heard()).toEqual(orders(40));
    const listed = await run('far', 'runs');
    expect(listed.stdout).toMatch(/ q .*queued/);
  });

  it('refuses a connection that the settings don’t know', async () => {
    const { code, stderr } = await run('far', 'worker', '--once', '--connections', 'p,produktion');
    expect(code).toBe(2);
    expect(stderr).toContain('produktion');
  });
});
