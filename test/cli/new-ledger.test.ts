import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyPlan, planJob, type Question, resumeRun, retryRun, runJob } from '../../src/api/index.js';
import { openLedger } from '../../src/ledger/open.js';
import { licenseSync, start } from '../support/command.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';
import { earlierToday } from '../support/schedule-fixture.js';
import { until } from '../support/until.js';

let folder = '';
let platform: FakePlatform;
let env: Record<string, string> = {};

const at = (...names: string[]): string => path.join(folder, ...names);
const sent = (): number => platform.seen.length;
/** The ledger that this user has sent with, and the new one. */
const former = (): string => at('former', '.license-sync', 'ledger.db');
const fresh = (): string => at('fresh', '.license-sync', 'ledger.db');
const call = (fixture: string, ...args: readonly string[]) => licenseSync(args, { cwd: at(fixture), env });

/** An address of this machine that is not a loopback address. */
function settings(address: string, connection = 'office'): string {
  return `version: 1
defaultConnection: ${connection}
connections:
  ${connection}: { baseUrl: "${address}", allowInsecureHttp: true, appKey: app, token: { env: LICENSE_SYNC_TOKEN } }
`;
}

async function fixture(name: string, text: string): Promise<void> {
  await mkdir(at(name), { recursive: true });
  await writeFile(at(name, 'license-sync.yaml'), text);
  await writeFile(at(name, 'orders.yaml'), orderJob().replace('normal_recover_usbkey', 'cloud_account'));
  await writeFile(at(name, 'orders.csv'), orderRows(3));
}

let address = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-new-ledger-'));
  platform = await new FakePlatform(ordersDone).start();
  address = platform.url.replace('127.0.0.1', '0.0.0.0');
  env = { LICENSE_SYNC_TOKEN: 'token-of-the-test', XDG_STATE_HOME: at('user') };
  await fixture('former', settings(address));
  await fixture('fresh', settings(address, 'renamed'));
});

