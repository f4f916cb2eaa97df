import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Nonces } from '../../src/sandbox/http/gate.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/serve.js';
import { batch, call, newBuy, PATHS, started } from './support.js';

const size = { body: { size: 1 } };

/** A POST in its bytes, so that a request no client would finish can be sent; gives what comes back. */
function raw(sandbox: Sandbox, headers: readonly string[], body: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(sandbox.port, '127.0.0.1');
    const lines = [
      `POST ${PATHS.shellnums}?g_nonce=raw${body.length} HTTP/1.1`,
      `Host: 127.0.0.1:${sandbox.port}`,
      'Authorization: Bearer t',
      'Content-Type: application/json',
      ...headers,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    socket.write(body);
    let got = '';
    socket.on('data', (piece) => {
      got += piece;
      if (!got.includes('}')) return;
      resolve(got);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

describe('who may call', () => {
  it.each([undefined, '', 'token-1', 'Bearer', 'Bearer ', 'Basic dG9r', 'bearer token-1', 'Bearer a b'])(
    '401 for Authorization %j',
    async (authorization) => {
      const sandbox = await started();
      const { status, json } = await call(sandbox, PATHS.shellnums, { ...size, headers: { authorization } });
      expect(status).toBe(401);
      expect(json).toMatchObject({ code: '401', message: expect.any(String), cause: expect.any(String) });
      expect(sandbox.stats().effects.numbers).toBe(0);
    },
  );

  it('accepts only the token it was given', async () => {
    const sandbox = await started({ token: 'secret' });
    expect((await call(sandbox, PATHS.shellnums, size)).status).toBe(401);
    const right = { ...size, headers: { authorization: 'Bearer secret' } };
    expect((await call(sandbox, PATHS.shellnums, right)).json.code).toBe(0);
  });

  it('403 without the scope of the service', async () => {
    const claim = { identity: 'a@b.cn', activityLabel: 'x', source: 's', branch: 'b' };
    const orders = await started({ scopes: ['auth_order'] });
    expect((await call(orders, PATHS.shellnums, size)).status).toBe(200);
    expect((await call(orders, PATHS.activity, { body: claim })).status).toBe(403);
    const activities = await started({ scopes: ['auth_activity'] });
    expect((await call(activities, PATHS.shellnums, size)).status).toBe(403);
    expect((await call(activities, PATHS.activity, { body: claim })).status).toBe(200);
  });

  it('refuses other host names and web pages', async () => {
    const sandbox = await started();
    const get = async (headers: Record<string, string>) =>
      (await call(sandbox, PATHS.list('ENT-0001'), { headers })).status;
    expect(await get({ host: 'evil.example' })).toBe(421);
    expect(await get({ host: `127.0.0.1:${sandbox.port + 1}` })).toBe(421);
    expect(await get({ host: `localhost:${sandbox.port}` })).toBe(200);
    expect(await get({ origin: sandbox.url })).toBe(403);
    const asked = await call(sandbox, PATHS.shellnums, { method: 'OPTIONS' });
    expect(asked.status).toBe(405);
    expect(asked.headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('what every request brings', () => {
  it.each([undefined, 'text/plain', 'application/jsonp'])('13004 for Content-Type %s', async (type) => {
    const sandbox = await started();
    const headers = { 'content-type': type };
    for (const sent of [{ ...size, headers }, { headers }]) {
      const path = 'body' in sent ? PATHS.shellnums : PATHS.list('ENT-0001');
      const { json } = await call(sandbox, path, sent);
      expect(json).toMatchObject({ code: '13004', message: expect.stringContaining('Content-Type') });
    }
  });

  it('takes a charset next to the type', async () => {
    const sandbox = await started();
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    expect((await call(sandbox, PATHS.shellnums, { ...size, headers })).json.code).toBe(0);
  });

  it('13004 without a nonce, with a used one, and without an appKey', async () => {
    const sandbox = await started();
    const reported = async (path: string, sent: object) => (await call(sandbox, path, sent)).json.message;
    expect(await reported(PATHS.shellnums, { ...size, nonce: undefined })).toContain('g_nonce is required');
    expect(await reported(PATHS.shellnums, { ...size, nonce: '' })).toContain('g_nonce is required');
    expect(await reported(PATHS.shellnums, { ...size, nonce: 'n'.repeat(129) })).toContain('longer');
    expect(await reported(PATHS.shellnums, { ...size, nonce: 'n1' })).toBe('success');
    expect(await reported(PATHS.shellnums, { ...size, nonce: 'n1' })).toContain('used before');
    expect(await reported(PATHS.list('ENT-0001'), { nonce: 'n1' })).toContain('used before');
    const { body } = batch([newBuy('1')]);
    expect(await reported(PATHS.batchOrder, { body })).toContain('appKey is required');
    expect(sandbox.stats()).toMatchObject({ orders: 0, effects: { numbers: 1 }, refused: { 13004: 6 } });
  });

  it('forgets nonces past a number and past an age', () => {
    const few = new Nonces(2, 1000);
    expect(['a', 'b', 'a'].map((it) => few.take(it, 0))).toEqual([true, true, true]);
    const brief = new Nonces(100, 1000);
    expect([brief.take('a', 0), brief.take('a', 999), brief.take('a', 1000)]).toEqual([true, false, true]);
  });

  it('404, 405, 413 and 400 where they belong', async () => {
    const sandbox = await started();
    expect((await call(sandbox, '/order/api/order/v2/shellnums', size)).status).toBe(404);
    const wrong = await call(sandbox, PATHS.shellnums);
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'POST']);
    expect((await call(sandbox, `${PATHS.list('x').replace('/x/', '/%E4%/')}`)).status).toBe(400);
    const large = await raw(sandbox, ['Content-Length: 22000000'], Buffer.from('{"size":'));
    expect(large).toMatch(/^HTTP\/1\.1 413 /);
    const chunk = Buffer.from(`1500000\r\n${'1'.repeat(0x1500000)}`);
    expect(await raw(sandbox, ['Transfer-Encoding: chunked'], chunk)).toMatch(/^HTTP\/1\.1 413 /);
    expect(sandbox.stats().effects.numbers).toBe(0);
  });

  it.each([
    '',
    '{',
    'null',
    '[]',
    '5',
    '"x"',
    '{"size":1,}',
    `{"size":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
  ])('13004 for the body %.20s', async (body) => {
    const sandbox = await started();
    const { status, json } = await call(sandbox, PATHS.shellnums, { method: 'POST', body });
    expect([status, json.code]).toEqual([200, '13004']);
  });

  it('13004 for packages nested deeper than the stack', async () => {
    const sandbox = await started();
    const open = '{"children":[';
    const nested = `${open.repeat(60_000)}${']}'.repeat(60_000)}`;
    const { body } = batch([newBuy('1', { assets: [{ assetNos: ['1'], merchandises: ['HERE'] }] })]);
    const text = JSON.stringify(body).replace('"HERE"', nested);
    const { json } = await call(sandbox, PATHS.batchOrder, {
      method: 'POST',
      body: text,
      query: { appKey: 'a' },
    });
    expect(json.code).toBe('13004');
    expect((await call(sandbox, PATHS.shellnums, size)).json.code).toBe(0);
  });

  it('13004 for a body that is not UTF-8', async () => {
    const sandbox = await started();
    const text = await raw(sandbox, ['Content-Length: 4'], Buffer.from([0x22, 0xff, 0xfe, 0x22]));
    expect(text).toContain('13004');
  });
});

describe('serving', () => {
  it('names which port is taken', async () => {
    const sandbox = await started();
    await expect(startSandbox({ port: sandbox.port })).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'sandbox.port_taken', params: { port: sandbox.port, reason: 'EADDRINUSE' } },
    });
  });

  it('reports what it did, to those with a token', async () => {
    const sandbox = await started();
    await call(sandbox, PATHS.batchOrder, batch([newBuy('1'), newBuy('2', { sequence: 2 })]));
    const stats = await call(sandbox, '/sandbox/stats');
    expect(stats.json).toMatchObject({ requests: 1, orders: 2, byEndpoint: { batchOrder: 1 } });
    const orders = await call(sandbox, '/sandbox/orders');
    const lines = orders.text
      .trim()
      .split('\n')
      .map((it) => JSON.parse(it));
    expect(lines).toMatchObject([
      { channelCode: 'CH01', channelOrderId: 'SO-1', sequence: 1, assetNums: ['1'], time: 1 },
      { sequence: 2, assetNums: ['2'] },
    ]);
    for (const path of ['/sandbox/stats', '/sandbox/orders']) {
      expect((await call(sandbox, path, { headers: { authorization: undefined } })).status).toBe(401);
    }
    expect(sandbox.stats().requests).toBe(1);
  });

  it('waits with each reply for its latency, and closes with requests open', async () => {
    const sandbox = await startSandbox({ latencyMs: 60_000 });
    const waiting = call(sandbox, PATHS.shellnums, size).then(
      () => 'answered',
      () => 'cut',
    );
    while (sandbox.stats().effects.numbers === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await sandbox.close();
    expect(await waiting).toBe('cut');
  });
});
