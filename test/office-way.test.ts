import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../src/api/index.js';
import { seedChannelCustomerId, seedEnterpriseId } from '../src/sandbox/seed.js';
import { type Ended, licenseSync } from './support/command.js';
import { postgresPlace } from './support/postgres/shared-server.js';
import { readSheet } from './support/read-sheet.js';

/**
 * The office's whole way, each step a command as the office types it: names become licences, and are reverted again;
 * what the platform then has is what it had before, reported by comparing and by pulling.
 */
const SAMPLES = fileURLToPath(new URL('../jobs/', import.meta.url));
/** Those of the sample's customers that the platform knows already. */
const KNOWN = [111, 112, 113, 114, 115, 116];

interface Reported {
  readonly run: string;
  readonly plan?: string | null;
  readonly status: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly output: string;
  readonly steps?: readonly { readonly name: string; readonly counts: Readonly<Record<string, number>> }[];
}

let folder: string;
let platform: Sandbox | undefined;
let ledger: Readonly<Record<string, string>>;
let remove: () => Promise<void>;

const at = (name: string) => path.join(folder, name);

const typed = (...args: string[]): Promise<Ended> => licenseSync(args, { cwd: folder, env: ledger });

async function reported(...args: string[]): Promise<Reported & { readonly code: number | null }> {
  const end = await typed(...args, '--json');
  if (end.stdout === '') throw new Error(end.stderr);
  return { ...JSON.parse(end.stdout), code: end.code };
}

/** What a sheet says, without what differs from one reading to the next. */
const records = async (file: string) => (await readSheet(at(file))).map((it) => JSON.stringify(it)).sort();

/** How the office sends: by its own program, or by two workers that process what it puts into the queue. */
interface Way {
  readonly name: string;
  readonly run: (job: string) => ReturnType<typeof reported>;
  readonly apply: (plan: string) => ReturnType<typeof reported>;
  /** The variable that names the ledger; none for the one next to `license-sync.yaml`. */
  readonly open: () => Promise<readonly [env: Readonly<Record<string, string>>, remove: () => Promise<void>]>;
}

async function carried({ run }: Reported): ReturnType<typeof reported> {
  const workers = await Promise.all([1, 2].map(() => typed('worker', '--once')));
  for (const it of workers) expect(it, it.stderr).toMatchObject({ code: 0 });
  return reported('wait', run, '--output', `${run}.xlsx`);
}

const WAYS: readonly Way[] = [
  {
    name: 'alone',
    run: (job) => reported('run', job),
    apply: (plan) => reported('apply', plan, '--yes'),
    open: async () => [{}, async () => {}],
  },
  {
    name: 'by workers over a ledger on a server',
    run: async (job) => carried(await reported('submit', job)),
    apply: async (plan) => carried(await reported('apply', plan, '--yes', '--queue')),
    async open() {
      const place = await postgresPlace();
      return [{ LICENSE_SYNC_LEDGER: place.url }, () => place.remove()];
    },
  },
];

async function open(way: Way): Promise<void> {
  [ledger, remove] = await way.open();
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
}

afterEach(async () => {
  await platform?.close();
  await remove();
  await rm(folder, { recursive: true, force: true });
});

describe('from names to licences and back again', () => {
  it.each(WAYS)('leaves the platform as it was, and reports it ($name)', async (way) => {
    await open(way);
    // What is there before.
    const pull = async (kind: string, keys: string, output: string) => {
      const option = kind === 'asset' ? '--enterprises' : '--customers';
      const end = await typed('pull', kind, option, keys, '--output', output);
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
    const checked = await reported('validate', 'jobs/onboard.yaml');
    expect(checked).toMatchObject({ code: 0, counts: { valid: 20 } });
    const run = await way.run('jobs/onboard.yaml');
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
    const again = await way.run('jobs/onboard.yaml');
    expect(again).toMatchObject({ code: 0, counts: { skipped: 20 }, requests: 0 });

    // The comparison sees what came, and so does a second look.
    const drift = await reported('reconcile', 'compare.yaml');
    expect(drift.code).toBe(1);
    expect(drift.counts.extra).toBeGreaterThan(0);
    await pull('asset', 'customers.xlsx', 'between.xlsx');
    expect((await records('between.xlsx')).length).toBe(before.length + drift.counts.extra!);

    // Back again.
    const revert = await reported('revert', run.run, '--output', 'undo.xlsx');
    expect(revert.code).toBe(0);
    const undone = await way.apply(revert.plan!);
    expect(undone).toMatchObject({ code: 0, status: 'completed' });

    // In sync with before: by comparing, and record by record.
    const compared = await reported('reconcile', 'compare.yaml');
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
    // Reverted twice, nothing is sent.
    expect(await reported('revert', run.run)).toMatchObject({ code: 0, plan: null });
  });
});
