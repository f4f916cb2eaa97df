import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { render } from '../../src/errors/message.js';
import { SILENT } from '../../src/run/observer.js';
import { explainRow } from '../../src/run/report/explain.js';
import { retryRun } from '../../src/run/retry.js';
import { resumeRun } from '../../src/run/start-run.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/serve.js';
import { FakePlatform } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { readSheet } from '../support/read-sheet.js';
import { reconcileJob, sandboxAt } from '../support/reconcile-fixture.js';

let fixture: Fixture;
let sandbox: Sandbox;

beforeEach(async () => {
  fixture = await Fixture.open();
  sandbox = await startSandbox({});
});

afterEach(async () => {
  await sandbox.close();
  await fixture.close();
});

const HEADER = 'Enterprise ID,Lock No,Locked,Valid until';
const OPERATOR = '{ value: ops@example.com }';

const LOCKS = `version: 1
name: nightly-locks
reconcile: asset
source: { file: locks.csv }
key: { enterpriseGlobalId: Enterprise ID, assetNum: Lock No }
expect: { locked: Locked, limitEndTime: { column: Valid until, end: day } }
actions:
  - on: different
    when: expected.locked && !actual.locked
    operation: asset.lock
    map: { assetNums: Lock No, operatorIdentity: ${OPERATOR} }
  - on: different
    when: "!expected.locked && actual.locked"
    operation: asset.unlock
    map: { assetNums: actual.assetNum, operatorIdentity: ${OPERATOR} }
`;

interface Listed {
  readonly assetNum: string;
  readonly locked: boolean;
  readonly limitEndTime: number | null;
}

/** What the served sandbox answers to a GET. */
async function answerOf(pathAndQuery: string): Promise<unknown> {
  const headers = { authorization: 'Bearer sandbox', 'content-type': 'application/json' };
  return (await fetch(`${sandbox.url}${pathAndQuery}`, { headers })).json();
}

async function assetsOf(enterprise: string): Promise<readonly Listed[]> {
  const reply = await answerOf(`/order/api/order/v1/asset/${enterprise}/list?g_nonce=n${Math.random()}`);
  return (reply as { data: Listed[] }).data;
}

/** Lines of the source that agree with the platform. */
async function linesOf(enterprise: string): Promise<string[]> {
  const assets = await assetsOf(enterprise);
  return assets.map(({ assetNum, locked, limitEndTime }) => {
    const day =
      limitEndTime === null ? '' : new Date(limitEndTime + 8 * 3_600_000).toISOString().slice(0, 10);
    return `${enterprise},${assetNum},${locked ? 'TRUE' : 'FALSE'},${day}`;
  });
}

async function prepare(lines: readonly string[], job = LOCKS): Promise<string> {
  await fixture.file('locks.csv', [HEADER, ...lines, ''].join('\n'));
  return fixture.file('job.yaml', job);
}

const go = async (
  job: string,
  options: Partial<Parameters<typeof reconcileJob>[2]> = {},
): Promise<Awaited<ReturnType<typeof reconcileJob>>> =>
  reconcileJob(fixture, job, { connection: await sandboxAt(fixture, sandbox.url), ...options });

describe('cells of a comparison', () => {
  test('are read as those of a run: numbers are no dates, mangled numbers no locks, and what is excluded is said', async () => {
    const expecting = LOCKS.replace('{ locked: Locked,', '{ locked: Locked, licenseType: Kind,');
    const [asset] = await assetsOf('ENT-0021');
    const { assetNum, locked, licenseType } = asset as Listed & { readonly licenseType: string };
    const kind = `${licenseType.slice(0, 3)}\u200b${licenseType.slice(3)}`;
    const lines = [
      `ENT-0021,${assetNum},${locked ? 'TRUE' : 'FALSE'},,${kind}`,
      `ENT-0021,${assetNum},,46752,`,
      'ENT-0021,8.2E+09,,,',
    ];
    await fixture.file('locks.csv', [`${HEADER},Kind`, ...lines, ''].join('\n'));
    const warned: string[] = [];
    const end = await go(await fixture.file('job.yaml', `${expecting.split('actions:')[0]}extra: ignore\n`), {
      parts: { observer: { ...SILENT, warn: (it) => warned.push(render(it)) } },
    });
    expect(end.counts).toMatchObject({ in_sync: 1, error: 2 });
    expect(warned.join()).toContain('locks!E2 licenseType: removed the character U+200B at position 4');
    const results = await readSheet(end.output ?? '');
    expect(results[1]?.message).toContain('locks!D3 limitEndTime: 46752 looks like');
    expect(results[2]?.message).toContain('locks!B4 assetNum: 8.2E+09 is a number in scientific notation');
  });
});

