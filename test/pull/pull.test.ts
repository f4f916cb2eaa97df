import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UNWATCHED } from '../../src/app/context.js';
import { type PullInput, pullRecords } from '../../src/app/pull.js';
import { reconcileJob } from '../../src/app/reconcile.js';
import { render } from '../../src/errors/message.js';
import { ProductError } from '../../src/errors/product-error.js';
import type { Reconciled } from '../../src/model/comparison.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { workbook } from '../fixtures/workbook.js';
import { type Answer, FakePlatform, type Seen } from '../support/fake-platform.js';
import { readSheet } from '../support/read-sheet.js';

let folder: string;
let platform: FakePlatform;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pull-'));
  platform = await new FakePlatform(() => ({ body: { code: 0, message: 'ok', data: [] } })).start();
});

afterEach(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

const TOKEN = 's3cret-token-0123456789';

async function settings(more = ''): Promise<void> {
  const text = `version: 1\nconnections:\n  p: { baseUrl: "${platform.url}", appKey: app, token: { env: TOKEN }${more} }\n`;
  await writeFile(path.join(folder, 'license-sync.yaml'), text);
}

interface Reported {
  readonly warnings: string[];
  readonly stop: StopSignal;
}

function contextOf(reported: Reported = { warnings: [], stop: new StopSignal() }) {
  return {
    env: { TOKEN },
    cwd: folder,
    language: 'en' as const,
    stop: reported.stop,
    watch: {
      progress: () => {},
      paused: () => {},
      warn: (warning: Parameters<typeof render>[0]) => void reported.warnings.push(render(warning)),
    },
  };
}

async function keys(name: string, lines: readonly string[]): Promise<string> {
  await writeFile(path.join(folder, name), `${lines.join('\n')}\n`);
  return name;
}

async function pulled(what: Reconciled, input: PullInput, reported?: Reported) {
  return pullRecords(contextOf(reported), what, { connection: 'p', ...input });
}

const ok = (data: unknown): Answer => ({ body: { code: 0, message: 'ok', data } });
const enterpriseOf = ({ path: at }: Seen): string => /asset\/([^/]+)\/list/.exec(at)?.[1] ?? '';

/** An asset with values that are hard to write and to read again. */
function asset(number: string, change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: `AS-${number}`,
    licenseType: 'cloud_account',
    assetNum: number,
    grantable: true,
    customerId: '000123',
    keyShellNumber: number,
    keyChipType: 2,
    locked: false,
    freezing: false,
    createTime: 1704069000123,
    updateTime: 1767196799999,
    limitStartTime: null,
    limitEndTime: 1830268799999,
    assignStatus: {
      id: `AS-${number}`,
      assignStatus: '已分配',
      assignMemberId: '0099',
      createTime: '1704069000123',
      updateTime: null,
    },
    assetLimits: null,
    assetExtends: [
      { extendCode: 'gxxp', extendValue: '1' },
      { extendCode: 'region', extendValue: '=1+1' },
    ],
    borrowedUsbKey: false,
    ...change,
  };
}

const LISTED: Readonly<Record<string, readonly unknown[]>> = {
  E1: [
    asset('8100000001'),
    asset('0000000042', { licenseType: '=SUM(A1)', locked: true, limitEndTime: null, limitStartTime: 0 }),
    asset('12345678901234567890', { customerId: ' padded ', createTime: 631152000000 }),
  ],
  // Clocks in Berlin show 02:30 of this night twice.
  E2: [
    asset('A-1', { limitEndTime: 1792888200000 }),
    asset('A-2', { limitEndTime: 1792891800000 }),
    asset('A-3', { limitEndTime: 1792891800007, updateTime: 1767222000000 }),
  ],
  E3: [],
};

