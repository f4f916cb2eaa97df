import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { licenseSync, licenseSyncAlone, start } from '../support/command.js';
import { type Answer, FakePlatform, ordersDone } from '../support/fake-platform.js';
import { leftBehind, placesOf } from '../support/left-behind.js';
import { orderJob, orderRows } from '../support/orders.js';
import { readSheet } from '../support/read-sheet.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

const TOKEN = 'tok-3f9a21-platform';
const SECRET = 'hook-77d1-secret';
const KEY = 'T0001k3y0123456789abcdef';

let folder: string;
let platform: FakePlatform;
let receiver: Receiver;
const at = (name: string): string => path.join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-notify-'));
  platform = await new FakePlatform(ordersDone).start();
  receiver = await new Receiver().start();
  await writeFile(at('orders.csv'), orderRows(3));
  await configure();
});
afterEach(async () => {
  await platform.stop();
  await receiver.stop();
  await rm(folder, { recursive: true, force: true });
});

const env = { LICENSE_TOKEN: TOKEN, HOOK_SECRET: SECRET };
const carry = (...args: string[]) => licenseSync(args, { cwd: folder, env });
const carryAlone = (...args: string[]) => licenseSyncAlone(args, { cwd: folder, env });

/** `notify` as one line of flow YAML. */
async function configure(notify = ''): Promise<void> {
  const connection = `baseUrl: "${platform.url}", appKey: app, token: { env: LICENSE_TOKEN }`;
  const list = notify === '' ? '' : `, notify: [${notify}]`;
  await writeFile(
    at('license-sync.yaml'),
    `version: 1\ndefaultConnection: p\nconnections:\n  p: { ${connection}${list} }\n`,
  );
}

const writeJob = (notify = '', change = {}): Promise<void> =>
  writeFile(at('job.yaml'), orderJob({ ...change, ...(notify ? { extra: `notify: [${notify}]\n` } : {}) }));

const hook = (name: string, more = '', on = 'always'): string =>
  `{ on: ${on}, webhook: { url: "${receiver.url}/${name}"${more} } }`;

const bodies = (): Record<string, unknown>[] => receiver.seen.map((it) => JSON.parse(it.body));

