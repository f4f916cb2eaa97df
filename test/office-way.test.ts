import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../src/api/index.js';
import { seedChannelCustomerId, seedEnterpriseId } from '../src/sandbox/seed.js';
import { licenseSync } from './support/command.js';
import { readSheet } from './support/read-sheet.js';

/**
 * The office's whole way, each step a command as the office types it: names become licences, and are taken back again;
 * what the platform then has is what it had before, told by comparing and by pulling.
 */
const SAMPLES = fileURLToPath(new URL('../jobs/', import.meta.url));
/** Those of the sample's customers that the platform knows already. */
const KNOWN = [111, 112, 113, 114, 115, 116];

interface Told {
  readonly run: string;
  readonly plan?: string | null;
  readonly status: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly output: string;
  readonly steps?: readonly { readonly name: string; readonly counts: Readonly<Record<string, number>> }[];
}

let folder: string;
let platform: Sandbox;

const at = (name: string) => path.join(folder, name);

async function told(...args: string[]): Promise<Told & { readonly code: number | null }> {
  const end = await licenseSync([...args, '--json'], { cwd: folder });
  if (end.stdout === '') throw new Error(end.stderr);
  return { ...JSON.parse(end.stdout), code: end.code };
}

/** What a sheet says, without what differs from one reading to the next. */
const records = async (file: string) => (await readSheet(at(file))).map((it) => JSON.stringify(it)).sort();

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-office-way-'));
  platform = await startSandbox();
  await cp(SAMPLES, at('jobs'), { recursive: true });
  const known = KNOWN.map((n) => `CH01,${seedChannelCustomerId(n)}\n`).join('');
  const files: Record<string, string> = {
    'license-sync.yaml': `version: 1\ndefaultConnection: sandbox\nconnections:\n  sandbox: { baseUrl: "${platform.url}" }\n`,
    'known.csv': `channelCode,channelCustomerId\n${known}`,
    'compare.yaml': `version: 1
name: as-before
reconcile: asset
connection: sandbox
source: { file: before.xlsx }
key: { enterpriseGlobalId: enterpriseGlobalId, assetNum: assetNum }
expect:
  licenseType: licenseType
  locked: locked
  limitStartTime: limitStartTime
  limitEndTime: limitEndTime
`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(at(name), text);
});

afterAll(async () => {
  await platform?.close();
  await rm(folder, { recursive: true, force: true });
});

describe('from names to licences and back again', () => {
  it('leaves the platform as it was, and says so', async () => {
    // What is there before.
    const pull = async (kind: string, keys: string, output: string) => {
      const option = kind === 'asset' ? '--enterprises' : '--customers';
      const end = await licenseSync(['pull', kind, option, keys, '--output', output], { cwd: folder });
      expect(end, end.stderr).toMatchObject({ code: 0 });
    };
    await pull('enterprise', 'known.csv', 'customers.xlsx');
    expect((await readSheet(at('customers.xlsx'))).map((it) => it.enterpriseGlobalId).sort()).toEqual(
      KNOWN.map(seedEnterpriseId),
    );
    await pull('asset', 'customers.xlsx', 'before.xlsx');
    const before = await records('before.xlsx');
    expect(before.length).toBeGreaterThan(0);

    // Checked, then onboarded: customers bound or looked up, numbers allocated, all ordered.
    const checked = await told('validate', 'jobs/onboard.yaml');
    expect(checked).toMatchObject({ code: 0, counts: { valid: 20 } });
    const run = await told('run', 'jobs/onboard.yaml');
    expect(run).toMatchObject({ code: 0, status: 'completed', counts: { succeeded: 20 } });
    expect(run.steps?.map(({ name, counts }) => [name, counts])).toEqual([
      ['customer', { succeeded: 14, skipped: 6 }],
      ['numbers', { succeeded: 20 }],
      ['order', { succeeded: 20 }],
    ]);
    const sheet = await readSheet(run.output);
    expect(sheet).toHaveLength(20);
    expect(sheet.every((it) => it.status === 'succeeded' && it.licenseOrderId !== '')).toBe(true);
    const known = sheet.filter((it) => it.New === '否');
    expect(known.every((it) => it['customer.customerId'] === '')).toBe(true);
    expect(known.map((it) => it['order.customerId']).sort()).toEqual(KNOWN.map((n) => `CU-0${n}`));

    // Again: nothing is sent a second time.
    const again = await told('run', 'jobs/onboard.yaml');
    expect(again).toMatchObject({ code: 0, counts: { skipped: 20 }, requests: 0 });

    // The comparison sees what came, and so does a second look.
    const drift = await told('reconcile', 'compare.yaml');
    expect(drift.code).toBe(1);
    expect(drift.counts.extra).toBeGreaterThan(0);
    await pull('asset', 'customers.xlsx', 'between.xlsx');
    expect((await records('between.xlsx')).length).toBe(before.length + drift.counts.extra!);

    // Back again.
    const revert = await told('revert', run.run, '--output', 'undo.xlsx');
    expect(revert.code).toBe(0);
    const undone = await told('apply', revert.plan!, '--yes');
    expect(undone).toMatchObject({ code: 0, status: 'completed' });

    // In sync with before: by comparing, and record by record.
    const compared = await told('reconcile', 'compare.yaml');
    expect(compared).toMatchObject({ code: 0, counts: { in_sync: before.length } });
    await pull('asset', 'customers.xlsx', 'after.xlsx');
    expect(await records('after.xlsx')).toEqual(before);
    // New customers stay bound, without a licence.
    const ids = new Set(sheet.map((it) => it['customer.enterpriseGlobalId']).filter((it) => it));
    await writeFile(at('new.csv'), `enterpriseGlobalId\n${[...ids].join('\n')}\n`);
    await pull('asset', 'new.csv', 'of-new.xlsx');
    const ordered = new Set(sheet.flatMap((it) => it['order.licenseOrderId'] ?? ''));
    expect(ordered.size).toBe(20);
    const left = await readSheet(at('of-new.xlsx'));
    expect(left.filter((it) => String(it.assetNum).startsWith('86'))).toEqual([]);
    // Taken back twice, nothing is sent.
    expect(await told('revert', run.run)).toMatchObject({ code: 0, plan: null });
  }, 120_000);
});
