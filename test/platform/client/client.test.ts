import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderText } from '../../../src/errors/message.js';
import { createClient } from '../../../src/platform/client/client.js';
import { judge } from '../../../src/platform/client/verdict.js';
import { operationNamed } from '../../../src/platform/operations/catalogue.js';
import { VERSION } from '../../../src/util/own-package.js';
import { FakePlatform } from '../../support/fake-platform.js';
import { until } from '../../support/until.js';
import { attempt, client, closedPort, connectionTo, http, ORDER, TOKEN, tcp } from './servers.js';

const GOOD = '{"code":0,"message":"ok","data":[]}';

describe('what goes out', () => {
  it('has token, nonce first, encoded query, exact numbers, and keeps the path prefix', async () => {
    const seen: { url?: string; method?: string; headers?: NodeJS.Dict<string | string[]>; body?: string } =
      {};
    const port = await http(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      Object.assign(seen, { url: request.url, method: request.method, headers: request.headers, body });
      response.end(GOOD);
    });
    const made = await client(`http://127.0.0.1:${port}/gate/way/`);
    const first = attempt();
    const body = { orderList: [{ limitEndDate: 12345678901234567890n, name: '张三' }] };
    const event = await made.send({ ...ORDER, body }, first);
    expect(event).toEqual({ kind: 'reply', httpStatus: 200, date: expect.any(Number), text: GOOD });
    expect(seen.url).toBe(`/gate/way${ORDER.path}?g_nonce=${first.nonce}&appKey=key%20%26%20co`);
    expect(seen.body).toBe('{"orderList":[{"limitEndDate":12345678901234567890,"name":"张三"}]}');
    expect(seen.headers).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      'user-agent': `license-sync/${VERSION}`,
    });

    await made.send({ method: 'GET', path: '/x/list', query: {} }, attempt());
    expect(seen).toMatchObject({ method: 'GET', body: '' });
    expect(seen.headers?.['content-type']).toBe('application/json');
  });

  it.each(['/a/../b', '/a/%2E%2e/b', '/a?x=1', '/a b', 'http://elsewhere/', '/a\\b', '/a#b'])(
    'sends nothing for the path %s',
    async (path) => {
      let requests = 0;
      const port = await http((_request, response) => {
        requests += 1;
        response.end(GOOD);
      });
      const event = await (await client(port)).send({ ...ORDER, path }, attempt());
      expect(event).toMatchObject({ kind: 'unsent', reason: 'unsendable' });
      expect(requests).toBe(0);
    },
  );

  it('refuses half a character in the query', async () => {
    const event = await (await client(await closedPort())).send(
      { ...ORDER, query: { x: '\ud800' } },
      attempt(),
    );
    expect(event).toMatchObject({ kind: 'unsent', reason: 'unsendable' });
  });
});

describe('nothing sent', () => {
  it('reports a refused connection', async () => {
    const event = await (await client(await closedPort())).send(ORDER, attempt());
    expect(event).toMatchObject({ kind: 'unsent', reason: 'refused' });
  });

  it('reports a name that does not resolve', async () => {
    const event = await (await client('https://invalid.invalid')).send(ORDER, attempt(20_000));
    expect(event).toMatchObject({ kind: 'unsent', reason: 'dns' });
  });

  it('reports a failed TLS handshake, answered with garbage or cut', async () => {
    const garbage = await tcp((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await (await client(`https://127.0.0.1:${garbage}`)).send(ORDER, attempt())).toMatchObject({
      kind: 'unsent',
      reason: 'tls',
    });
    const cut = await tcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await (await client(`https://127.0.0.1:${cut}`)).send(ORDER, attempt())).toMatchObject({
      kind: 'unsent',
      reason: 'tls',
    });
  });

  it('reports a handshake that hangs, at the attempt’s deadline or the connection’s', async () => {
    const port = await tcp(() => undefined);
    const made = await client(`https://127.0.0.1:${port}`);
    expect(await made.send(ORDER, attempt(150))).toMatchObject({ kind: 'unsent', reason: 'timeout' });
    const hasty = await client(`https://127.0.0.1:${port}`, { connectTimeoutMs: 100 });
    expect(await hasty.send(ORDER, attempt())).toMatchObject({ kind: 'unsent', reason: 'timeout' });
  });

  it('reports an attempt that was aborted before it began, or while connecting', async () => {
    const port = await tcp(() => undefined);
    const made = await client(`https://127.0.0.1:${port}`);
    const early = { ...attempt(), signal: AbortSignal.abort() };
    expect(await made.send(ORDER, early)).toMatchObject({ kind: 'unsent', reason: 'aborted' });
    const abort = new AbortController();
    const pending = made.send(ORDER, { ...attempt(), signal: abort.signal });
    setTimeout(() => abort.abort(), 50);
    expect(await pending).toMatchObject({ kind: 'unsent', reason: 'aborted' });
  });

  it('never sends what was given up while it waited for a socket', async () => {
    const paths: string[] = [];
    const port = await http((request, response) => {
      paths.push(request.url ?? '');
      setTimeout(() => response.end(GOOD), 300);
    });
    const made = await client(port, { concurrency: 1 });
    const first = made.send(ORDER, attempt());
    const waiting = attempt(100);
    expect(await made.send(ORDER, waiting)).toMatchObject({ kind: 'unsent', reason: 'timeout' });
    expect(await first).toMatchObject({ kind: 'reply' });
    expect(await made.send(ORDER, attempt())).toMatchObject({ kind: 'reply' });
    expect(paths).toHaveLength(2);
    expect(paths.join(' ')).not.toContain(waiting.nonce);
  });
});