describe('notify', () => {
  it('sends to those of the job and of the connection what --json prints, and more', async () => {
    await configure(hook('connection'));
    await writeJob(`${hook('job')}, ${hook('only-problems', '', 'problem')}`);
    const end = await carry('run', 'job.yaml', '--json');
    expect(end).toMatchObject({ code: 0, stderr: expect.not.stringContaining('warning') });
    expect(receiver.seen.map((it) => it.path).sort()).toEqual(['/connection', '/job']);
    for (const body of bodies()) {
      const { exitCode, startedAt, endedAt, ...rest } = body;
      expect(rest).toEqual(JSON.parse(end.stdout));
      expect(exitCode).toBe(0);
      const took = Date.parse(String(endedAt)) - Date.parse(String(startedAt));
      expect(took).toBe(rest.durationMs);
    }
  });

  it('comes after the result and the end of the run, and Ctrl-C gives it up without changing either', async () => {
    receiver.answer = () => 'hang';
    const command = '{ on: always, timeout: 60s, command: [/bin/sh, -c, "echo waiting; sleep 60"] }';
    await writeJob(`${hook('job', ', timeout: 50s')}, ${command}`);
    const { child, ended } = start(['run', 'job.yaml', '--json'], { cwd: folder, env });
    const waits = new Promise<void>((resolve) => {
      child.stderr?.on('data', (text: string) => text.includes('waiting') && resolve());
    });
    await Promise.all([receiver.got(1), waits]);
    const { run, output } = JSON.parse(receiver.seen[0]?.body ?? '');
    expect((await readSheet(output)).map((it) => it.status)).toEqual(Array(3).fill('succeeded'));
    const listed = JSON.parse((await carry('runs', '--json')).stdout);
    expect(listed).toMatchObject([{ run, state: 'completed', exitCode: 0, output }]);
    child.kill('SIGINT');
    const end = await ended;
    expect(end).toMatchObject({ code: 0, signal: null });
    expect(JSON.parse(end.stdout)).toMatchObject({ run, counts: { succeeded: 3 } });
    expect(end.stderr).toContain(`before ${receiver.host} was notified`);
    expect(end.stderr).toContain('before /bin/sh was notified');
    expect(end.stderr).not.toContain('waiting for requests in flight');
  });

  it('reports a run that was interrupted', async () => {
    await writeJob(hook('job', '', 'problem'));
    let answered = (): void => {};
    platform.answer = (seen) =>
      new Promise<Answer>((resolve) => {
        answered = () => resolve(ordersDone(seen));
      });
    const { child, ended } = start(['run', 'job.yaml', '--concurrency', '1', '--json'], { cwd: folder, env });
    await until(() => platform.seen.length > 0);
    child.kill('SIGINT');
    await new Promise<void>((resolve) =>
      child.stderr?.on('data', (text: string) => text.includes('stopping') && resolve()),
    );
    answered();
    expect(await ended).toMatchObject({ code: 130 });
    expect(bodies()).toMatchObject([{ status: 'interrupted', exitCode: 130, counts: { not_sent: 2 } }]);
  });

  it('reports what went wrong before there was a run, once job and connection are known', async () => {
    await configure(hook('connection', '', 'problem'));
    await writeJob(hook('job', ', template: "{job} on {connection}: {error.message}"', 'problem'));
    await rm(at('orders.csv'));
    const end = await carry('run', 'job.yaml', '--json');
    const printed = JSON.parse(end.stdout);
    expect(end.code).toBeGreaterThan(1);
    // What is printed is as it always was.
    expect(Object.keys(printed)).not.toContain('job');
    const reported = receiver.seen.find((it) => it.path === '/connection');
    expect(JSON.parse(reported?.body ?? '')).toMatchObject({
      ...printed,
      job: 'orders',
      operation: 'order.new_buy',
      connection: 'p',
      exitCode: end.code,
    });
    const text = receiver.seen.find((it) => it.path === '/job')?.body;
    expect(text).toBe(`orders on p: ${printed.error.message}`);
  });

  it('reports a connection that is missing what it needs, as far as the job names a target', async () => {
    await writeJob(hook('job', '', 'problem'));
    const end = await carry('run', 'job.yaml', '--connection', 'nowhere');
    expect(end.code).toBe(2);
    expect(bodies()).toMatchObject([
      { job: 'orders', connection: 'nowhere', exitCode: 2, status: 'stopped' },
    ]);
  });

  it('is for what sends: checks and plans send no notifications, and write no metrics', async () => {
    await configure(hook('connection'));
    await writeJob(hook('job'));
    const checks = [
      await carry('run', 'job.yaml', '--dry-run', '--metrics-file', 'm.prom'),
      await carry('plan', 'job.yaml', '--json'),
    ];
    await writeFile(at('orders.csv'), 'Order\n"');
    checks.push(await carry('validate', 'job.yaml'));
    expect(checks.map((it) => it.code)).toEqual([0, 0, 3]);
    expect(receiver.seen).toEqual([]);
    await expect(readFile(at('m.prom'))).rejects.toThrow('ENOENT');
  });

  it('reads whom to notify again when a plan is applied, a run resumed or retried', async () => {
    const busy: Answer = { status: 401, body: {} };
    await writeJob();
    const { plan } = JSON.parse((await carry('plan', 'job.yaml', '--json')).stdout);
    await configure(hook('connection'));
    platform.answer = () => busy;
    const applied = await carry('apply', plan, '--json');
    expect(applied.code).toBe(4);
    expect(bodies()).toMatchObject([{ run: plan, status: 'stopped', exitCode: 4 }]);
    await writeJob(hook('job'));
    platform.answer = (seen) => (JSON.stringify(seen.body).includes('SO-2') ? 'reset' : ordersDone(seen));
    const resumed = await carry('resume');
    expect(resumed.code).toBe(6);
    expect(receiver.seen.map((it) => it.path).sort()).toEqual(['/connection', '/connection', '/job']);
    platform.answer = ordersDone;
    const retried = await carry('retry', plan, '--include', 'unknown', '--yes', '--json');
    expect(retried.code).toBe(0);
    expect(bodies().slice(3)).toMatchObject([
      { parent: plan, exitCode: 0, counts: { succeeded: 1 } },
      { parent: plan, exitCode: 0 },
    ]);
    // Nothing to retry: no run, and nothing to notify of.
    expect((await carry('retry', plan)).code).toBe(0);
    expect(receiver.seen).toHaveLength(5);
  });

  it('reports a reconciliation too, once, whatever actions it executed', async () => {
    const sample = await readFile(new URL('../../jobs/nightly-locks.yaml', import.meta.url), 'utf8');
    const source = fileURLToPath(new URL('../../jobs/data/', import.meta.url));
    const job = sample.replace('file: data/', `file: ${source}`).replace(/^output:.*$/m, '');
    await writeFile(at('locks.yaml'), `${job}\nnotify: [${hook('job')}]\n`);
    const end = await carry('reconcile', 'locks.yaml', '--apply', '--json', '--metrics-file', 'm.prom');
    expect(end.code).toBe(0);
    const said = JSON.parse(end.stdout);
    expect(said.actions.length).toBeGreaterThan(0);
    const [reported, ...more] = bodies();
    expect(more).toEqual([]);
    expect(reported).toMatchObject({ ...said, operation: 'reconcile.asset', exitCode: 0 });
    expect(await readFile(at('m.prom'), 'utf8')).toMatch(
      /^license_sync_last_run_rows\{.*"reconcile\.asset",status="in_sync"\} [1-9]\d*$/m,
    );
  });

  it('works without the job when its file is missing or broken', async () => {
    await configure(hook('connection'));
    platform.answer = () => ({ status: 401, body: {} });
    await writeJob(hook('job'));
    await carry('run', 'job.yaml');
    await writeFile(at('job.yaml'), 'version: 1\nname: [');
    const broken = await carry('resume');
    expect(broken.code).toBe(4);
    expect(broken.stderr).toMatch(
      /warning: the job’s notifications are not known, so none are sent: .*job\.yaml/,
    );
    await rm(at('job.yaml'));
    platform.answer = ordersDone;
    const gone = await carry('resume');
    expect(gone.code).toBe(0);
    expect(gone.stderr).toMatch(
      /warning: the job’s notifications are not known, so none are sent: .*job\.yaml/,
    );
    expect(receiver.seen.map((it) => it.path).sort()).toEqual([
      '/connection',
      '/connection',
      '/connection',
      '/job',
    ]);
  });

  it('keeps what commands print off stdout, and warns of those that fail', async () => {
    const say = `[/bin/sh, -c, "cat > told.json; env > told.env; echo said; echo loud >&2; exit 9"]`;
    await writeJob(`{ on: always, command: ${say} }`);
    const end = await carryAlone('run', 'job.yaml', '--json', '--quiet', '--log-file', 'run.log');
    expect(end.code).toBe(0);
    const { run, output } = JSON.parse(end.stdout);
    expect(end.stderr.split('\n')).toEqual(expect.arrayContaining(['said', 'loud']));
    expect(end.stderr).toMatch(/warning: the command \/bin\/sh, .* exited with 9;/);
    expect(JSON.parse(await readFile(at('told.json'), 'utf8'))).toMatchObject({ run, exitCode: 0 });
    const seen = (await readFile(at('told.env'), 'utf8')).split('\n');
    expect(seen).toEqual(
      expect.arrayContaining([
        `LICENSE_SYNC_RUN=${run}`,
        `LICENSE_SYNC_OUTPUT=${output}`,
        'LICENSE_SYNC_STATUS=completed',
      ]),
    );
    expect(seen.join('\n')).not.toContain(TOKEN);
    const log = (await readFile(at('run.log'), 'utf8')).trimEnd().split('\n');
    expect(JSON.parse(log.at(-1) ?? '')).toMatchObject({
      level: 'warn',
      event: 'warning',
      run,
      code: 'notify.command_failed',
    });
  });

  it('shows no address, secret or token anywhere, whether it is reported or not', async () => {
    const more = `, secret: { env: HOOK_SECRET }, retries: 0, headers: { Authorization: "Bearer ${KEY}2" }`;
    const command = `{ on: always, command: [/bin/sh, -c, "cat > told.json; env > told.env"] }`;
    await configure(hook(`connection/${KEY}`, more));
    await writeJob(`${hook(`job?key=${KEY}`, more)}, ${command}`);
    // The platform shows the token in an error; the summary reports it.
    platform.answer = (seen) => ({ status: 400, body: { code: '400', message: seen.authorization } });
    receiver.answer = (seen) => (seen.path.startsWith('/job') ? 500 : 'reset');
    const ends = [
      await carryAlone('run', 'job.yaml', '--json', '--log-file', 'run.log', '--metrics-file', 'm.prom'),
      await carryAlone('resume', '--log-file', 'run.log'),
    ];
    expect(receiver.seen).toHaveLength(4);
    expect(receiver.seen.every((it) => it.headers['x-license-sync-signature'])).toBe(true);
    expect(ends[0]?.stderr).toContain(`${receiver.host} was not notified of the run: it replied HTTP 500`);
    const log = await readFile(at('run.log'), 'utf8');
    expect(log).toContain('"code":"notify.http_status"');
    expect(log).toContain('"code":"notify.unreachable"');
    // They stand where the user wrote them, and nowhere else.
    for (const file of ['job.yaml', 'license-sync.yaml']) {
      expect(await readFile(at(file), 'utf8')).toContain(KEY);
      await rm(at(file));
    }
    const printed = ends.map((it) => ({ place: 'printed', bytes: Buffer.from(it.stdout + it.stderr) }));
    const sent = receiver.seen.map((it) => ({ place: 'sent', bytes: Buffer.from(it.body) }));
    for (const secret of [TOKEN, SECRET, KEY, `connection/${KEY}`]) {
      expect(await placesOf(secret, [...printed, ...sent])).toEqual([]);
      expect(await placesOf(secret, leftBehind(folder))).toEqual([]);
    }
    expect(await placesOf('order.new_buy', leftBehind(folder))).toContain(at('told.json'));
  });
});