const COMPARE_ASSETS = `version: 1
name: compare
reconcile: asset
connection: p
source: { file: SHEET }
key: { enterpriseGlobalId: enterpriseGlobalId, assetNum: assetNum }
expect:
  id: id
  licenseType: licenseType
  grantable: grantable
  customerId: customerId
  keyShellNumber: keyShellNumber
  keyChipType: keyChipType
  locked: locked
  freezing: freezing
  createTime: createTime
  updateTime: updateTime
  limitStartTime: limitStartTime
  limitEndTime: limitEndTime
  borrowedUsbKey: borrowedUsbKey
  assignStatus:
    id: assignStatus.id
    assignStatus: assignStatus.assignStatus
    assignMemberId: assignStatus.assignMemberId
    createTime: assignStatus.createTime
`;

const COMPARE_CUSTOMERS = `version: 1
name: compare
reconcile: enterprise
connection: p
source: { file: SHEET }
key: { channelCode: channelCode, channelCustomerId: channelCustomerId }
expect:
  customerId: customerId
  enterpriseGlobalId: enterpriseGlobalId
  enterpriseName: enterpriseName
  isDefault: isDefault
`;

async function compared(job: string, sheet: string) {
  await writeFile(path.join(folder, 'compare.yaml'), job.replace('SHEET', sheet));
  const context = { ...contextOf(), watch: UNWATCHED, confirm: false as const };
  const carried = await reconcileJob(context, 'compare.yaml', {});
  if (carried.kind !== 'run') throw new Error(JSON.stringify(carried.summary));
  return carried.end;
}

describe('a pulled sheet', () => {
  test.each(['a.xlsx', 'a.csv'])(
    'of assets, run as a comparison, is in sync throughout (%s)',
    async (output) => {
      for (const zone of ['Asia/Shanghai', 'Europe/Berlin']) {
        await settings(`, timezone: ${zone}`);
        platform.answer = (seen) => ok(LISTED[enterpriseOf(seen)]);
        const enterprises = await keys('e.csv', ['Enterprise ID', 'E1', 'E2', 'E3', 'E1']);
        const end = await pulled('asset', { keys: enterprises, output });
        expect(end).toMatchObject({
          status: 'completed',
          exitCode: 0,
          keys: 3,
          records: 6,
          empty: 1,
          requests: 3,
        });
        expect(await compared(COMPARE_ASSETS, output)).toMatchObject({ counts: { in_sync: 6 }, exitCode: 0 });
      }
    },
  );

  test.each(['seconds', 'milliseconds'])('has its times in the unit of the connection (%s)', async (unit) => {
    await settings(`, timestamps: ${unit}`);
    const time = 1830268799 * (unit === 'seconds' ? 1 : 1000) + (unit === 'seconds' ? 0 : 999);
    const list = [asset('1', { createTime: time, updateTime: time, limitEndTime: time })];
    platform.answer = () => ok(list);
    await pulled('asset', { keys: await keys('e.csv', ['enterpriseGlobalId', 'E1']), output: 'a.xlsx' });
    const [row] = await readSheet(path.join(folder, 'a.xlsx'), 'asset');
    expect(row?.limitEndTime).toBe(unit === 'seconds' ? '2027-12-31T23:59:59' : '2027-12-31T23:59:59.999');
    expect(await compared(COMPARE_ASSETS, 'a.xlsx')).toMatchObject({ counts: { in_sync: 1 } });
  });

  test.each(['c.xlsx', 'c.csv'])(
    'of customers, run as a comparison, is in sync throughout (%s)',
    async (output) => {
      await settings();
      platform.answer = () =>
        ok([
          {
            customerId: '0001',
            channelCode: 'CH',
            channelCustomerId: '0007',
            enterpriseGlobalId: 'E1',
            enterpriseName: '北京 "A",\u200b\u00a0B',
            isDefault: true,
          },
          // Without its key, and with another one: neither is a record of the customer.
          {
            customerId: '0002',
            channelCode: null,
            channelCustomerId: '',
            enterpriseGlobalId: 'E1',
            enterpriseName: 'x',
            isDefault: false,
          },
          { customerId: '0003', channelCode: 'CH', channelCustomerId: '7', enterpriseGlobalId: 'E2' },
        ]);
      const customers = await keys('k.csv', [
        'channelCode,Channel Customer ID,Note',
        'CH,0007,a',
        'CH,0007,b',
      ]);
      const end = await pulled('enterprise', { keys: customers, output });
      expect(end).toMatchObject({ exitCode: 0, keys: 1, records: 1, requests: 1 });
      expect(await compared(COMPARE_CUSTOMERS, output)).toMatchObject({
        counts: { in_sync: 1 },
        exitCode: 0,
      });
    },
  );

  test('has no record of another customer, and a comparison takes none for missing', async () => {
    await settings();
    const other = {
      customerId: '0999',
      channelCode: 'CH',
      channelCustomerId: '999',
      enterpriseGlobalId: 'E9',
    };
    platform.answer = () => ok([{ ...other, enterpriseName: 'x', isDefault: true }]);
    const customers = await keys('k.csv', ['channelCode,Channel Customer ID', 'CH,0007']);
    const end = await pulled('enterprise', { keys: customers, output: 'c.csv' });
    expect(end).toMatchObject({ records: 0, exitCode: 1 });
    await keys('e.csv', [
      'channelCode,channelCustomerId,customerId,enterpriseGlobalId,enterpriseName,isDefault',
      'CH,0007,0001,E1,x,TRUE',
    ]);
    expect(await compared(COMPARE_CUSTOMERS, 'e.csv')).toMatchObject({ counts: { error: 1 } });
    expect(platform.seen.length).toBeGreaterThan(1);
  });

  test('keeps its digits: long numbers are text, nested fields are named by path', async () => {
    await settings();
    platform.answer = () => ({
      text: `{"code":0,"message":"ok","data":[${JSON.stringify(asset('1')).replace('"createTime":1704069000123', '"createTime":9007199254740993')}]}`,
    });
    await pulled('asset', { keys: await keys('e.csv', ['enterpriseGlobalId', 'E1']), output: 'a.ndjson' });
    const line = JSON.parse(await readFile(path.join(folder, 'a.ndjson'), 'utf8'));
    expect(line).toMatchObject({
      enterpriseGlobalId: 'E1',
      customerId: '000123',
      createTime: '9007199254740993',
      'assignStatus.createTime': '1704069000123',
      'assetExtends.extendCode': 'gxxp; region',
      limitEndTime: '2027-12-31T23:59:59.999',
      locked: false,
      limitStartTime: null,
    });
  });
});

