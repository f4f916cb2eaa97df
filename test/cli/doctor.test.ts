import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcp } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { examine } from '../../src/doctor/examine.js';
import type { DoctorFinding } from '../../src/doctor/step.js';
import { render } from '../../src/errors/message.js';
import { locatePlatform } from '../../src/run/open-platform.js';
import { systemClock } from '../../src/util/clock.js';
import { type Certificate, selfSigned } from '../support/certificate.js';
import { licenseSyncAlone } from '../support/command.js';
import { type Answer, FakePlatform } from '../support/fake-platform.js';
import { orderJob } from '../support/orders.js';

const TOKEN = 'd0ct0r-s3cret-token';
const DAY = 86_400_000;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-doctor-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** As the command examines, without its process. */
async function doctor(env: Record<string, string>, args: { readonly jobFile?: string } = {}) {
  const findings: DoctorFinding[] = [];
  for await (const it of examine({ ...args, env, cwd: folder }, systemClock, locatePlatform))
    findings.push(it);
  expect(JSON.stringify(findings)).not.toContain(TOKEN);
  return summed(
    findings.map((it) => ({
      ...it,
      code: it.message.code,
      message: [it.message, ...(it.others ?? [])].map((one) => render(one)).join('\n'),
    })),
  );
}

/** The command itself. */
async function doctorCommand(env: Record<string, string>) {
  const end = await licenseSyncAlone(['doctor', '--json'], { cwd: folder, env });
  expect(end.stdout + end.stderr).not.toContain(TOKEN);
  const reported = JSON.parse(end.stdout) as { readonly ok: boolean; readonly steps: readonly Step[] };
  const found = summed(reported.steps);
  expect(reported.ok).toBe(found.ok);
  expect(end.code).toBe(found.ok ? 0 : 2);
  return found;
}

interface Step {
  readonly step: string;
  readonly state: string;
  readonly code: string;
  readonly message: string;
}

function summed(found: readonly Step[]) {
  return { ok: found.every((it) => it.state !== 'fault'), steps: new Map(found.map((it) => [it.step, it])) };
}

const toThere = (url: string): Record<string, string> => ({
  LICENSE_SYNC_BASE_URL: url,
  LICENSE_SYNC_TOKEN: TOKEN,
  LICENSE_SYNC_APP_KEY: 'app',
});

async function answered(answer: Answer) {
  const platform = await new FakePlatform(() => answer).start();
  try {
    return { ...(await doctor(toThere(platform.url))), seen: platform.seen };
  } finally {
    await platform.stop();
  }
}