describe('sent, and no whole reply', () => {
  it('reports a reset on arrival and a reset after delivery', async () => {
    const port = await tcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await (await client(port)).send(ORDER, attempt())).toMatchObject({
      kind: 'lost',
      reason: 'reset',
    });
    const closing = await tcp((socket) => socket.once('data', () => socket.end()));
    expect(await (await client(closing)).send(ORDER, attempt())).toMatchObject({
      kind: 'lost',
      reason: 'reset',
    });
  });

  it('sends once only when the connection breaks, GET included', async () => {
    let requests = 0;
    const port = await tcp((socket) =>
      socket.once('data', () => {
        requests += 1;
        socket.resetAndDestroy();
      }),
    );
    const made = await client(port);
    await made.send(ORDER, attempt());
    await made.send({ method: 'GET', path: '/x', query: {} }, attempt());
    await delay(100);
    expect(requests).toBe(2);
  });

  it('ends a hanging request at its deadline', async () => {
    const port = await http(() => undefined);
    const event = await (await client(port)).send(ORDER, attempt(200));
    expect(event).toEqual({ kind: 'lost', reason: 'timeout', detail: '200 ms' });
  });

  it('takes a reply that has arrived while this process stood still beyond the deadline', async () => {
    // How many requests have come there, and how many were answered.
    const reported = new Int32Array(new SharedArrayBuffer(8));
    const server = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads');
      const tell = (at) => { Atomics.add(workerData, at, 1); Atomics.notify(workerData, at); };
      const answer = (_, response) => {
        tell(0);
        setTimeout(() => response.end('${GOOD}', () => tell(1)), 100);
      };
      const server = require('node:http').createServer(answer);
      server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
      { eval: true, workerData: reported },
    );
    const [port] = (await once(server, 'message')) as [number];
    const made = await client(port);
    expect(await made.send(ORDER, attempt())).toMatchObject({ kind: 'reply' });
    const pending = made.send(ORDER, attempt(1_000));
    await until(() => Atomics.load(reported, 0) === 2);
    // Where timers come next, before sockets are looked at.
    await new Promise((resolve) => setImmediate(resolve));
    for (let n = 0; n < 2; n = Atomics.load(reported, 1)) Atomics.wait(reported, 1, n);
    Atomics.wait(reported, 1, 2, 1_100);
    expect(await pending).toMatchObject({ kind: 'reply', text: GOOD });
    await server.terminate();
  });

  it('ends a body that drips at the deadline, and keeps the status', async () => {
    const port = await http((_request, response) => {
      response.writeHead(503, { 'retry-after': '2' });
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    });
    const event = await (await client(port)).send(ORDER, attempt(300));
    expect(event).toMatchObject({ kind: 'lost', reason: 'timeout', httpStatus: 503, retryAfterMs: 2_000 });
  });

  it('can be aborted, and says that it was sent', async () => {
    const abort = new AbortController();
    const port = await http(() => abort.abort());
    const event = await (await client(port)).send(ORDER, { ...attempt(), signal: abort.signal });
    expect(event).toMatchObject({ kind: 'lost', reason: 'aborted' });
  });

  it('reports a truncated body, by length, by chunks and inflated', async () => {
    const replies = [
      'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"code":0',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"cod',
    ];
    for (const reply of replies) {
      const port = await tcp((socket) => socket.once('data', () => socket.end(reply)));
      const event = await (await client(port)).send(ORDER, attempt());
      expect(event).toMatchObject({ kind: 'lost', reason: 'truncated', httpStatus: 200 });
    }
    const port = await http((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(GOOD).subarray(0, 15));
    });
    const event = await (await client(port)).send(ORDER, attempt());
    expect(event).toMatchObject({ kind: 'lost', reason: 'truncated' });
  });

  it('stops reading what is too large, plain or inflated', async () => {
    const plain = await http((_request, response) => {
      response.end('x'.repeat(2_000));
    });
    const options = { maxReplyBytes: 1_000 };
    expect(await (await client(plain, options)).send(ORDER, attempt())).toMatchObject({
      kind: 'lost',
      reason: 'oversize',
      httpStatus: 200,
    });
    const bomb = await http((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(11_000_000)));
    });
    const made = await client(bomb);
    expect(await made.send(ORDER, attempt())).toMatchObject({ kind: 'lost', reason: 'oversize' });
  });

  it('names headers that are too large, and leaves the outcome of an order open', async () => {
    const made = await client(
      await http((_, response) => response.setHeader('set-cookie', 'x'.repeat(20_000)).end('{}')),
    );
    const event = await made.send(ORDER, attempt());
    expect(event).toMatchObject({ kind: 'lost', reason: 'headers' });
    const options = { retryCode500: 'retry', lastAttempt: false } as const;
    const verdict = judge(operationNamed('order.new_buy'), ORDER, 1, event, options);
    expect(verdict).toMatchObject({ kind: 'settled', outcomes: [{ status: 'unknown' }] });
    const [outcome] = verdict.kind === 'settled' ? verdict.outcomes : [];
    expect(renderText(outcome!.message!)).toContain('headers of the reply are larger than 16 KB');
    expect(judge(operationNamed('asset.lock'), ORDER, 1, event, options).kind).toBe('retry');
  });

  const gbk = Buffer.from([0xb2, 0xe2, 0xca, 0xd4]);
  it.each([
    ['GBK', 'text/json; charset=gbk', gbk, '测试'],
    ['GB2312 in quotes', 'application/json;charset="GB2312"', gbk, '测试'],
    ['UTF-8', 'application/json; charset=utf-8', Buffer.from('测试'), '测试'],
    ['no charset', 'application/json', Buffer.from('测试'), '测试'],
    ['an unknown charset', 'text/json; charset=nope', Buffer.from('测试'), '测试'],
    ['UTF-8 called ISO-8859-1', 'application/json;charset=ISO-8859-1', Buffer.from('测试'), '测试'],
    ['ISO-8859-1', 'application/json;charset=ISO-8859-1', Buffer.from([0xe9]), 'é'],
    ['UTF-8 with a mark', 'text/json', Buffer.from('\ufeff测试'), '测试'],
    ['UTF-8 with a mark, called GBK', 'text/json; charset=gbk', Buffer.from('\ufeff测试'), '测试'],
    ['UTF-16 with a mark', 'text/json', Buffer.from('\ufeff测试', 'utf16le'), '测试'],
    ['UTF-16, big-endian', 'text/json', Buffer.from('\ufeff测试', 'utf16le').swap16(), '测试'],
    ['UTF-16 by its charset', 'text/json; charset=utf-16le', Buffer.from('测试', 'utf16le'), '测试'],
  ])('reads text in %s', async (_what, type, bytes, text) => {
    const made = await client(
      await http((_, response) => response.setHeader('content-type', type).end(bytes)),
    );
    expect(await made.send(ORDER, attempt())).toMatchObject({ kind: 'reply', text });
  });

  it('reports what is not HTTP, and encodings that are broken or not known', async () => {
    const port = await tcp((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH\r\n')));
    expect(await (await client(port)).send(ORDER, attempt())).toMatchObject({
      kind: 'lost',
      reason: 'undecodable',
    });
    for (const encoding of ['gzip', 'br', 'zstd', 'gzip, gzip']) {
      const bad = await http((_request, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end(GOOD.repeat(5));
      });
      const event = await (await client(bad)).send(ORDER, attempt());
      expect(event, encoding).toMatchObject({ kind: 'lost', reason: 'undecodable' });
    }
  });
});