describe('reconciling assets', () => {
  test('what agrees is in sync, dates by the day in the zone of the connection: exit 0', async () => {
    const job = await prepare([...(await linesOf('ENT-0021')), ...(await linesOf('ENT-0002'))]);
    const end = await go(job);
    expect(end).toMatchObject({
      exitCode: 0,
      status: 'completed',
      requests: 2,
      rows: 22,
      counts: { in_sync: 22 },
    });
    expect(await fixture.ledger.runs.get(end.run)).toMatchObject({
      kind: 'reconcile',
      state: 'completed',
      rows: 22,
    });
  });

  test('each kind of drift is found; without apply nothing is changed', async () => {
    const lines = await linesOf('ENT-0021');
    const [first = '', second = '', ...rest] = lines;
    const dated = rest.findIndex((it) => /2027-12-31$/.test(it));
    rest[dated] = rest[dated]!.replace('2027', '2028');
    const job = await prepare([
      first.replace('FALSE', 'TRUE'),
      ...rest,
      'ENT-0021,8199999999,,',
      'ENT-0021,,TRUE,',
    ]);
    const before = await answerOf('/sandbox/stats');
    const end = await go(job);
    expect(end).toMatchObject({
      exitCode: 1,
      counts: { in_sync: lines.length - 3, different: 2, missing: 1, extra: 1, error: 1 },
    });
    const after = await answerOf('/sandbox/stats');
    expect(after).toMatchObject({ effects: (before as { effects: object }).effects });
    const sheet = await readSheet(end.output);
    const by = (status: string) => sheet.filter((it) => it.status === status);
    expect(by('different').map((it) => [it.differences, it.action, it.outcome])).toEqual([
      ['locked: expected TRUE, actual FALSE', 'asset.lock', 'proposed'],
      ['limitEndTime: expected 2028-12-31, actual 2027-12-31', '', ''],
    ]);
    expect(by('missing').map((it) => it['Lock No'])).toEqual(['8199999999']);
    expect(by('error').map((it) => it.message)).toEqual([expect.stringContaining('locks!B13 assetNum')]);
    const missed = second.split(',')[1];
    expect(by('extra')).toMatchObject([{ row: '', 'Enterprise ID': 'ENT-0021', 'Lock No': missed }]);
    expect(sheet.at(-1)?.status).toBe('extra');
    const problems = (await readSheet(end.output, 'Problems')).map((it) => Object.values(it)[0]);
    expect(problems.slice(problems.lastIndexOf('status') + 1)).toEqual([
      'error',
      'different',
      'different',
      'missing',
      'extra',
    ]);
  });

  test('applied, what was different is fixed and read again; the next time all is in sync', async () => {
    const lines = await linesOf('ENT-0021');
    const locked = lines.findIndex((it) => it.includes('TRUE'));
    const wanted = lines.map((it, index) => {
      if (index === 0) return it.replace('FALSE', 'TRUE');
      return index === locked ? it.replace('TRUE', 'FALSE') : it;
    });
    const job = await prepare(wanted);
    const end = await go(job, { apply: true });
    expect(end).toMatchObject({ exitCode: 0, counts: { in_sync: lines.length }, requests: 2 });
    expect(end.actions.map((it) => [it.operation, it.counts])).toEqual([
      ['asset.lock', { succeeded: 1 }],
      ['asset.unlock', { succeeded: 1 }],
    ]);
    const [row] = await readSheet(end.output);
    expect(row).toMatchObject({
      status: 'in_sync',
      differences: '',
      action: 'asset.lock',
      outcome: 'succeeded',
      message: 'was different before (locked: expected TRUE, actual FALSE)',
    });
    const parent = (await fixture.ledger.runs.children(end.run)).map((it) => it.operation);
    expect(parent).toEqual(['asset.lock', 'asset.unlock']);
    expect(await go(job, { apply: true })).toMatchObject({ exitCode: 0, actions: [] });
  });

  test('a mass difference stops at the limit of all actions together: nothing is sent', async () => {
    const lines = await linesOf('ENT-0021');
    const job = await prepare(
      lines.map((it) => (it.includes('TRUE') ? it.replace('TRUE', 'FALSE') : it.replace('FALSE', 'TRUE'))),
    );
    const end = await go(job, { apply: true, set: ['safety.maxItems=8'] });
    expect(end).toMatchObject({ exitCode: 4, status: 'stopped' });
    expect(await linesOf('ENT-0021')).toEqual(lines);
    const sheet = await readSheet(end.output);
    expect(new Set(sheet.filter((it) => it.action !== '').map((it) => it.outcome))).toEqual(
      new Set(['not_sent']),
    );
  });

  test('a lock that refuses stays different, with the reason', async () => {
    // 8100000121 is of a type that can't be disabled.
    const lines = (await linesOf('ENT-0001')).map((it) =>
      it.includes('8100000121') ? it.replace('FALSE', 'TRUE') : it,
    );
    const end = await go(await prepare(lines), { apply: true });
    expect(end).toMatchObject({ exitCode: 1, counts: { different: 1 } });
    const row = (await readSheet(end.output)).find((it) => it.status === 'different');
    expect(row).toMatchObject({ outcome: 'rejected', 'Lock No': '8100000121' });
    expect(row?.message).toMatch(/^asset\.lock: /);
  });

  test('an extra record is deleted only where an action reports it, and never next to an unreadable key', async () => {
    const deleting = LOCKS.replace(
      'actions:\n',
      `actions:
  - on: extra
    operation: order.delete_asset
    map:
      channelCode: { value: CH01 }
      syncMode: { value: sync }
      orderList:
        customerName: { value: x }
        channelCustomerId: { value: CH-0021 }
        adminName: { value: x }
        adminAccount: { value: x }
        adminEmail: { value: x@example.com }
        adminCellNumber: { value: "13800000000" }
        customerType: { value: company }
        branchCode: { value: x }
        branchName: { value: x }
        enterpriseGlobalId: actual.enterpriseGlobalId
        srcLicenseOrderId: { value: LO-SEED-0021 }
        licenseType: actual.licenseType
        assets: { assetNos: actual.assetNum }
`,
    );
    const lines = (await linesOf('ENT-0021')).filter((it) => !it.includes('8200000021'));
    const invalid = await prepare([...lines, ',8199999999,TRUE,'], deleting);
    const withheld = await go(invalid, { apply: true });
    expect(withheld).toMatchObject({ exitCode: 1, counts: { extra: 1, error: 1 }, actions: [] });
    const job = await prepare(lines, deleting);
    const held = await go(job, { apply: true, set: ['safety.maxDeletes=0'] });
    expect(held).toMatchObject({ exitCode: 4, counts: { extra: 1 } });
    expect(await linesOf('ENT-0021')).toHaveLength(lines.length + 1);
    const end = await go(job, { apply: true });
    expect(end).toMatchObject({ exitCode: 0, counts: { in_sync: lines.length + 1 } });
    expect((await readSheet(end.output)).at(-1)).toMatchObject({
      row: '',
      status: 'in_sync',
      outcome: 'succeeded',
      message: expect.stringContaining('no longer on the platform'),
    });
    expect(await linesOf('ENT-0021')).toHaveLength(lines.length);
  });

  test('a cell may name several assets; each is compared', async () => {
    const job = await prepare(
      ['ENT-0001,8100000001;8199999999;8100000041,TRUE,'],
      LOCKS.replace('source:', 'extra: ignore\nsource:'),
    );
    const end = await go(job);
    expect(end.counts).toEqual({ missing: 1 });
    expect(await readSheet(end.output)).toMatchObject([
      {
        status: 'missing',
        differences:
          '8100000001 locked: expected TRUE, actual FALSE; 8100000041 locked: expected TRUE, actual FALSE',
        message: 'not on the platform: 8199999999',
      },
    ]);
  });

  test('rows that are excluded are skipped, and what they name is not extra', async () => {
    const lines = await linesOf('ENT-0021');
    const job = await prepare(
      lines,
      LOCKS.replace('{ file: locks.csv }', '{ file: locks.csv, where: \'row["Locked"] == "TRUE"\' }'),
    );
    const end = await go(job);
    expect(end.counts).toEqual({ skipped: lines.length - 1, in_sync: 1 });
    expect(end.exitCode).toBe(0);
  });
});

