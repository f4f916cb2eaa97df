import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { licenseSync, licenseSyncAlone, start } from '../support/command.js';
import { orderJob } from '../support/orders.js';
import { readSheet } from '../support/read-sheet.js';

const JOBS = fileURLToPath(new URL('../../jobs/', import.meta.url));

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-cli-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string): string => path.join(folder, name);
/** The samples are not run with a ledger next to them. */
const ownLedger = () => ({ LICENSE_SYNC_LEDGER: at('.license-sync/ledger.db') });

describe('the program', () => {
  it('helps, for each command with examples', async () => {
    const help = await licenseSyncAlone(['--help'], { cwd: folder });
    expect(help.code).toBe(0);
    for (const name of ['run', 'validate', 'resume', 'runs', 'operations', 'schema', 'sandbox', 'template']) {
      expect(help.stdout).toContain(`  ${name}`);
    }
    const run = await licenseSync(['run', '--help'], { cwd: folder });
    expect(run.stdout).toContain('Examples:');
  });

  it.each([
    [['ruin']],
    [['run']],
    [['run', 'x.yaml', '--max-items', 'many']],
    [['run', 'no-such.yaml']],
    [['resume']],
  ])('calls %j a usage error', async (args) => {
    const end = await licenseSync(args, { cwd: folder });
    expect(end.code).toBe(2);
    expect(end.stderr).not.toBe('');
  });

  it('runs a sample and prints one JSON object, marked SANDBOX', async () => {
    const output = at('result.xlsx');
    const end = await licenseSync(['run', path.join(JOBS, 'new-buy.yaml'), '--json', '--output', output], {
      cwd: folder,
      env: ownLedger(),
    });
    expect(end.code).toBe(0);
    const said = JSON.parse(end.stdout) as Record<string, unknown>;
    expect(said).toMatchObject({
      job: 'new-buy',
      operation: 'order.new_buy',
      connection: 'sandbox',
      status: 'completed',
      output,
    });
    expect(end.stdout + end.stderr).toContain('SANDBOX');
    expect(
      (await readSheet(output)).every((it) => it.status === 'succeeded' && it.licenseOrderId !== ''),
    ).toBe(true);
    const again = await licenseSync(
      ['run', path.join(JOBS, 'new-buy.yaml'), '--json', '--output', at('again.xlsx')],
      { cwd: folder, env: ownLedger() },
    );
    expect(JSON.parse(again.stdout)).toMatchObject({ requests: 0, counts: { skipped: said.rows } });
    const runs = await licenseSync(['runs', '--json'], { cwd: folder });
    expect((JSON.parse(runs.stdout) as { run: string }[]).map((it) => it.run)).toContain(said.run);
    const exported = await licenseSync(['runs', 'export', String(said.run), '--output', at('again.csv')], {
      cwd: folder,
    });
    expect(exported.code).toBe(0);
    expect((await readFile(at('again.csv'), 'utf8')).split('\r\n')[0]).toMatch(
      /^\ufeffrow,status,licenseOrderId,code,message,/,
    );
  });

  it('reports all errors of a job file in one go, with places', async () => {
    await writeFile(
      at('job.yaml'),
      'version: 1\nname: x\noperatoin: order.new_buy\nsource: { file: a.csv }\nrun: { concurency: 3 }\n',
    );
    const end = await licenseSync(['validate', at('job.yaml')], { cwd: folder });
    expect(end.code).toBe(2);
    expect(end.stderr).toMatch(/job\.yaml:3:1 .*operation/s);
    expect(end.stderr).toMatch(/job\.yaml:5:8 .*concurrency/s);
  });

  it('refuses invalid input with exit 3 and a JSON object', async () => {
    await writeFile(at('orders.csv'), 'Order,Customer,Asset,Nodes\nSO-1,"One,A1,5\n');
    await writeFile(at('job.yaml'), orderJob());
    const end = await licenseSync(['validate', at('job.yaml'), '--connection', 'sandbox', '--json'], {
      cwd: folder,
    });
    expect(end.code).toBe(3);
    expect(JSON.parse(end.stdout)).toMatchObject({ status: 'invalid', counts: {} });
    expect(end.stderr).toContain('orders.csv');
    expect(end.stderr).not.toContain('inputs');
  });

  it('uses a sandbox that is being served', async () => {
    const served = start(['sandbox', '--port', '0', '--json'], { cwd: folder });
    const ready = await new Promise<string>((resolve) =>
      served.child.stdout?.once('data', (text) => resolve(String(text))),
    );
    const { url } = JSON.parse(ready) as { url: string };
    const end = await licenseSync(
      ['run', path.join(JOBS, 'asset-lock.yaml'), '--json', '--output', at('r.xlsx')],
      { cwd: folder, env: { LICENSE_SYNC_LEDGER: at('elsewhere/ledger.db') } },
    );
    expect(JSON.parse(end.stdout)).toMatchObject({ status: 'completed' });
    const stats = await fetch(`${url}/sandbox/stats`, { headers: { authorization: 'Bearer any' } });
    expect(await stats.json()).toMatchObject({ requests: expect.toSatisfy((it: number) => it > 0) });
    served.child.kill('SIGTERM');
    expect((await served.ended).code).toBe(0);
  });
});

describe('committed files that are made', () => {
  it('job.schema.json is what `schema` prints', async () => {
    const root = fileURLToPath(new URL('../../', import.meta.url));
    const end = await licenseSync(['schema', '--check', 'job.schema.json'], { cwd: root });
    expect(end.stderr).toBe('');
    expect(end.code).toBe(0);
  });
});
