import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '../../../src/platform/client/client.js';
import { Inquiry } from '../../../src/platform/client/inquiry.js';
import { operationNamed } from '../../../src/platform/operations/catalogue.js';
import { systemClock } from '../../../src/util/clock.js';
import { connectionTo, http } from './servers.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'token-'));
});
afterAll(() => rm(folder, { recursive: true }));

it.each([
  ['another token', 'token-2222', 'records'],
  ['the same token', 'token-1111', 'none'],
])('a query that was refused is sent again once a file has %s', async (_what, next, kind) => {
  const file = path.join(folder, 'token');
  await writeFile(file, 'token-1111', { mode: 0o600 });
  const used: (string | undefined)[] = [];
  const port = await http((request, response) => {
    used.push(request.headers.authorization);
    const isRefused = request.headers.authorization === 'Bearer token-1111';
    void writeFile(file, next).then(() => {
      response.statusCode = isRefused ? 401 : 200;
      response.end(JSON.stringify(isRefused ? { code: 401 } : { code: 0, message: 'token-1111', data: [] }));
    });
  });
  const connection = {
    ...connectionTo(`http://127.0.0.1:${port}`),
    token: { kind: 'file', path: file } as const,
  };
  const client = await createClient({ connection, concurrency: 1 });
  const run = { retries: 0, timeoutMs: 5_000, patienceMs: 5_000 };
  const inquiry = new Inquiry({ client, connection, job: { run } as never, clock: systemClock });
  const answer = await inquiry.ask(operationNamed('asset.list'), { enterpriseGlobalId: 'E1' });
  await client.close();
  expect(answer.kind).toBe(kind);
  expect(used).toEqual(kind === 'none' ? ['Bearer token-1111'] : ['Bearer token-1111', 'Bearer token-2222']);
  expect(client.redact('token-1111 token-2222')).not.toContain('token-1111');
  expect(inquiry.stopped?.kind).toBe(kind === 'none' ? 'refused' : undefined);
});