describe('pulling', () => {
  const output = 'a.csv';

  test('asks for each key once, and writes the rest of those without an answer', async () => {
    await settings();
    platform.answer = (seen) =>
      enterpriseOf(seen) === 'E2'
        ? { body: { code: 4711, message: 'no such thing' } }
        : ok([asset(enterpriseOf(seen))]);
    const reported = { warnings: [] as string[], stop: new StopSignal() };
    const enterprises = await keys('e.csv', ['Enterprise ID', 'E3', 'E1', 'E2', 'E3', 'E1', '#N/A', 'E4']);
    const end = await pulled('asset', { keys: enterprises, output }, reported);
    expect(end).toMatchObject({
      status: 'completed',
      exitCode: 1,
      keys: 4,
      records: 3,
      unanswered: 2,
      requests: 4,
    });
    expect(platform.seen.map(enterpriseOf).sort()).toEqual(['E1', 'E2', 'E3', 'E4']);
    const rows = await readSheet(path.join(folder, output), 'a');
    expect(rows.map((it) => it.enterpriseGlobalId)).toEqual(['E3', 'E1', 'E4']);
    expect(reported.warnings.join('\n')).toContain('row 7 of the keys');
    expect(reported.warnings.join('\n')).toMatch(/row 4, E2: no reply.*no such thing/);
  });

  test('asks for customers of every kind, whatever a column says', async () => {
    await settings();
    // The first one has a customer besides its default one.
    const lines = ['channelCode,channelCustomerId,defaultCustomer', 'CH01,CH-0001,Y', 'CH01,CH-0100,N'];
    const customers = await keys('k.csv', lines);
    const end = await pulled('enterprise', { keys: customers, output, connection: 'sandbox' });
    expect(end).toMatchObject({ keys: 2, records: 3, exitCode: 0, sandbox: true });
    const rows = await readSheet(path.join(folder, output), 'a');
    expect(rows.map((it) => it.isDefault)).toEqual(['TRUE', 'FALSE', 'TRUE']);
  });

  test.each([401, 403])('writes nothing once the platform refuses us (%i)', async (status) => {
    await settings();
    platform.answer = (seen) => (enterpriseOf(seen) === 'E9' ? { status, body: {} } : ok([asset('1')]));
    const lines = ['Enterprise ID', ...Array.from({ length: 20 }, (_, at) => `E${at}`)];
    const end = await pulled('asset', { keys: await keys('e.csv', lines), output, concurrency: 2 });
    expect(end).toMatchObject({ status: 'stopped', exitCode: 4 });
    expect(end.output).toBeUndefined();
    expect(render(end.reason!)).toContain('Nothing was written');
    expect(platform.seen.length).toBeLessThan(20);
    expect(await readdir(folder)).not.toContain(output);
  });

  test('writes nothing when it is interrupted, and leaves what was there', async () => {
    await settings();
    await writeFile(path.join(folder, output), 'as before');
    const stop = new StopSignal();
    platform.answer = (seen) => {
      if (enterpriseOf(seen) === 'E7') stop.stop({ kind: 'interrupted' });
      return ok([asset('1')]);
    };
    const lines = ['Enterprise ID', ...Array.from({ length: 40 }, (_, at) => `E${at}`)];
    const reported = { warnings: [], stop };
    const end = await pulled('asset', { keys: await keys('e.csv', lines), output, concurrency: 2 }, reported);
    expect(end).toMatchObject({ status: 'interrupted', exitCode: 130 });
    expect(platform.seen.length).toBeLessThan(40);
    expect(await readFile(path.join(folder, output), 'utf8')).toBe('as before');
    expect((await readdir(folder)).sort()).toEqual(['a.csv', 'e.csv', 'license-sync.yaml']);
  });

  test('takes a reply of many records, in the order of the keys', async () => {
    await settings();
    const many = Array.from({ length: 100_000 }, (_, at) => ({ id: `${at + 1}`, assetNum: `${at + 1}` }));
    platform.answer = (seen) => ok(enterpriseOf(seen) === 'E1' ? many : [asset('1'), asset('2')]);
    const end = await pulled('asset', {
      keys: await keys('e.csv', ['Enterprise ID', 'E0', 'E1', 'E2', 'E3']),
      output,
    });
    expect(end).toMatchObject({ exitCode: 0, records: 100_006 });
    const lines = (await readFile(path.join(folder, output), 'utf8')).split('\r\n');
    expect(lines).toHaveLength(100_008);
    expect(lines[3]).toMatch(/^E1,1,,1,/);
    expect(lines[100_002]).toMatch(/^E1,100000,/);
    expect(lines[100_003]).toMatch(/^E2,AS-1,/);
  });

  test.each([
    [['Kunde,Note', 'E1,x'], 'guess.no_column', 2],
    [['Enterprise ID,Enterprise Number', 'E1,E2'], 'guess.column_contested', 2],
    [['entrprsGlblId,Note', 'E1,x'], 'guess.no_column_nearest', 2],
  ] as const)('names which header it lacks: %j', async (lines, code, exitCode) => {
    await settings();
    const enterprises = await keys('e.csv', lines);
    const failing = pulled('asset', { keys: enterprises, output });
    await expect(failing).rejects.toThrow(ProductError);
    await expect(failing).rejects.toMatchObject({ code, exitCode });
    expect(platform.seen).toEqual([]);
  });

  test('refuses to write over its keys, and what is no result', async () => {
    await settings();
    const enterprises = await keys('e.csv', ['Enterprise ID', 'E1']);
    await expect(pulled('asset', { keys: enterprises, output: 'e.csv' })).rejects.toMatchObject({
      exitCode: 2,
    });
    await expect(pulled('asset', { keys: enterprises, output: 'e.txt' })).rejects.toMatchObject({
      exitCode: 2,
    });
    await expect(pulled('asset', { keys: 'none.csv', output })).rejects.toMatchObject({ exitCode: 2 });
  });

  test('keeps to the connection: so many at a time, pauses waited for, one probe after them', async () => {
    await settings();
    let underWay = 0;
    let most = 0;
    let refused = 0;
    platform.answer = async (seen, count) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setTimeout(resolve, 20));
      underWay -= 1;
      if (count === 5) {
        refused += 1;
        return { status: 429, body: {}, headers: { 'retry-after': '1' } };
      }
      return ok([asset(enterpriseOf(seen))]);
    };
    const lines = ['Enterprise ID', ...Array.from({ length: 30 }, (_, at) => `E${at}`)];
    const began = performance.now();
    const end = await pulled('asset', { keys: await keys('e.csv', lines), output, concurrency: 3 });
    expect(end).toMatchObject({ exitCode: 0, records: 30, requests: 31 });
    expect(refused).toBe(1);
    expect(most).toBeLessThanOrEqual(3);
    expect(performance.now() - began).toBeGreaterThan(900);
    const rows = await readSheet(path.join(folder, output), 'a');
    expect(rows.map((it) => it.enterpriseGlobalId)).toEqual(lines.slice(1));
  });

  test('stops where too many keys in a row have no answer', async () => {
    await settings();
    platform.answer = () => ({ body: { code: 4711, message: 'down' } });
    const lines = ['Enterprise ID', ...Array.from({ length: 200 }, (_, at) => `E${at}`)];
    const end = await pulled('asset', { keys: await keys('e.csv', lines), output });
    expect(end).toMatchObject({ status: 'stopped', exitCode: 4 });
    expect(platform.seen.length).toBeLessThan(120);
    expect(await readdir(folder)).not.toContain(output);
  });

  test('makes no ledger', async () => {
    await settings();
    await pulled('asset', { keys: await keys('e.csv', ['Enterprise ID', 'E1']), output });
    expect((await readdir(folder)).sort()).toEqual(['a.csv', 'e.csv', 'license-sync.yaml']);
  });
});