describe('replies', () => {
  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('are inflated (%s)', async (encoding, compress) => {
    const text = '{"code":0,"message":"完成"}';
    const port = await http((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(compress(text));
    });
    expect(await (await client(port)).send(ORDER, attempt())).toMatchObject({ kind: 'reply', text });
  });

  it.each([301, 302, 303, 307, 308])('with HTTP %i are not followed', async (status) => {
    let others = 0;
    const other = await http((_request, response) => {
      others += 1;
      response.end(GOOD);
    });
    let requests = 0;
    const location = `http://127.0.0.1:${other}/`;
    const port = await http((_request, response) => {
      requests += 1;
      response.writeHead(status, { location }).end();
    });
    const event = await (await client(port)).send(ORDER, attempt());
    expect(event).toEqual({
      kind: 'reply',
      httpStatus: status,
      date: expect.any(Number),
      location,
      text: '',
    });
    expect([requests, others]).toEqual([1, 0]);
  });

  it('never hand on the token that they echo', async () => {
    const port = await http((request, response) => {
      const json = JSON.stringify({ code: '401', message: request.headers.authorization });
      response.writeHead(302, { location: `/login?t=${encodeURIComponent(TOKEN)}` }).end(json);
    });
    const event = await (await client(port)).send(ORDER, attempt());
    expect(event).toMatchObject({ text: '{"code":"401","message":"Bearer [redacted]"}' });
    expect(event).toMatchObject({ location: '/login?t=[redacted]' });
  });
});

