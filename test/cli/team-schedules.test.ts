import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/open.js';
import { licenseSync, type Running, start } from '../support/command.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';
import { type PostgresPlace, postgresPlace } from '../support/postgres/shared-server.js';
import { until } from '../support/until.js';

/** Two machines with the same jobs, one ledger on a server, and a folder that both reach. */
const MACHINES = ['one', 'two'] as const;
let folder = '';
let place: PostgresPlace;
let platform: FakePlatform;
let running: Running[] = [];
const at = (name: string): string => path.join(folder, name);
const env = { TOKEN: 'secret-of-the-test' };

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-schedules-'));
  place = await postgresPlace();
  running = [];
  platform = await new FakePlatform(async (seen) => {
    await delay(30);
    return ordersDone(seen);
  }).start();
  for (const machine of MACHINES) {
    await mkdir(at(`${machine}/jobs`), { recursive: true });
    await writeFile(
      at(`${machine}/license-sync.yaml`),
      `version: 1\nledger: ${place.url}\nconnections:\n  p: { baseUrl: "${platform.url}", appKey: app, token: { env: TOKEN } }\n`,
    );
  }
});

afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.map(({ ended }) => ended));
  await platform.stop();
  await place.remove();
  await rm(folder, { recursive: true, force: true });
});

async function job(extra: string, source = 'orders.csv'): Promise<void> {
  const text = orderJob({ extra: `connection: p\n${extra}` })
    .replace('normal_recover_usbkey', 'cloud_account')
    .replace('orders.csv', JSON.stringify(source));
  for (const machine of MACHINES) await writeFile(at(`${machine}/jobs/orders.yaml`), text);
}

const heard = (): string[] => platform.seen.map(({ body }) => String(body.channelOrderId)).sort();
const orders = (count: number): string[] => Array.from({ length: count }, (_, i) => `SO-${i + 1}`).sort();

interface Said {
  /** Of its runs. */
  runs(): readonly Record<string, unknown>[];
  /** Lines of notes that contain the text. */
  notes(text: string): readonly string[];
}

/** A scheduler on each machine, and what each reported so far. */
function schedulers(): readonly Said[] {
  return MACHINES.map((machine) => {
    const one = start(['schedule', '--json'], { cwd: at(machine), env });
    running.push(one);
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      one.child[name]?.on('data', (text: string) => {
        said[name] += text;
      });
    const lines = (name: 'stdout' | 'stderr') => said[name].split('\n').slice(0, -1);
    return {
      runs: () => lines('stdout').map((line) => JSON.parse(line) as Record<string, unknown>),
      notes: (text) => lines('stderr').filter((it) => it.includes(text)),
    };
  });
}

const MINUTE = 60_000;

describe('two schedulers of one ledger on a server', () => {
  it('run what was missed once', async () => {
    await job('schedule: { cron: "0 4 1 1 *", timezone: Asia/Shanghai, onMissed: run }\n');
    for (const machine of MACHINES) await writeFile(at(`${machine}/jobs/orders.csv`), orderRows(5));
    const ledger = await openLedger(place.url);
    const yearAndDay = 366 * 24 * 3_600_000;
    const due = Date.now() - yearAndDay;
    await ledger.schedule.begin('orders', due, due);
    await ledger.schedule.end('orders', due, { endedAt: due + 1000, exitCode: 0 });
    await ledger.close();
    const said = schedulers();
    const runs = () => said.flatMap((it) => it.runs());
    await until(() => runs().length > 0 && said.every((it) => it.notes('next at').length > 0));
    for (const { child } of running) child.kill('SIGTERM');
    for (const { ended } of running) expect((await ended).code).toBe(0);
    expect(runs().map(({ reason, exitCode }) => [reason, exitCode])).toEqual([['missed', 0]]);
    expect(heard()).toEqual(orders(5));
  });

  it('take over the time of one that has exited, once', async () => {
    await job('schedule: { cron: "0 4 1 1 *", timezone: Asia/Shanghai, onMissed: run }\n');
    for (const machine of MACHINES) await writeFile(at(`${machine}/jobs/orders.csv`), orderRows(5));
    const ledger = await openLedger(place.url);
    const due = Math.floor((Date.now() - MINUTE) / MINUTE) * MINUTE;
    await ledger.schedule.begin('orders', due, due);
    await ledger.close();
    const said = schedulers();
    const runs = () => said.flatMap((it) => it.runs());
    // A scheduler that found the time without an end reports it, and later that it ran it or that another one did.
    const isDone = (it: Said) =>
      it.notes('next at').length > 0 &&
      it.notes('it is run now').length === it.runs().length + it.notes('so it is not run again').length;
    await until(() => runs().length >= 1 && said.every(isDone));
    expect(runs().map(({ reason, exitCode }) => [reason, exitCode])).toEqual([['again', 0]]);
    expect(heard()).toEqual(orders(5));
  });
});

describe('an input folder that two machines watch', () => {
  it('has each file taken once, by the first that comes', async () => {
    const inbox = at('shared/inbox');
    await mkdir(inbox, { recursive: true });
    await job('output: { file: "../results/{run}.csv" }\n', path.join(inbox, '*.csv'));
    const minuteAgo = new Date(Date.now() - MINUTE);
    for (let file = 0; file < 4; file += 1) {
      const name = path.join(inbox, `f${file}.csv`);
      await writeFile(name, orderRows(5, 1 + 5 * file));
      await utimes(name, minuteAgo, minuteAgo);
    }
    const ended = await Promise.all(
      MACHINES.map((machine) =>
        licenseSync(['run', 'jobs/orders.yaml', '--json'], { cwd: at(machine), env }),
      ),
    );
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    const reported = ended.map(({ stdout }) => JSON.parse(stdout) as { runs: { input: string }[] });
    const inputs = reported.flatMap(({ runs }) => runs.map(({ input }) => path.basename(input)));
    expect(inputs.sort()).toEqual(['f0.csv', 'f1.csv', 'f2.csv', 'f3.csv']);
    expect(heard()).toEqual(orders(20));
    expect((await readdir(path.join(inbox, 'done'))).filter((it) => it.endsWith('.csv'))).toHaveLength(4);
  });
});
