import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startConsole, type TestConsole } from '../../support/console.js';

let fixture: TestConsole;

beforeAll(async () => {
  fixture = await startConsole();
});
afterAll(() => fixture.close());

interface Caller {
  readonly socket: Socket;
  /** What was answered until the connection was closed. */
  readonly ended: Promise<string>;
}

function call(head: string): Caller {
  const socket = connect(fixture.served.port, '127.0.0.1', () => socket.write(head));
  let heard = '';
  socket.setEncoding('utf8').on('data', (more) => {
    heard += more;
  });
  socket.on('error', () => {});
  const ended = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(heard));
  });
  return { socket, ended };
}

const head = (...lines: string[]): string =>
  [`POST /api/v1/session HTTP/1.1`, `Host: 127.0.0.1:${fixture.served.port}`, ...lines, '', ''].join('\r\n');

describe('a sender that takes its time', () => {
  it('with its head is cut off, and hundreds of them keep no other client from being answered', async () => {
    const slow = Array.from({ length: 300 }, () => call('GET / HTTP/1.1\r\nX-Slow: '));
    const dripping = setInterval(() => {
      for (const { socket } of slow) if (socket.writable) socket.write('a');
    }, 500);
    try {
      expect((await fixture.ask('/api/v1/sign-in')).status).toBe(200);
      // It did not wait for them.
      expect(slow.some(({ socket }) => socket.writable)).toBe(true);
      const ends = await Promise.all(slow.map(({ ended }) => ended));
      expect(ends.every((heard) => heard === '' || heard.startsWith('HTTP/1.1 408'))).toBe(true);
    } finally {
      clearInterval(dripping);
    }
  });

  it('with its body is answered that it took too long', async () => {
    const { socket, ended } = call(
      head('Content-Type: application/json', 'Content-Length: 100', 'Connection: close'),
    );
    const dripping = setInterval(() => socket.writable && socket.write(' '), 500);
    const heard = await ended;
    clearInterval(dripping);
    expect(heard).toMatch(/^HTTP\/1\.1 408 /);
  });
});

describe('a body that is larger than any page sends', () => {
  it('is refused before it is read, or kept', async () => {
    const before = process.memoryUsage().rss;
    const type = { 'content-type': 'application/json', origin: fixture.origin };
    const many = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)),
    });
    const answer = await fixture
      .ask('/api/v1/session', { method: 'POST', headers: type, body: many, duplex: 'half' } as RequestInit)
      .then(({ status }) => status)
      // The connection is ended while it is still sent.
      .catch(() => 413);
    expect(answer).toBe(413);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 ** 2);
  });
});