it('distinguishes sent from unsent for 50 attempts at once on few sockets', async () => {
  const delivered = new Set<string>();
  const port = await http((request, response) => {
    const nonce = /g_nonce=([0-9a-f]+)/.exec(request.url ?? '')?.[1] ?? '';
    delivered.add(nonce);
    const turn = nonce === answered ? 1 : nonce === cutOff ? 0 : delivered.size % 3;
    if (turn === 0) response.socket?.destroy();
    else if (turn === 1) setTimeout(() => response.end(GOOD), 30);
  });
  const made = await client(port, { concurrency: 12 });
  // On a slow machine all the others can time out before the server sees them.
  const attempts = Array.from({ length: 50 }, (_, index) => attempt(index < 2 ? 60_000 : 1_000));
  const [answered, cutOff] = attempts.map((it) => it.nonce);
  const events = await Promise.all(attempts.map((it) => made.send(ORDER, it)));
  const seen = { unsent: 0, lost: 0, reply: 0 };
  events.forEach((event, index) => {
    seen[event.kind] += 1;
    // Written to a socket that died in progress is sent, too; but nothing unsent may ever have arrived.
    if (delivered.has(attempts[index]!.nonce)) expect(event.kind).not.toBe('unsent');
    if (event.kind === 'reply') expect(delivered.has(attempts[index]!.nonce)).toBe(true);
  });
  // The mix must have all three, or the test shows nothing.
  expect(Math.min(seen.unsent, seen.lost, seen.reply)).toBeGreaterThan(0);
});