async function overTls(certificate: Certificate, trusted: boolean) {
  const listener: RequestListener = (_request, response) => response.end('{"code":0,"message":"","data":[]}');
  const server = createServer(certificate, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const authority = path.join(folder, 'authority.pem');
  await writeFile(authority, certificate.cert);
  try {
    // Node reads NODE_EXTRA_CA_CERTS when it starts.
    return trusted
      ? await doctorCommand({ ...toThere(url), NODE_EXTRA_CA_CERTS: authority })
      : await doctor(toThere(url));
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const fromNow = (days: number): Date => new Date(Date.now() + days * DAY);

describe('doctor', () => {
  it('finds the sandbox well, in words, and leaves nothing behind', async () => {
    const end = await licenseSyncAlone(['doctor'], { cwd: folder });
    expect(end.code).toBe(0);
    const lines = end.stdout.trimEnd().split('\n');
    expect(lines.at(-1)).toBe('no problems found');
    expect(lines.filter((it) => it.startsWith('ok '))).toHaveLength(9);
    expect(end.stdout).toMatch(/activity scope .*auth_activity/);
    expect(await readdir(folder)).toEqual([]);
  });

  it('speaks Chinese where the environment does', async () => {
    const end = await licenseSyncAlone(['doctor'], { cwd: folder, env: { LANG: 'zh_CN.UTF-8' } });
    expect(end.stdout).toContain('一切正常');
  });

  it('sends one reading request that needs token and scope, and nothing else', async () => {
    const { ok, seen } = await answered({ body: { code: 0, message: 'success', data: [] } });
    expect(ok).toBe(true);
    expect(seen.map((it) => it.path)).toEqual(['/order/api/order/v1/enterprise/user/query']);
    expect(seen[0]?.authorization).toBe(`Bearer ${TOKEN}`);
  });

  it('takes a refusal of its made-up question for an answer', async () => {
    const { ok, steps } = await answered({
      status: 299,
      body: { code: '20001', message: `no such customer for Bearer ${TOKEN}`, cause: '' },
    });
    expect(ok).toBe(true);
    expect(steps.get('request')).toMatchObject({ state: 'ok', code: 'doctor.request_refused' });
  });

  it.each<[string, Answer, string, string]>([
    ['a token that is not accepted', { status: 401, body: {} }, 'fault', 'doctor.token_refused'],
    ['a scope that is missing', { status: 403, body: {} }, 'fault', 'doctor.scope_missing'],
    ['a wrong path in baseUrl', { status: 404, text: '<h1>Not Found</h1>' }, 'fault', 'doctor.wrong_path'],
    ['a platform in trouble', { status: 503, text: 'down' }, 'fault', 'platform.http_error'],
    ['a page that is no platform', { text: '<html>Log in</html>' }, 'fault', 'doctor.web_page'],
    ['words that are no reply', { text: 'hello' }, 'fault', 'platform.not_json'],
    ['a connection that breaks', 'reset', 'fault', 'platform.lost_reset'],
    ['a platform that asks to wait', { status: 429, body: {} }, 'warning', 'doctor.busy'],
    ['a platform that asks to retry', { body: { code: '500', message: 'x' } }, 'warning', 'doctor.busy'],
    [
      'an address that leads elsewhere',
      { status: 302, body: {}, headers: { location: `https://elsewhere.example/?t=${TOKEN}` } },
      'fault',
      'doctor.redirected',
    ],
  ])('reports %s', async (_what, answer, state, code) => {
    const found = await answered(answer);
    expect(found.steps.get('request')).toMatchObject({ state, code });
    expect(found.ok).toBe(state !== 'fault');
  });

  it.each([
    [-300, 'doctor.clock_ahead'],
    [300, 'doctor.clock_behind'],
  ])('warns of clocks that are %i s apart', async (seconds, code) => {
    const { steps, ok } = await answered({
      body: { code: 0, message: '', data: [] },
      headers: { date: new Date(Date.now() + seconds * 1000).toUTCString() },
    });
    expect(steps.get('clock')).toMatchObject({ state: 'warning', code });
    expect(ok).toBe(true);
  });

  it('reports an unknown host name, and goes no further', async () => {
    const { ok, steps } = await doctor(toThere('https://license.invalid'));
    expect(ok).toBe(false);
    expect(steps.get('name')).toMatchObject({ state: 'fault', code: 'doctor.name_unknown' });
    expect(steps.get('request')?.state).toBe('skipped');
  });

  it('reports a port that refuses', async () => {
    const server = createTcp();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const { ok, steps } = await doctor(toThere(`http://127.0.0.1:${port}`));
    expect(ok).toBe(false);
    expect(steps.get('port')).toMatchObject({ state: 'fault', code: 'doctor.port_refused' });
  });

  it('reports a server that speaks no TLS', async () => {
    const server = createTcp((socket) =>
      socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { ok, steps } = await doctor(toThere(`https://127.0.0.1:${port}`));
    server.close();
    expect(ok).toBe(false);
    expect(steps.get('certificate')).toMatchObject({ state: 'fault', code: 'doctor.tls_failed' });
  });
});

describe('doctor and certificates', () => {
  it.each<[string, Certificate, boolean, string, string]>([
    ['a good one', selfSigned('127.0.0.1', fromNow(-1), fromNow(90)), true, 'ok', 'doctor.certificate'],
    [
      'one that ends soon',
      selfSigned('127.0.0.1', fromNow(-1), fromNow(5)),
      true,
      'warning',
      'doctor.certificate_ends',
    ],
    [
      'one that ended',
      selfSigned('127.0.0.1', fromNow(-9), fromNow(-2)),
      true,
      'fault',
      'doctor.certificate_expired',
    ],
    [
      'one of tomorrow',
      selfSigned('127.0.0.1', fromNow(1), fromNow(90)),
      true,
      'fault',
      'doctor.certificate_early',
    ],
    [
      'another host’s',
      selfSigned('a.example', fromNow(-1), fromNow(90)),
      true,
      'fault',
      'doctor.certificate_other_name',
    ],
    [
      'one nobody vouches for',
      selfSigned('127.0.0.1', fromNow(-1), fromNow(90)),
      false,
      'fault',
      'doctor.certificate_untrusted',
    ],
  ])('reports %s', async (_what, certificate, trusted, state, code) => {
    const { ok, steps } = await overTls(certificate, trusted);
    expect(steps.get('certificate')).toMatchObject({ state, code });
    expect(steps.get('request')?.state).toBe(state === 'fault' ? 'skipped' : 'ok');
    expect(ok).toBe(state !== 'fault');
    if (/certificate(?:_ends|_expired|_early)?$/.test(code))
      expect(steps.get('certificate')?.message).toMatch(
        /\d\d:\d\d:\d\d Asia\/Shanghai.*\d\d:\d\d:\d\d Asia\/Shanghai/,
      );
    if (code === 'doctor.certificate_ends') expect(steps.get('certificate')?.message).toContain(' 4 days');
  });

  it('refuses an environment that turns the checks off', async () => {
    const env = { ...toThere('https://127.0.0.1:9'), NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    expect((await doctor(env)).ok).toBe(false);
  });
});

describe('doctor and what lies on this machine', () => {
  it('reports a token file that others can read, without reaching out', async () => {
    const file = path.join(folder, 'token');
    await writeFile(file, TOKEN);
    await chmod(file, 0o644);
    const platform = await new FakePlatform(() => ({ body: {} })).start();
    await writeFile(
      path.join(folder, 'license-sync.yaml'),
      `version: 1\ndefaultConnection: p\nconnections:\n  p: { baseUrl: "${platform.url}", token: { file: token } }\n`,
    );
    const { ok, steps } = await doctor({});
    await platform.stop();
    expect(ok).toBe(false);
    expect(steps.get('token')).toMatchObject({ state: 'fault', code: 'platform.token_file_open' });
    expect(steps.get('connection')).toMatchObject({ state: 'warning', code: 'doctor.no_app_key' });
    expect(platform.seen).toEqual([]);
  });

  it('reports errors of the job and of license-sync.yaml with their places', async () => {
    const jobFile = path.join(folder, 'job.yaml');
    await writeFile(jobFile, orderJob().replace('operation:', 'operatoin:'));
    const wrongJob = await doctor({}, { jobFile });
    expect(wrongJob.ok).toBe(false);
    expect(wrongJob.steps.get('job')).toMatchObject({ state: 'fault' });
    expect(wrongJob.steps.get('job')?.message).toMatch(/job\.yaml:3:1/);
    await writeFile(path.join(folder, 'license-sync.yaml'), 'version: 1\nconections: {}\n');
    const wrongFile = await doctor({});
    expect(wrongFile.steps.get('configuration')).toMatchObject({ state: 'fault' });
  });

  it('misses the appKey that a job of orders needs', async () => {
    const jobFile = path.join(folder, 'job.yaml');
    await writeFile(jobFile, orderJob());
    const env = { LICENSE_SYNC_BASE_URL: 'http://127.0.0.1:9', LICENSE_SYNC_TOKEN: TOKEN };
    const { steps } = await doctor(env, { jobFile });
    expect(steps.get('connection')).toMatchObject({ state: 'fault', code: 'run.needs_app_key' });
  });

  it('reports a ledger that is none, and one that others can read', async () => {
    const state = path.join(folder, '.license-sync');
    await mkdir(state, { mode: 0o755 });
    await writeFile(
      path.join(state, 'ledger.db'),
      'not a database, but long enough to be taken for one'.repeat(40),
    );
    const bad = await doctor({});
    expect(bad.ok).toBe(false);
    expect(bad.steps.get('ledger')).toMatchObject({ state: 'fault', code: 'ledger.not_a_ledger' });
    await writeFile(path.join(state, 'ledger.db'), '', { mode: 0o644 });
    const open = await doctor({});
    expect(open.ok).toBe(true);
    expect(open.steps.get('ledger')).toMatchObject({ state: 'warning', code: 'doctor.state_open' });
    await chmod(state, 0o700);
    const closed = await doctor({});
    expect(closed.steps.get('ledger')?.state).toBe('ok');
  });
});