describe('a reconciliation in the ledger', () => {
  test('can be neither resumed nor retried nor resolved: it has nothing of its own to send', async () => {
    const end = await go(await prepare(await linesOf('ENT-0021')));
    const run = (await fixture.ledger.runs.get(end.run))!;
    const parts = fixture.parts();
    const connection = await sandboxAt(fixture, sandbox.url);
    const same = <T>(it: T): T => it;
    const refused = { kind: 'usage', detail: { code: 'run.is_reconciliation' } };
    await expect(resumeRun(parts, run, same)).rejects.toMatchObject(refused);
    const wish = { include: new Set<never>(), connection, change: same };
    await expect(retryRun(parts, run, wish)).rejects.toMatchObject({ kind: 'usage' });
    await expect(explainRow(fixture.ledger, run, 2)).rejects.toMatchObject(refused);
  });
});

describe('a platform that cannot be read', () => {
  test('an enterprise without an answer gives error rows and is left alone; the others are compared', async () => {
    const platform = await new FakePlatform(({ path }) =>
      path.includes('ENT-B')
        ? { body: { code: '20001', message: 'no such enterprise', cause: '' }, status: 299 }
        : { body: { code: 0, message: 'ok', data: [{ id: 'AS-A1', assetNum: 'A1', locked: false }] } },
    ).start();
    try {
      const job = await prepare(
        ['ENT-A,A1,TRUE,', 'ENT-B,B1,TRUE,', 'ENT-B,B2,TRUE,'],
        LOCKS.replace('source:', 'run: { retries: 0 }\nsource:'),
      );
      const end = await go(job, { connection: platform.connection() });
      expect(end).toMatchObject({ exitCode: 1, counts: { different: 1, error: 2 }, requests: 2 });
      const rows = await readSheet(end.output);
      expect(rows.map((it) => [it.status, it.action])).toEqual([
        ['different', 'asset.lock'],
        ['error', ''],
        ['error', ''],
      ]);
      expect(rows[1]?.message).toContain('no such enterprise');
    } finally {
      await platform.stop();
    }
  });

  test('a refused token stops the comparison: exit 4, nothing is executed', async () => {
    const platform = await new FakePlatform(() => ({ status: 401, body: {} })).start();
    try {
      const lines = Array.from({ length: 30 }, (_, index) => `ENT-${index},A${index},TRUE,`);
      const end = await go(await prepare(lines), {
        connection: platform.connection(),
        apply: true,
        set: ['run.concurrency=2'],
      });
      expect(end).toMatchObject({ exitCode: 4, status: 'stopped', counts: { error: 30 }, actions: [] });
      expect(platform.seen.length).toBeLessThanOrEqual(2);
    } finally {
      await platform.stop();
    }
  });
});