it('keeps connections open between requests', async () => {
  let connections = 0;
  const port = await tcp((socket) => {
    connections += 1;
    socket.on('data', () => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${GOOD.length}\r\n\r\n${GOOD}`));
  });
  const made = await client(port, { concurrency: 2 });
  for (let turn = 0; turn < 5; turn += 1)
    expect(await made.send(ORDER, attempt())).toMatchObject({ kind: 'reply' });
  expect(connections).toBeLessThanOrEqual(2);
});

describe('what it refuses to start with', () => {
  const make = (baseUrl: string, more: object = {}, env: NodeJS.ProcessEnv = {}) =>
    createClient({
      connection: { ...connectionTo(baseUrl), ...more },
      concurrency: 1,
      env: { TOKEN, ...env },
    });

  it('refuses an environment that turns certificate checks off', async () => {
    const bad = make('https://license.example.com', {}, { NODE_TLS_REJECT_UNAUTHORIZED: '0' });
    await expect(bad).rejects.toMatchObject({ kind: 'usage', detail: { code: 'platform.tls_unverified' } });
  });

  it('accepts http for this machine only, unless allowed', async () => {
    for (const url of ['http://license.example.com', 'http://10.0.0.1', 'http://127.0.0.1.example.com']) {
      await expect(make(url), url).rejects.toMatchObject({ detail: { code: 'platform.insecure_http' } });
    }
    for (const url of [
      'http://localhost:1',
      'http://a.localhost:1',
      'http://127.1:1',
      'http://[::1]:1',
      'https://license.example.com',
    ]) {
      await (await make(url)).close();
    }
    await (await make('http://10.0.0.1', { allowInsecureHttp: true })).close();
  });

  it.each(['', 'license.example.com', 'ftp://x', 'https://u:p@x', 'https://x/?a=1', 'https://x/#f'])(
    'refuses the address %s',
    async (url) => {
      await expect(make(url)).rejects.toMatchObject({ kind: 'usage', detail: { code: 'platform.base_url' } });
    },
  );

  it('refuses a missing token, naming the place', async () => {
    await expect(make('https://x', {}, { TOKEN: '' })).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'platform.token_env', params: { name: 'TOKEN' } },
    });
  });
});

describe('a connection that was idle', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Requests one after the other, the clock moved on before each; gives the number of connections used. */
  async function used(
    waits: readonly number[],
    { repeatable, idleReuseMs }: { readonly repeatable: boolean; readonly idleReuseMs?: number },
  ): Promise<number> {
    vi.useFakeTimers({ toFake: ['Date'] });
    const sockets = new Set<unknown>();
    const port = await http((request, response) => {
      sockets.add(request.socket);
      response.end(GOOD);
    });
    const connection = {
      ...connectionTo(`http://127.0.0.1:${port}`),
      ...(idleReuseMs ? { idleReuseMs } : {}),
    };
    const made = await client(port, { connection, concurrency: 1 });
    for (const wait of waits) {
      vi.setSystemTime(Date.now() + wait);
      expect(await made.send(ORDER, { ...attempt(), repeatable })).toMatchObject({
        kind: 'reply',
        text: GOOD,
      });
    }
    return sockets.size;
  }

  it.each([
    ['a second and more, not repeatable', [0, 1_001, 1_001], { repeatable: false }, 3],
    ['less than a second', [0, 500, 500], { repeatable: false }, 1],
    ['repeatable', [0, 1_001, 60_000], { repeatable: true }, 1],
    ['longer than the setting', [0, 5_000, 5_001], { repeatable: false, idleReuseMs: 5_000 }, 2],
  ])('is used again or not: %s', async (_, waits, options, expected) => {
    expect(await used(waits, options)).toBe(expected);
  });

  it('is replaced, and the fake platform counts the attempt once', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const platform = await new FakePlatform(() => ({ text: GOOD })).start();
    const made = await client(platform.url, { concurrency: 1 });
    const attempts = [attempt(), attempt()];
    for (const it of attempts) {
      expect(await made.send(ORDER, it)).toMatchObject({ kind: 'reply', text: GOOD });
      vi.setSystemTime(Date.now() + 1_001);
    }
    expect(platform.seen.map((it) => it.nonce)).toEqual(attempts.map((it) => it.nonce));
    await platform.stop();
  });

  it('and that the other side closes at the next request leaves no order uncertain', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const served = new Set<unknown>();
    const port = await http((request, response) => {
      // As a gateway whose own limit is just over: the second request on a connection meets its end.
      if (served.has(request.socket)) request.socket.resetAndDestroy();
      else response.end(GOOD);
      served.add(request.socket);
    });
    const made = await client(port, { concurrency: 2 });
    for (let round = 0; round < 3; round += 1) {
      vi.setSystemTime(Date.now() + 2_000);
      const events = await Promise.all([made.send(ORDER, attempt()), made.send(ORDER, attempt())]);
      expect(events.map((it) => it.kind)).toEqual(['reply', 'reply']);
    }
  });
});
