import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { licenseSync, saying, start } from '../support/command.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';
import { type StartedPostgres, startPostgres } from '../support/postgres/server.mjs';

let folder = '';
let server: StartedPostgres;
let platform: FakePlatform;
const env = { TOKEN: 'secret-of-the-test' };

async function settings(patience: string): Promise<void> {
  const text = `version: 1\nledger: ${server.url}\nledgerPatience: ${patience}\nworkers: { lease: 2s }\nconnections:\n  p: { baseUrl: "${platform.url}", appKey: app, token: { env: TOKEN } }\n`;
  await writeFile(path.join(folder, 'license-sync.yaml'), text);
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-absence-'));
  server = await startPostgres();
  platform = await new FakePlatform(ordersDone).start();
  const job = orderJob({ extra: 'connection: p\n' }).replace('normal_recover_usbkey', 'cloud_account');
  await writeFile(path.join(folder, 'orders.yaml'), job);
  await writeFile(path.join(folder, 'orders.csv'), orderRows(20));
});

afterEach(async () => {
  await platform.stop();
  await server.remove();
  await rm(folder, { recursive: true, force: true });
});

async function submitted(): Promise<string> {
  const { stdout } = await licenseSync(['submit', 'orders.yaml', '--json'], { cwd: folder, env });
  return (JSON.parse(stdout) as { run: string }).run;
}

it('wait tolerates a server that is away for a while, and writes the result', async () => {
  await settings('60s');
  const id = await submitted();
  const waiting = start(['wait', id, '--json'], { cwd: folder, env });
  await saying(waiting, `run ${id}`);
  const absent = saying(waiting, 'The ledger does not reply');
  await server.stop();
  await absent;
  await server.start();
  const worker = await licenseSync(['worker', '--once'], { cwd: folder, env });
  expect(worker.code).toBe(0);
  const { code, stdout, stderr } = await waiting.ended;
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).toContain('The ledger does not reply');
  expect(JSON.parse(stdout)).toMatchObject({ status: 'completed', counts: { succeeded: 20 } });
});

it('wait ends with 5 when the server is away for longer than ledgerPatience', async () => {
  await settings('4s');
  const id = await submitted();
  const waiting = start(['wait', id], { cwd: folder, env });
  await saying(waiting, `run ${id}`);
  const since = Date.now();
  await server.stop();
  const { code, stderr } = await waiting.ended;
  expect({ code, stderr }).toMatchObject({ code: 5 });
  expect(Date.now() - since).toBeGreaterThan(3_500);
  expect(Date.now() - since).toBeLessThan(25_000);
  expect(stderr).not.toContain('    at ');
  await server.start();
});
