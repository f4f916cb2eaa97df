import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { validateJob } from '../../src/api/index.js';
import { type Ended, licenseSync } from '../support/command.js';
import { type Answer, FakePlatform, ordersDone, type Seen } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';
import { readLines } from '../support/read-sheet.js';

let folder: string;
let platform: FakePlatform;
let env: Record<string, string>;

/** Reports an order besides the ones that were sent; SO-2 is refused. */
function talkative(seen: Seen): Answer {
  if (!('orderList' in seen.body)) return { body: { code: 0, message: 'ok', data: [] } };
  if (seen.body.channelOrderId === 'SO-2') return { body: { code: 4711, message: 'refused' } };
  const answer = ordersDone(seen) as { body: { data: object[] } };
  answer.body.data.push({ sequence: 77, licenseOrderId: 'LO-77', customerId: 'C1' });
  return answer;
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-warnings-'));
  platform = await new FakePlatform(talkative).start();
  env = {
    LICENSE_SYNC_BASE_URL: platform.url,
    LICENSE_SYNC_TOKEN: 's3cret-token-0123456789',
    LICENSE_SYNC_APP_KEY: 'app',
  };
  // The third row says the same as the second.
  await writeFile(at('orders.csv'), `${orderRows(2)}SO-2,Customer 2,A2,5\n`);
  await writeFile(at('job.yaml'), orderJob({ extra: 'run: { retries: 0, timeout: 5s }\n' }));
});

afterEach(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string): string => path.join(folder, name);
const call = (...args: string[]): Promise<Ended> => licenseSync(args, { cwd: folder, env });

interface Said {
  readonly run: string;
  readonly output: string;
  readonly warnings: readonly string[];
}

/** What a command says with --json: its warnings stand on stderr and in Summary too. */
async function reported(...args: string[]): Promise<Said & { readonly mode: string | undefined }> {
  const end = await call(...args, '--output', 'out-{run}.xlsx', '--json');
  const said = JSON.parse(end.stdout) as Said;
  const summary = await readLines(said.output, 'Summary');
  const lines = summary.filter((it) => it[0] === 'warning').map((it) => it[1]);
  expect(said.warnings).toEqual(lines);
  for (const it of said.warnings) expect(end.stderr).toContain(it);
  return { ...said, mode: String(summary.find((it) => it[0] === 'mode')?.[1]) };
}

describe('warnings', () => {
  it('are in Summary, in --json and on stderr alike', async () => {
    const repeated = expect.stringMatching(/rows? 3, 4|3 and 4|row 4/);
    const extra = expect.stringContaining('77');
    expect(await reported('validate', 'job.yaml')).toMatchObject({ mode: 'dry run', warnings: [repeated] });
    const plan = await reported('plan', 'job.yaml');
    expect(plan).toMatchObject({ mode: 'plan', warnings: [repeated] });
    const applied = await reported('apply', plan.run);
    expect(applied).toMatchObject({ mode: 'run', warnings: [repeated, extra] });
    const retried = await reported('retry', plan.run, '--include', 'rejected');
    expect(retried).toMatchObject({ mode: 'run', warnings: [repeated] });
    await writeFile(at('orders.csv'), `${orderRows(2, 11)}SO-12,Customer 12,A12,5\n`);
    const held = await reported('run', 'job.yaml', '--max-items', '1');
    expect(held.warnings).toMatchObject([repeated]);
    const resumed = await reported('resume', held.run, '--max-items', '5');
    expect(resumed).toMatchObject({ mode: 'run', warnings: [repeated, extra] });
  });

  it('are in the chosen language, and in a call’s result', async () => {
    env = { ...env, LANG: 'zh_CN.UTF-8' };
    const { warnings } = await reported('validate', 'job.yaml');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/[一-龥]/);
    const called = await validateJob('job.yaml', { cwd: folder, env, language: 'zh' });
    expect(called.warnings).toEqual(warnings);
  });

  it('a comparison has them, and an empty list where there are none', async () => {
    await writeFile(at('want.csv'), 'Enterprise,Lock,Locked\nE1,8100000001,TRUE\nE1,8100000001,TRUE\n');
    const lines = [
      'version: 1',
      'name: compare',
      'reconcile: asset',
      'source: { file: want.csv }',
      'key: { enterpriseGlobalId: Enterprise, assetNum: Lock }',
      'expect: { locked: Locked }',
    ];
    await writeFile(at('compare.yaml'), lines.join('\n'));
    const { mode } = await reported('reconcile', 'compare.yaml');
    expect(mode).toBe('reconcile');
    await writeFile(at('orders.csv'), orderRows(1));
    expect((await reported('validate', 'job.yaml')).warnings).toEqual([]);
  });
});
