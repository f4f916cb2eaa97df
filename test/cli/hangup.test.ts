import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { licenseSync, type Running, saying, start } from '../support/command.js';
import { type Answer, FakePlatform, ordersDone } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';
import { until } from '../support/until.js';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));

let folder: string;
let platform: FakePlatform;
let running: Running | undefined;
const at = (name: string): string => path.join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-hangup-'));
  platform = await new FakePlatform(ordersDone).start();
  await writeFile(at('orders.yaml'), orderJob());
  await writeFile(at('orders.csv'), orderRows(3));
  await writeFile(at('keys.csv'), 'Enterprise,Lock,Locked\nE1,8300000001,TRUE\nE2,8300000002,TRUE\n');
  await writeFile(
    at('compare.yaml'),
    'version: 1\nname: compare\nreconcile: asset\nsource: { file: keys.csv }\nkey: { enterpriseGlobalId: Enterprise, assetNum: Lock }\nexpect: { locked: Locked }\n',
  );
  const looking =
    '{ lookup: enterprise.query, with: { channelCode: { value: CH }, channelCustomerId: Customer, defaultCustomer: { value: Y } }, take: customerId }';
  await writeFile(
    at('looking.yaml'),
    orderJob().replace('customerId: { value: C1 }', `customerId: ${looking}`),
  );
  await writeFile(
    at('steps.yaml'),
    `version: 1\nname: stepped\nsource: { file: keys.csv }\nsteps:\n${['lock', 'unlock']
      .map(
        (it) =>
          `  - name: ${it}\n    operation: asset.${it}\n    map: { assetNums: Lock, operatorIdentity: { value: ops@example.com } }\n`,
      )
      .join('')}`,
  );
});

afterEach(async () => {
  running?.child.kill('SIGKILL');
  await running?.ended;
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

const env = (): Record<string, string> => ({
  LICENSE_SYNC_BASE_URL: platform.url,
  LICENSE_SYNC_TOKEN: 's3cret-token',
  LICENSE_SYNC_APP_KEY: 'app',
});

/** A run of three orders of which the platform refuses or does not answer the first. */
async function earlierRun(answer: Answer): Promise<string> {
  platform.answer = () => answer;
  const end = await licenseSync(['run', 'orders.yaml', '--json', '--concurrency', '1'], {
    cwd: folder,
    env: env(),
  });
  return (JSON.parse(end.stdout) as { run: string }).run;
}

const COMMANDS: readonly (readonly [string, () => readonly string[] | Promise<readonly string[]>])[] = [
  ['run', () => ['run', 'orders.yaml']],
  ['run of steps', () => ['run', 'steps.yaml']],
  ['validate', () => ['validate', 'looking.yaml']],
  ['plan', () => ['plan', 'looking.yaml']],
  [
    'apply',
    async () => {
      const end = await licenseSync(['plan', 'orders.yaml', '--json'], { cwd: folder, env: env() });
      return ['apply', (JSON.parse(end.stdout) as { plan: string }).plan];
    },
  ],
  ['resume', async () => ['resume', await earlierRun({ status: 401, body: {} })]],
  [
    'retry',
    async () => ['retry', await earlierRun({ status: 500, body: {} }), '--include', 'unknown', '--yes'],
  ],
  ['reconcile', () => ['reconcile', 'compare.yaml']],
  ['pull', () => ['pull', 'asset', '--enterprises', 'keys.csv', '--output', 'pulled.csv']],
  ['rehearse', () => ['rehearse', 'looking.yaml']],
];

describe('SIGHUP is a stop like SIGTERM', () => {
  it.each(COMMANDS)('of %s: what is in flight ends, exit 130', async (_name, argumentsOf) => {
    const args = await argumentsOf();
    const before = platform.seen.length;
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    platform.answer = (seen) =>
      held.then(() => ('orderList' in seen.body ? ordersDone(seen) : { body: { code: 0, data: [] } }));
    running = start([...args], { cwd: folder, env: env() });
    const { child, ended } = running;
    const stopping = saying(running, 'stopping');
    await until(() => platform.seen.length > before || child.exitCode !== null);
    child.kill('SIGHUP');
    await stopping;
    letGo();
    const { code, signal, stderr } = await ended;
    expect({ code, signal, stderr }).toMatchObject({ code: 130, signal: null });
  });

  it.each([
    ['sandbox', ['sandbox', '--port', '0']],
    ['console', ['console', '--port', '0']],
    ['schedule', ['schedule', 'orders.yaml']],
  ])('of %s: it ends in order', async (_name, args) => {
    await writeFile(
      at('orders.yaml'),
      orderJob({ extra: 'schedule: { cron: "0 2 1 1 *", timezone: Asia/Shanghai }\n' }),
    );
    running = start(args, { cwd: folder, env: env() });
    const { child, ended } = running;
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += String(text)));
    await until(() => /http:|orders/.test(said));
    child.kill('SIGHUP');
    expect(await ended).toMatchObject({ code: 0, signal: null });
  });

  it('and a second SIGHUP, which one closed terminal can send, does not cut off what is in flight', async () => {
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    platform.answer = (seen) => held.then(() => ordersDone(seen));
    running = start(['run', 'orders.yaml', '--json', '--concurrency', '1'], { cwd: folder, env: env() });
    const { child, ended } = running;
    const stopping = saying(running, 'stopping');
    await until(() => platform.seen.length > 0);
    child.kill('SIGHUP');
    await stopping;
    child.kill('SIGHUP');
    letGo();
    const end = await ended;
    expect(JSON.parse(end.stdout)).toMatchObject({ counts: { succeeded: 1, not_sent: 2 } });
  });

  it('is listened for in one place of the command line, and in the processes of the console', () => {
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((it) => it.endsWith('.ts'));
    const listening = files.filter((it) =>
      /process\.(on|once)\((signal|'SIG)/.test(readFileSync(path.join(SRC, it), 'utf8')),
    );
    expect(listening.sort()).toEqual(['cli/process.ts', 'console/child-processes/child.ts']);
  });
});