afterEach(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('a new ledger for a platform that this user has sent to with another one', () => {
  beforeEach(async () => {
    expect((await call('former', 'run', 'orders.yaml')).code).toBe(0);
    expect(sent()).toBe(3);
  });

  it('sends nothing without a confirmation, which names the other ledger', async () => {
    for (const _time of [1, 2]) {
      const refused = await call('fresh', 'run', 'orders.yaml', '--json');
      const reported = JSON.parse(refused.stdout);
      expect([refused.code, reported.status, reported.requests]).toEqual([4, 'stopped', 0]);
      expect(refused.stdout).toContain(fresh());
      expect(refused.stdout).toContain(`--ledger ${former()}`);
      expect(refused.stdout).toContain('--yes');
    }
    expect(sent()).toBe(3);
    const named = await call('fresh', 'run', 'orders.yaml', '--ledger', former());
    expect(named).toMatchObject({ code: 0, stdout: expect.stringContaining('skipped') });
    expect(sent()).toBe(3);
    expect((await call('fresh', 'resume', '--json')).code).toBe(4);
    expect((await call('fresh', 'resume', '--yes')).code).toBe(0);
    expect(sent()).toBe(6);
  });

  it('is confirmed once; afterwards neither ledger is asked about', async () => {
    expect((await call('fresh', 'run', 'orders.yaml', '--yes')).code).toBe(0);
    expect(sent()).toBe(6);
    for (const name of ['former', 'fresh']) {
      await writeFile(at(name, 'orders.csv'), orderRows(1, name === 'former' ? 10 : 20));
      expect((await call(name, 'run', 'orders.yaml')).code).toBe(0);
    }
    expect(sent()).toBe(8);
  });

  it('is confirmed for a plan and for steps, as for a run', async () => {
    const planned = JSON.parse((await call('fresh', 'plan', 'orders.yaml', '--json')).stdout);
    expect((await call('fresh', 'apply', planned.plan)).code).toBe(4);
    const steps = orderJob()
      .replace('normal_recover_usbkey', 'cloud_account')
      .replace(/^operation: .*\n/m, '')
      .replace(
        /^map:\n[\s\S]*$/m,
        (map) => `steps:\n  - name: buy\n    operation: order.new_buy\n${indented(map)}`,
      );
    await writeFile(at('fresh/steps.yaml'), steps);
    const refused = await call('fresh', 'run', 'steps.yaml');
    expect({ code: refused.code, text: refused.stdout + refused.stderr }).toMatchObject({
      code: 4,
      text: expect.stringContaining(`--ledger ${former()}`),
    });
    expect(sent()).toBe(3);
    expect((await call('fresh', 'run', 'steps.yaml', '--yes')).code).toBe(0);
    expect(sent()).toBe(6);
  });

  it('is read, planned, checked and used for the sandbox without a confirmation', async () => {
    for (const args of [['validate', 'orders.yaml'], ['plan', 'orders.yaml'], ['runs'], ['ledger', 'check']])
      expect([args, (await call('fresh', ...args)).code]).toEqual([args, 0]);
    const simulated = await call('fresh', 'run', 'orders.yaml', '--connection', 'sandbox');
    expect(simulated).toMatchObject({ code: 0, stdout: expect.stringContaining('SANDBOX') });
    // What the sandbox was sent is nothing that the platform was sent.
    expect((await call('fresh', 'run', 'orders.yaml')).code).toBe(4);
    await fixture('loopback', settings(address.replace('0.0.0.0', '127.0.0.1')));
    expect((await call('loopback', 'run', 'orders.yaml')).code).toBe(0);
  });

  it('is confirmed by the function of a library call, which is given both ledgers', async () => {
    const options = { cwd: at('fresh'), env };
    expect(await runJob('orders.yaml', options)).toMatchObject({ status: 'stopped', exitCode: 4 });
    const asked: Question[] = [];
    const answering = (answer: boolean) => (question: Question) => {
      asked.push(question);
      return answer;
    };
    const no = await runJob('orders.yaml', { ...options, confirm: answering(false) });
    expect(no).toMatchObject({ status: 'stopped', exitCode: 4, reason: expect.stringContaining(former()) });
    const yes = await runJob('orders.yaml', { ...options, confirm: answering(true) });
    expect(yes).toMatchObject({ status: 'completed', counts: { succeeded: 3 } });
    const otherLedger = { location: fresh(), other: former(), platform: address };
    expect(asked).toMatchObject([{ otherLedger }, { otherLedger }]);
  });

  it('is confirmed by every function of the library that sends', async () => {
    const options = { cwd: at('fresh'), env };
    const { run } = await runJob('orders.yaml', options);
    const { run: plan } = await planJob('orders.yaml', options);
    const asked: Question[] = [];
    const no = (question: Question) => {
      asked.push(question);
      return false;
    };
    const include = ['not_sent'] as const;
    for (const call of [
      (more: object) => resumeRun(run, { ...options, ...more }),
      (more: object) => applyPlan(plan, { ...options, ...more }),
      (more: object) => retryRun(run, { ...options, include, ...more }),
    ]) {
      expect(await call({})).toMatchObject({ exitCode: 4 });
      expect(await call({ confirm: no })).toMatchObject({ exitCode: 4 });
      expect(asked.splice(0)).toMatchObject([{ otherLedger: { location: fresh(), other: former() } }]);
    }
    expect(sent()).toBe(3);
    expect(await resumeRun(run, { ...options, confirm: true })).toMatchObject({ counts: { succeeded: 3 } });
  });

  it('is confirmed for a retry', async () => {
    const { run } = JSON.parse((await call('fresh', 'run', 'orders.yaml', '--json')).stdout);
    const retry = ['retry', run, '--include', 'not_sent'];
    const refused = await call('fresh', ...retry);
    expect(refused).toMatchObject({ code: 4 });
    expect(refused.stdout + refused.stderr).toContain(`--ledger ${former()}`);
    expect(sent()).toBe(3);
    expect((await call('fresh', ...retry, '--yes')).code).toBe(0);
    expect(sent()).toBe(6);
  });

  it('is confirmed for the files of an input folder, which stay in it until then', async () => {
    await mkdir(at('fresh/inbox'));
    await writeFile(at('fresh/inbox/new.csv'), orderRows(3));
    const minuteAgo = new Date(Date.now() - 60_000);
    await utimes(at('fresh/inbox/new.csv'), minuteAgo, minuteAgo);
    const job = await readFile(at('fresh/orders.yaml'), 'utf8');
    await writeFile(at('fresh/files.yaml'), job.replace('orders.csv', '"inbox/*.csv"'));
    for (const _time of [1, 2]) {
      const refused = await call('fresh', 'run', 'files.yaml', '--json');
      expect([refused.code, refused.stdout]).toEqual([4, expect.stringContaining(`--ledger ${former()}`)]);
      expect(await readdir(at('fresh/inbox'))).toContain('new.csv');
    }
    expect(sent()).toBe(3);
    expect((await call('fresh', 'run', 'files.yaml', '--yes')).code).toBe(0);
    expect(sent()).toBe(6);
    expect(await readdir(at('fresh/inbox'))).not.toContain('new.csv');
  });

  it.each([
    [[], 4, 3],
    [['--yes'], 0, 6],
  ])(
    'is confirmed for a schedule %j in advance, or its runs end with %i',
    async (flags, exitCode, orders) => {
      const job = await readFile(at('fresh/orders.yaml'), 'utf8');
      await writeFile(at('fresh/orders.yaml'), `${job}schedule: { cron: "${earlierToday()}" }\n`);
      const ledger = await openLedger(fresh());
      const due = Date.now() - 3 * 86_400_000;
      await ledger.schedule.begin('orders', due, due);
      await ledger.schedule.end('orders', due, { endedAt: due + 1000, exitCode: 0, run: 'before' });
      await ledger.close();
      const { child, ended } = start(['schedule', 'orders.yaml', '--json', ...flags], {
        cwd: at('fresh'),
        env,
      });
      let said = '';
      child.stdout?.on('data', (text: string) => {
        said += text;
      });
      await until(() => said.includes('\n') || child.exitCode !== null);
      child.kill('SIGTERM');
      await ended;
      expect(JSON.parse(said)).toMatchObject({ job: 'orders', exitCode });
      expect(said.includes(`--ledger ${former()}`)).toBe(exitCode === 4);
      expect(sent()).toBe(orders);
    },
  );
});

it('a ledger that another user has sent with is not new to the platform', async () => {
  const marks = at('user', 'license-sync', 'ledgers');
  expect((await call('fresh', 'run', 'orders.yaml')).code).toBe(0);
  const [own] = await readdir(marks);
  const kept = await readFile(path.join(marks, own!), 'utf8');
  await rm(marks, { recursive: true });
  await mkdir(marks);
  await writeFile(
    path.join(marks, 'other.json'),
    kept.replace(own!.replace('.json', ''), 'other').replace(fresh(), former()),
  );
  await writeFile(at('fresh/orders.csv'), orderRows(1, 10));
  expect((await call('fresh', 'run', 'orders.yaml')).code).toBe(0);
  expect(sent()).toBe(4);
});

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '    ');
}