test('keys that are numbers are asked for by their digits, whatever their format shows, and once each', async () => {
  await settings();
  const text = (at: string, it: string) => `<c r="${at}" t="inlineStr"><is><t>${it}</t></is></c>`;
  const book = (headers: readonly string[], before: readonly string[]): Uint8Array => {
    const column = 'ABC'[before.length]!;
    const lead = (at: number) => before.map((it, index) => text(`${'ABC'[index]}${at}`, it)).join('');
    const rows = [
      headers.map((it, at) => text(`${'ABC'[at]}1`, it)).join(''),
      `${lead(2)}<c r="${column}2" s="1"><v>1003</v></c>`,
      `${lead(3)}${text(`${column}3`, '1003')}`,
    ];
    const sheet = rows.map((it, at) => `<row r="${at + 1}">${it}</row>`).join('');
    return workbook({ sheet, formats: ['#,##0.00'] });
  };
  await writeFile(path.join(folder, 'e.xlsx'), book(['enterpriseGlobalId'], []));
  await writeFile(path.join(folder, 'c.xlsx'), book(['channelCode', 'channelCustomerId'], ['CH']));
  await pulled('asset', { keys: 'e.xlsx', output: 'assets.csv' });
  await pulled('enterprise', { keys: 'c.xlsx', output: 'customers.csv' });
  expect(platform.seen.map((it) => enterpriseOf(it) || it.query.get('channelCustomerId'))).toEqual([
    '1003',
    '1003',
  ]);
});
