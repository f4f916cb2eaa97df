import { createHmac } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Notification, WebhookTarget } from '../../src/model/connection.js';
import { afterRun } from '../../src/notify/after-run.js';
import { rememberAddresses, withholdFromPrograms } from '../../src/notify/secret.js';
import { VERSION } from '../../src/util/own-package.js';
import { childEnvironment, redactKnown, rememberSecret } from '../../src/util/secrets.js';
import { selfSigned } from '../support/certificate.js';
import { Receiver } from '../support/receiver.js';
import { following, runOver } from './parts.js';

let receiver: Receiver;

beforeEach(async () => {
  receiver = await new Receiver().start();
});
afterEach(() => receiver.stop());

function webhook(change: Partial<WebhookTarget> = {}, on: Notification['on'] = 'always'): Notification {
  const target: WebhookTarget = {
    kind: 'webhook',
    url: `${receiver.url}/hooks/a?b=c`,
    headers: {},
    timeoutMs: 5_000,
    retries: 3,
    ...change,
  };
  return { on, target };
}

describe('a webhook', () => {
  it('gets the summary as JSON, with what only a receiver needs', async () => {
    const { parts, events } = following({ notify: [webhook()] });
    const over = runOver();
    await afterRun(over, parts);
    const [only, ...more] = receiver.seen;
    expect(more).toEqual([]);
    expect(only).toMatchObject({ method: 'POST', path: '/hooks/a?b=c' });
    expect(JSON.parse(only?.body ?? '')).toEqual({
      ...over.summary,
      exitCode: 1,
      startedAt: '2026-11-21T02:03:11.000Z',
      endedAt: '2026-11-21T02:03:15.250Z',
    });
    expect(only?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': `license-sync/${VERSION}`,
      'x-license-sync-event': 'run',
      'x-license-sync-delivery': expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    });
    const age = Date.now() / 1000 - Number(only?.headers['x-license-sync-timestamp']);
    expect(Math.abs(age)).toBeLessThan(30);
    expect(only?.headers['x-license-sync-signature']).toBeUndefined();
    expect(events).toEqual([{ event: 'notified', to: receiver.host, attempts: 1 }]);
  });

  it.each([
    ['always', [0, 1, 2, 130]],
    ['success', [0]],
    ['problem', [1, 2, 130]],
  ] as const)('on %s is sent for the ends %j', async (on, reported) => {
    const { parts } = following({ notify: [webhook({}, on)] });
    for (const exitCode of [0, 1, 2, 130]) await afterRun(runOver({ exitCode }), parts);
    expect(receiver.seen.map(({ body }) => JSON.parse(body).exitCode)).toEqual(reported);
  });

  it('is signed so that the time cannot be changed either', async () => {
    const env = { HOOK_SECRET: 'k-§-1' };
    const secret = { kind: 'env', name: 'HOOK_SECRET' } as const;
    const template = '{"text":"已完成 {rows}"}';
    await afterRun(runOver(), following({ notify: [webhook({ secret, template })], env }).parts);
    const [only] = receiver.seen;
    const stamp = only?.headers['x-license-sync-timestamp'];
    const expected = createHmac('sha256', 'k-§-1').update(`${stamp}.${only?.body}`, 'utf8').digest('hex');
    expect(only?.body).toBe('{"text":"已完成 5"}');
    expect(only?.headers['x-license-sync-signature']).toBe(`sha256=${expected}`);
  });

  it('takes its secret from a file that others cannot read, and is not notified unsigned', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'license-sync-hook-'));
    try {
      const file = path.join(folder, 'secret');
      await writeFile(file, 'from-the-file\r\n', { mode: 0o600 });
      const secret = { kind: 'file', path: file } as const;
      await afterRun(runOver(), following({ notify: [webhook({ secret })] }).parts);
      const [first] = receiver.seen;
      const stamp = first?.headers['x-license-sync-timestamp'];
      const expected = createHmac('sha256', 'from-the-file').update(`${stamp}.${first?.body}`).digest('hex');
      expect(first?.headers['x-license-sync-signature']).toBe(`sha256=${expected}`);

      await chmod(file, 0o640);
      const wrong = following({
        notify: [
          webhook({ secret }),
          webhook({ secret: { kind: 'file', path: path.join(folder, 'none') } }),
          webhook({ secret: { kind: 'env', name: 'NO_SUCH_VARIABLE' } }),
        ],
      });
      await afterRun(runOver(), wrong.parts);
      expect(receiver.seen).toHaveLength(1);
      const said = wrong.warnings().sort();
      expect(said).toHaveLength(3);
      expect(said.join('\n')).toMatch(/NO_SUCH_VARIABLE[\s\S]*chmod 600|chmod 600[\s\S]*NO_SUCH_VARIABLE/);
      expect(said.join('\n')).toContain('ENOENT');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('takes headers of the job, but for those that a receiver trusts', async () => {
    const headers = {
      'Content-Type': 'application/vnd.team+json',
      Authorization: 'Bearer of-the-receiver',
      'X-License-Sync-Event': 'forged',
      'X-License-Sync-Signature': 'sha256=forged',
    };
    await afterRun(runOver(), following({ notify: [webhook({ headers })] }).parts);
    expect(receiver.seen[0]?.headers).toMatchObject({
      'content-type': 'application/vnd.team+json',
      authorization: 'Bearer of-the-receiver',
      'x-license-sync-event': 'run',
    });
    expect(receiver.seen[0]?.headers['x-license-sync-signature']).toBeUndefined();
  });

  it('with a template of text gets text, and is warned about for names that nothing has', async () => {
    const { parts, warnings } = following({ notify: [webhook({ template: '{job} {jbo}ended' })] });
    await afterRun(runOver(), parts);
    expect(receiver.seen[0]).toMatchObject({
      body: 'orders ended',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    });
    expect(warnings()).toEqual([expect.stringMatching(/names jbo, .*counts\.STATUS/)]);
  });

  it.each([
    ['HTTP 500', 500],
    ['HTTP 429', 429],
    ['HTTP 408', 408],
    ['a reset', 'reset'],
  ] as const)('is tried again after %s, as the same delivery', async (_what, answer) => {
    receiver.answer = (_seen, count) => (count < 3 ? answer : 204);
    const { parts, events, slept } = following({ notify: [webhook()] });
    await afterRun(runOver(), parts);
    expect(receiver.seen).toHaveLength(3);
    expect(new Set(receiver.seen.map((it) => it.headers['x-license-sync-delivery'])).size).toBe(1);
    expect(events).toEqual([{ event: 'notified', to: receiver.host, attempts: 3 }]);
    expect(slept).toHaveLength(2);
  });

  it('is not tried more often than the job says, and the run is none the worse', async () => {
    receiver.answer = () => 503;
    const { parts, warnings } = following({ notify: [webhook({ retries: 2 })] });
    await afterRun(runOver(), parts);
    expect(receiver.seen).toHaveLength(3);
    expect(warnings()).toEqual([expect.stringContaining('HTTP 503 (attempts: 3)')]);
  });

  it.each([400, 401, 404, 410, 422])('that answers HTTP %i is not tried again', async (status) => {
    receiver.answer = () => status;
    const { parts, warnings } = following({ notify: [webhook()] });
    await afterRun(runOver(), parts);
    expect(receiver.seen).toHaveLength(1);
    expect(warnings()).toEqual([expect.stringContaining(`HTTP ${status}`)]);
  });

  it('that answers with a redirect is not followed', async () => {
    receiver.answer = (seen) =>
      seen.path === '/elsewhere' ? 200 : { status: 307, headers: { location: `${receiver.url}/elsewhere` } };
    const { parts, warnings } = following({ notify: [webhook()] });
    await afterRun(runOver(), parts);
    expect(receiver.seen).toHaveLength(1);
    expect(warnings()).toEqual([expect.stringMatching(/redirect \(HTTP 307\).*webhook\.url/)]);
  });

  it('is waited for as it asks, unless that would take too long', async () => {
    receiver.answer = (_seen, count) =>
      count === 1 ? { status: 429, headers: { 'retry-after': '7' } } : 200;
    const patient = following({ notify: [webhook()] });
    await afterRun(runOver(), patient.parts);
    expect(patient.slept).toEqual([expect.closeTo(7_100, -3)]);
    expect(patient.slept[0]).toBeGreaterThanOrEqual(7_000);
    expect(receiver.seen).toHaveLength(2);

    receiver.answer = () => ({ status: 503, headers: { 'retry-after': '3600' } });
    const hurried = following({ notify: [webhook()] });
    await afterRun(runOver(), hurried.parts);
    expect(hurried.slept).toEqual([]);
    expect(hurried.warnings()).toEqual([expect.stringContaining('HTTP 503 (attempts: 1)')]);
  });

  it('never takes longer than allowed in all, however many retries there are', async () => {
    receiver.answer = () => 500;
    const { parts, slept, warnings } = following({ notify: [webhook({ retries: 1_000 })], totalMs: 20_000 });
    await afterRun(runOver(), parts);
    expect(slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(20_000);
    expect(slept.length).toBeGreaterThan(1);
    expect(warnings()).toHaveLength(1);
  });

  it('that does not answer is given up when its time is over', async () => {
    receiver.answer = () => 'hang';
    const { parts, warnings } = following({ notify: [webhook({ timeoutMs: 500, retries: 1 })] });
    await afterRun(runOver(), parts);
    expect(receiver.seen).toHaveLength(2);
    expect(warnings()).toEqual([expect.stringContaining('no reply within 0.5 s (attempts: 2)')]);
  });

  it('that never ends its handshake is given up as well, and leaves no socket behind', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => sockets.add(socket.on('error', () => {}).resume()));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const url = `https://127.0.0.1:${port}/x`;
    const { parts, warnings } = following({ notify: [webhook({ url, timeoutMs: 200, retries: 0 })] });
    await afterRun(runOver(), parts);
    expect(warnings()).toEqual([expect.stringContaining('no reply within 0.2 s')]);
    // Ends only when the last socket is closed.
    await new Promise((resolve) => silent.close(resolve));
    expect(sockets.size).toBe(1);
  });

  it('whose reply never ends was still notified', async () => {
    receiver.answer = () => 'drip';
    const { parts, events } = following({ notify: [webhook({ timeoutMs: 60_000 })] });
    await afterRun(runOver(), parts);
    expect(events).toEqual([{ event: 'notified', to: receiver.host, attempts: 1 }]);
  });

  it('is given up at once when we are to stop: in the middle, and between attempts', async () => {
    receiver.answer = () => 'hang';
    const middle = following({ notify: [webhook({ timeoutMs: 60_000 })] });
    void receiver.got(1).then(() => middle.stop.abort());
    await afterRun(runOver(), middle.parts);
    expect(middle.warnings()).toEqual([expect.stringContaining(`before ${receiver.host} was notified`)]);

    receiver.answer = () => 500;
    const between = following({ notify: [webhook()] });
    const clock = { ...between.parts.clock, sleep: async () => false };
    await afterRun(runOver(), { ...between.parts, clock });
    expect(between.warnings()).toEqual([expect.stringContaining('stopped before')]);
    expect(receiver.seen).toHaveLength(2);
  });

  it('whose certificate is not trusted gets nothing', async () => {
    const day = 86_400_000;
    const from = new Date(Date.now() - day);
    const secure = await new Receiver(selfSigned('127.0.0.1', from, new Date(Date.now() + day))).start();
    try {
      const { parts, warnings } = following({ notify: [webhook({ url: `${secure.url}/x`, retries: 0 })] });
      await afterRun(runOver(), parts);
      expect(secure.seen).toEqual([]);
      expect(warnings()).toEqual([expect.stringMatching(/self-signed|SELF_SIGNED|certificate/i)]);
    } finally {
      await secure.stop();
    }
  });

  it('shows its host only, whatever goes wrong', async () => {
    const closed = await new Receiver().start();
    const { url } = closed;
    await closed.stop();
    const notify = [
      webhook({ url: `${url}/hooks/T0001/k3y0123456789abcdef?token=s3cr3t0123456789`, retries: 0 }),
    ];
    rememberAddresses(notify);
    const { parts, warnings } = following({ notify });
    await afterRun(runOver(), parts);
    expect(warnings()).toEqual([expect.stringContaining(new URL(url).host)]);
    expect(warnings().join()).not.toMatch(/hooks|T0001|k3y0123|s3cr3t/);
  });

  it('keeps its address, its header and its signing key from output and from started programs', () => {
    const env = {
      HOOK_PATH: 'h00kPath0123456789ab',
      HOOK_HEADER: 'hookHeaderValue',
      HOOK_SIGNING: 'hookSigningKey',
      OTHER: 'kept',
    };
    const target = {
      url: `${receiver.url}/${env.HOOK_PATH}`,
      headers: { 'X-Token': env.HOOK_HEADER },
      secret: { kind: 'env', name: 'HOOK_SIGNING' },
    } as const;
    withholdFromPrograms([{ on: 'always', target: { kind: 'command', argv: ['true'], timeoutMs: 1 } }], env);
    expect(childEnvironment(env)).toMatchObject(env);
    withholdFromPrograms([webhook(target)], env);
    expect(redactKnown(`${env.HOOK_PATH} ${env.HOOK_HEADER}`)).toBe('[redacted] [redacted]');
    expect(childEnvironment(env)).toEqual({ OTHER: 'kept' });
  });

  it('of a kind whose secrets are not known is refused, not shown', () => {
    const target = { kind: 'chat', url: `${receiver.url}/chat/h00kPath0123456789ab` } as never;
    expect(() => rememberAddresses([{ on: 'always', target }])).toThrow();
  });

  it('contains no credential that this process fetched, in the summary or in a template', async () => {
    rememberSecret('platform+token/0123');
    const summary = { ...runOver().summary, reason: 'refused: Bearer platform+token/0123' };
    const notify = [webhook(), webhook({ template: '{"text": "{reason}, platform+token\\/0123"}' })];
    await afterRun(runOver({ summary }), following({ notify }).parts);
    expect(receiver.seen).toHaveLength(2);
    for (const { body } of receiver.seen) {
      expect(JSON.stringify(JSON.parse(body))).toContain('refused: Bearer [redacted]');
      expect(JSON.stringify(JSON.parse(body))).not.toContain('token/0123');
    }
  });

  it('is sent by each that applies, and one that fails does not stop the others', async () => {
    receiver.answer = (seen) => (seen.path === '/bad' ? 404 : 200);
    const url = (name: string): string => `${receiver.url}/${name}`;
    const notify = [webhook({ url: url('bad') }), webhook({ url: url('a') }), webhook({ url: url('b') })];
    const { parts, events } = following({ notify });
    await afterRun(runOver(), parts);
    expect(receiver.seen.map((it) => it.path).sort()).toEqual(['/a', '/b', '/bad']);
    expect(events.map((it) => it.event).sort()).toEqual(['notified', 'notified', 'warning']);
  });
});
