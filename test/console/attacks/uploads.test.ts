import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startConsole, type TestConsole } from '../../support/console.js';

let fixture: TestConsole;
let cookie: string;

beforeAll(async () => {
  fixture = await startConsole({ settings: 'version: 1\nconsole: { uploadLimit: 1MB }\n' });
  cookie = await fixture.signIn();
});
afterAll(() => fixture.close());

const upload = (name: string, body: string | ReadableStream): Promise<Response> =>
  fixture.ask('/api/v1/uploads', {
    method: 'POST',
    headers: {
      cookie,
      origin: fixture.origin,
      'content-type': 'application/octet-stream',
      'x-file-name': encodeURIComponent(name),
    },
    body,
    duplex: 'half',
  } as RequestInit);

describe('an upload', () => {
  it.each(['../../../escaped.csv', '/tmp/escaped-by-console.csv', '..\\..\\escaped.csv', 'a\0b.csv'])(
    'named %j writes nowhere but where uploads lie',
    async (name) => {
      const before = readdirSync(path.dirname(fixture.folder)).filter((it) => it.includes('escaped'));
      const answer = await upload(name, 'Order,Customer\nSO-1,Ann\n');
      expect(answer.status).toBeLessThan(500);
      expect(await answer.text()).not.toMatch(/"name":"[^"]*\.\./);
      expect(readdirSync(path.dirname(fixture.folder)).filter((it) => it.includes('escaped'))).toEqual(
        before,
      );
      expect(existsSync('/tmp/escaped-by-console.csv')).toBe(false);
    },
  );

  it('of a gigabyte is refused while it comes, and nothing of it stays', async () => {
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 65_536;
        if (sent > 1024 ** 3) controller.close();
        else controller.enqueue(new Uint8Array(65_536).fill(65));
      },
    });
    const status = await upload('large.csv', endless).then(
      (answer) => answer.status,
      // The connection is ended while it is still sent.
      () => 413,
    );
    // By its size, or before that by what it holds.
    expect([413, 422]).toContain(status);
    expect(sent).toBeLessThan(100 * 1024 ** 2);
    const files = readdirSync(fixture.folder, { recursive: true, encoding: 'utf8' });
    expect(files.filter((it) => /large|part|tmp/i.test(path.basename(it)))).toEqual([]);
  });
});