describe('reconciling customers', () => {
  const CUSTOMERS = `version: 1
name: nightly-customers
reconcile: enterprise
source: { file: customers.csv }
key: { channelCode: Channel, channelCustomerId: Customer No }
expect: { enterpriseName: Enterprise, isDefault: { value: true } }
actions:
  - on: missing
    operation: enterprise.bind
    map:
      channelCode: Channel
      channelCustomerId: Customer No
      customerName: Enterprise
      branchName: { value: Beijing }
      enterpriseName: Enterprise
      passwordMobile: { value: "13800000000" }
`;

  test('the default customer is found among several, missing ones are bound once', async () => {
    const name = async (id: string): Promise<string> => {
      const reply = (await answerOf(
        `/order/api/order/v1/enterprise/user/query?g_nonce=q${Math.random()}&channelCode=CH01&channelCustomerId=${id}&defaultCustomer=Y`,
      )) as { data: { enterpriseName: string }[] };
      return reply.data[0]!.enterpriseName;
    };
    await fixture.file(
      'customers.csv',
      `Channel,Customer No,Enterprise\nCH01,CH-0001,${await name('CH-0001')}\nCH01,CH-0002,Another name\nCH01,CH-9001,New One\n`,
    );
    const job = await fixture.file('job.yaml', CUSTOMERS);
    const looked = await go(job);
    expect(looked).toMatchObject({ exitCode: 1, counts: { in_sync: 1, different: 1, missing: 1 } });
    const end = await go(job, { apply: true });
    expect(end).toMatchObject({ exitCode: 1, counts: { in_sync: 2, different: 1 } });
    expect(await answerOf('/sandbox/stats')).toMatchObject({ effects: { binds: 1, duplicateBinds: 0 } });
    expect((await go(job, { apply: true })).actions).toEqual([]);
  });
});
