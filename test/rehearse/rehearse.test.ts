import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunCommandResult, UNWATCHED } from '../../src/app/context.js';
import { pruneRuns } from '../../src/app/prune.js';
import { compareRehearsal, type RowDifference, rehearseJob } from '../../src/app/rehearse.js';
import { runJob } from '../../src/app/run.js';
import { render } from '../../src/errors/message.js';
import { openLedger } from '../../src/ledger/open.js';
import { makeKeptFolder, rehearsalAt } from '../../src/rehearse/stored-rehearsals.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/serve.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { describeLedger } from '../support/ledgers.js';
import { orderJob, orderRows } from '../support/orders.js';
import { readSheet } from '../support/read-sheet.js';

const TOKEN = 's3cret-token-0123456789';
let folder: string;
let platform: Sandbox;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rehearse-'));
  platform = await startSandbox({ token: TOKEN });
  const settings = `version: 1\ndefaultConnection: p\nconnections:\n  p: { baseUrl: "${platform.url}", appKey: app, token: { env: TOKEN } }\n`;
  await writeFile(path.join(folder, 'license-sync.yaml'), settings);
  await mkdir(path.join(folder, 'jobs'));
});

afterEach(async () => {
  await platform.close();
  await rm(folder, { recursive: true, force: true });
});

async function file(name: string, text: string): Promise<string> {
  await writeFile(path.join(folder, name), text);
  return name;
}

function context(ledger?: string, warnings: string[] = [], stop = new StopSignal()) {
  const warn = (it: Parameters<typeof render>[0]) => warnings.push(render(it));
  return {
    env: { TOKEN },
    cwd: folder,
    language: 'en' as const,
    ledger,
    stop,
    confirm: false as const,
    watch: { ...UNWATCHED, warn },
  };
}

function endOf(carried: RunCommandResult) {
  if (carried.kind !== 'run') throw new Error(JSON.stringify(carried.summary));
  return carried.end;
}

/** Only what reads: the two inquiries. */
function reading(): Record<string, number> {
  const { byEndpoint } = platform.stats();
  return Object.fromEntries(
    Object.entries(byEndpoint).filter(([name]) => name !== 'assetList' && name !== 'query'),
  );
}

const LOCKS = `version: 1
name: locks
operation: asset.lock
source: { file: locks.csv }
map: { assetNums: Lock, operatorIdentity: { value: ops } }
output: { file: "results/{run}.xlsx" }
`;

/** Customers get their ids, rows their numbers. */
const STEPS = `version: 1
name: onboard
source: { file: new.csv }
steps:
  - name: customer
    operation: enterprise.bind
    map:
      channelCode: CH
      channelCustomerId: No
      customerName: No
      branchName: { value: Branch }
      enterpriseName: { template: "Enterprise {No}" }
      passwordMobile: { value: "13800000001" }
  - name: numbers
    operation: asset.numbers
    map: { size: Locks }
  - name: assets
    operation: asset.list
    map: { enterpriseGlobalId: { from: customer.enterpriseGlobalId } }
`;

const LOOK_UP = `version: 1
name: look
operation: asset.list
source: { file: look.csv }
map:
  enterpriseGlobalId:
    lookup: enterprise.query
    with: { channelCode: { value: CH01 }, channelCustomerId: No, defaultCustomer: { value: Y } }
    take: enterpriseGlobalId
`;

describe('a rehearsal', () => {
  test('executes the job as the run then does, and only reads from the platform', async () => {
    // 121 is of a type that can't be locked, 151 is frozen, the last one isn't there.
    await file(
      'locks.csv',
      'Lock,Enterprise ID\n8100000001,ENT-0001\n8100000121,ENT-0001\n8100000151,ENT-0031\n9999,ENT-0001\n',
    );
    const job = await file('locks.yaml', LOCKS);
    const rehearsed = endOf(await rehearseJob(context(), job, {}));
    expect(rehearsed).toMatchObject({ rehearsal: true, exitCode: 1, counts: { succeeded: 1, rejected: 3 } });
    expect(platform.stats()).toMatchObject({ byEndpoint: { assetList: 2 }, requests: 2 });
    expect(platform.stats().effects).toMatchObject({ locks: 0 });
    expect(await readdir(path.join(folder, '.license-sync'))).toEqual(['rehearsals']);
    const happened = endOf(await runJob(context(), job, { kind: 'run' }));
    expect(happened).toMatchObject({ exitCode: 1, counts: rehearsed.counts });
    const rows = (it: string) => readSheet(it).then((lines) => lines.map(({ run: _, ...rest }) => rest));
    expect(await rows(rehearsed.output!)).toEqual(await rows(happened.output!));
  });

  test('marks every sheet, and says in the summary what it is', async () => {
    await file('locks.csv', 'Lock,Enterprise ID\n8100000001,ENT-0001\n8100000121,ENT-0001\n');
    const job = await file('locks.yaml', LOCKS);
    const report = path.join(folder, 'page.html');
    const { output } = endOf(await rehearseJob(context(), job, { report }));
    expect(output).toMatch(/-rehearsal\.xlsx$/);
    const ExcelJs = (await import('exceljs')).default;
    const book = new ExcelJs.Workbook();
    await book.xlsx.readFile(output!);
    expect(book.worksheets.map((it) => it.name)).toEqual(['Results', 'Problems', 'Summary']);
    for (const sheet of book.worksheets) {
      expect(sheet.headerFooter.oddHeader, sheet.name).toContain('REHEARSAL');
      expect(JSON.stringify(sheet.getCell('A1').note), sheet.name).toContain('REHEARSAL');
    }
    const summary = Object.fromEntries(
      book
        .getWorksheet('Summary')!
        .getRows(1, 30)!
        .map((row) => [String(row.getCell(1).value), String(row.getCell(2).value)]),
    );
    expect(summary).toMatchObject({ mode: 'rehearsal', connection: 'p' });
    expect(Object.keys(summary)[0]).toBe('REHEARSAL');
    const page = await readFile(report, 'utf8');
    expect(page).toMatch(/<title>REHEARSAL/);
    expect(page).toContain('<strong class="sandbox">REHEARSAL</strong>');
  });

  test.each([
    ['nobody names', 'Lock\n8100000001\n8100000002\n', 'rows 2-3'],
    ['one row leaves open', 'Lock,Enterprise ID\n8100000001,ENT-0001\n8100000150,\n', 'rows 3:'],
  ])('is refused for locks whose enterprise %s', async (_, rows, reported) => {
    await file('locks.csv', rows);
    const carried = await rehearseJob(context(), await file('locks.yaml', LOCKS), {});
    expect(carried).toMatchObject({ kind: 'failed', exitCode: 2 });
    expect(carried.kind === 'failed' && carried.failure.code).toBe('rehearse.lock_of_nobody');
    expect(carried.kind === 'failed' && carried.failure.text).toContain(reported);
    expect(reading()).toEqual({});
  });

  test('takes a lock without an enterprise for known where a list has it', async () => {
    await file('locks.csv', 'Lock,Enterprise ID\n8100000001,ENT-0001\n8100000041,\n');
    expect(endOf(await rehearseJob(context(), await file('locks.yaml', LOCKS), {}))).toMatchObject({
      counts: { succeeded: 2 },
      exitCode: 0,
    });
  });

  test('ends with 2 where something could not be read, and executes nothing', async () => {
    await platform.close();
    platform = await startSandbox({ token: TOKEN });
    const settings = `version: 1\ndefaultConnection: p\nconnections:\n  p: { baseUrl: "${platform.url}", appKey: app, token: { env: TOKEN } }\n`;
    await file('license-sync.yaml', settings);
    await file('locks.csv', 'Lock,Enterprise ID\n8100000001,ENT-0001\n');
    const job = await file('locks.yaml', LOCKS);
    const refused = { ...context(), env: { TOKEN: 'another-token-0123456789' } };
    const carried = await rehearseJob(refused, job, {});
    expect(carried).toMatchObject({ kind: 'failed', exitCode: 2 });
    expect(carried.kind === 'failed' && carried.failure.code).toBe('rehearse.refused');
    await platform.close();
    const gone = await rehearseJob(context(), job, { set: ['run.retries=0'] });
    expect(gone).toMatchObject({ kind: 'failed', exitCode: 2 });
    expect(gone.kind === 'failed' && gone.failure.code).toBe('rehearse.unread');
    await file('look.csv', 'No\nCH-0001\nCH-0002\n');
    const asking = await file('look.yaml', LOOK_UP);
    const unasked = await rehearseJob(context(), asking, { set: ['run.retries=0'] });
    expect(unasked).toMatchObject({ kind: 'failed', exitCode: 2 });
    platform = await startSandbox({});
  });

  test.each([
    ['an invalid row', '8100000001,ENT-0001\n81 00,ENT-0002\n', [], 3],
    ['a limit', '8100000001,ENT-0001\n8100000041,ENT-0001\n', ['safety.maxItems=1'], 4],
  ] as const)('ends as the run would: %s', async (_, rows, set, exitCode) => {
    await file('locks.csv', `Lock,Enterprise ID\n${rows}`);
    const job = await file('locks.yaml', LOCKS);
    expect(endOf(await rehearseJob(context(), job, { set })).exitCode).toBe(exitCode);
    expect(endOf(await runJob(context(), job, { kind: 'run', set })).exitCode).toBe(exitCode);
    expect(platform.stats().effects).toMatchObject({ locks: 0 });
  });

  test('of revocations continues without a confirmation, and says that the run will want one', async () => {
    await file('orders.csv', 'Order,Customer,Asset,Nodes\nSO-1,Ann,8200000001,1\nSO-2,Ben,8299999999,1\n');
    const job = await file(
      'orders.yaml',
      orderJob({ operation: 'order.delete_asset' })
        .replace('LO-1', 'LO-SEED-0001')
        .replace('value: E1', 'value: ENT-0001'),
    );
    const warnings: string[] = [];
    const end = endOf(await rehearseJob(context(undefined, warnings), job, {}));
    expect(end).toMatchObject({ counts: { succeeded: 2 }, exitCode: 0 });
    expect(warnings.join('\n')).toContain(
      '1 asset to be revoked is in no list of its enterprise (8299999999)',
    );
    expect(warnings.join('\n')).toContain('will require confirmation on connection p');
    expect(platform.stats()).toMatchObject({ byEndpoint: { query: 1, assetList: 1 }, orders: 0 });
  });

  test('reads the customers that rows name, and their assets only where these matter', async () => {
    const rows = 'CH,No,Name\nCH01,CH-0001,x\nCH01,CH-0001,y\nCH01,NEW,z\n';
    await file('bind.csv', rows);
    const job = await file(
      'bind.yaml',
      'version: 1\nname: ask\noperation: enterprise.query\nsource: { file: bind.csv }\nmap: { channelCode: CH, channelCustomerId: No, defaultCustomer: { value: Y } }\n',
    );
    const end = endOf(await rehearseJob(context(), job, {}));
    expect(end).toMatchObject({ counts: { succeeded: 3 } });
    const [first] = await readSheet(end.output!);
    expect(first).toMatchObject({
      recordCount: '1',
      customerId: 'CU-0001',
      enterpriseGlobalId: 'ENT-0001',
      isDefault: 'TRUE',
    });
    // Once for each customer.
    expect(platform.stats().byEndpoint).toEqual({ query: 2 });
  });

  test('shows assets as the platform has them', async () => {
    await file('list.csv', 'Enterprise ID\nENT-0001\nENT-0005\n');
    const job = await file(
      'list.yaml',
      'version: 1\nname: list\noperation: asset.list\nsource: { file: list.csv }\nmap: { enterpriseGlobalId: Enterprise ID }\n',
    );
    const rehearsed = endOf(await rehearseJob(context(), job, {}));
    const happened = endOf(await runJob(context(), job, { kind: 'run' }));
    expect(await readSheet(rehearsed.output!, 'Records')).toEqual(
      await readSheet(happened.output!, 'Records'),
    );
  });

  test('takes a job through its steps, and lookups are answered as the platform answers them', async () => {
    await file('new.csv', 'CH,No,Order,Locks\nCH01,NEW-1,SO-1,2\nCH01,CH-0002,SO-2,1\n');
    const job = await file('steps.yaml', STEPS);
    const rehearsed = endOf(await rehearseJob(context(), job, {}));
    expect(rehearsed).toMatchObject({ operation: 'steps', counts: { succeeded: 2 }, exitCode: 0 });
    expect(reading()).toEqual({});
    expect(platform.stats().effects).toMatchObject({ binds: 0, numbers: 0 });
    const happened = endOf(await runJob(context(), job, { kind: 'run' }));
    expect(happened).toMatchObject({ counts: { succeeded: 2 } });
    // Rows that succeeded are skipped in each of their steps, with what they got then.
    await file('new.csv', 'CH,No,Order,Locks\nCH01,NEW-1,SO-1,2\nCH01,CH-0002,SO-2,1\nCH01,NEW-3,SO-3,4\n');
    const again = endOf(await rehearseJob(context(), job, {}));
    expect(again).toMatchObject({ counts: { skipped: 2, succeeded: 1 } });
    const [first] = await readSheet(again.output!);
    const [had] = await readSheet(happened.output!);
    expect(first?.['numbers.assetNumber']).toBe(had?.['numbers.assetNumber']);
    expect(platform.stats().effects).toMatchObject({ binds: 2, numbers: 3 });
  });

  test('looks up in the sandbox what the platform has', async () => {
    await file('look.csv', 'No\nCH-0001\nCH-0002\nCH-0001\nNOBODY\n');
    const job = await file('look.yaml', LOOK_UP);
    const set = ['run.onInvalid=skip'];
    const rehearsed = endOf(await rehearseJob(context(), job, { set }));
    expect(rehearsed).toMatchObject({ counts: { succeeded: 3, invalid: 1 }, exitCode: 1 });
    expect(Object.keys(platform.stats().byEndpoint).sort()).toEqual(['assetList', 'query']);
    const happened = endOf(await runJob(context(), job, { kind: 'run', set }));
    const records = (it: string) => readSheet(it, 'Records');
    expect(await records(rehearsed.output!)).toEqual(await records(happened.output!));
  });

  test('leaves nothing behind, also when it is interrupted', async () => {
    const before = (await readdir(tmpdir())).filter((it) => it.startsWith('license-sync-rehearsal-'));
    await file('locks.csv', 'Lock,Enterprise ID\n8100000001,ENT-0001\n');
    const job = await file('locks.yaml', LOCKS);
    const stop = new StopSignal();
    stop.stop({ kind: 'interrupted' });
    expect((await rehearseJob(context(undefined, [], stop), job, {})).exitCode).toBe(130);
    const after = (await readdir(tmpdir())).filter((it) => it.startsWith('license-sync-rehearsal-'));
    expect(after.filter((it) => !before.includes(it))).toEqual([]);
    expect(platform.stats().requests).toBe(0);
  });
});

describe('what is kept of rehearsals', () => {
  test('one that no longer exists once its name was read is none', async () => {
    const kept = await makeKeptFolder(folder);
    await symlink(path.join(folder, 'nothing'), path.join(kept, '20261123-000000-abcdef.ndjson'));
    expect(await rehearsalAt(folder, 'r')).toBeUndefined();
  });

  test('is for the owner alone, the last twenty, and goes with old runs', async () => {
    const rehearsals = path.join(folder, '.license-sync', 'rehearsals');
    await mkdir(rehearsals, { recursive: true });
    const old = { job: 'locks', connection: 'p', operation: 'asset.lock', inputSha256: '', endedAt: 1 };
    for (let at = 10; at < 32; at += 1)
      await writeFile(
        path.join(rehearsals, `2020-${at}.ndjson`),
        `${JSON.stringify({ id: `2020-${at}`, ...old })}\n`,
      );
    await file('locks.csv', 'Lock,Enterprise ID\n8100000001,ENT-0001\n');
    const job = await file('locks.yaml', LOCKS);
    const { run } = endOf(await rehearseJob(context(), job, {}));
    const kept = await readdir(rehearsals);
    expect(kept).toHaveLength(20);
    expect(kept.at(-1)).toBe(`${run}.ndjson`);
    expect((await stat(path.join(rehearsals, `${run}.ndjson`))).mode & 0o777).toBe(0o600);
    await runJob(context(), job, { kind: 'run' });
    await pruneRuns(context(), '1d');
    expect(await readdir(rehearsals)).toEqual([`${run}.ndjson`]);
  });
});

describeLedger('earlier runs in a rehearsal', (here) => {
  test('count as in the run, and the rehearsal for nothing', async () => {
    await here.ledger.close();
    const ledger = here.ledger.address;
    await file('orders.csv', orderRows(3));
    const job = await file('orders.yaml', orderJob());
    expect(endOf(await rehearseJob(context(ledger), job, {}))).toMatchObject({ counts: { succeeded: 3 } });
    expect(platform.stats().orders).toBe(0);
    const run = endOf(await runJob(context(ledger), job, { kind: 'run' }));
    expect(run).toMatchObject({ counts: { succeeded: 3 } });
    await file('orders.csv', `${orderRows(3).replace(',A2,5', ',A2,9')}SO-4,New,A4,5\n`);
    const set = ['run.onInvalid=skip'];
    const again = endOf(await rehearseJob(context(ledger), job, { set }));
    expect(again).toMatchObject({ counts: { skipped: 2, invalid: 1, succeeded: 1 }, exitCode: 1 });
    const happened = endOf(await runJob(context(ledger), job, { kind: 'run', set }));
    expect(happened).toMatchObject({ counts: again.counts, exitCode: 1 });
    const plain = (it: string) =>
      readSheet(it).then((lines) =>
        lines.map(({ row, status, message, ...rest }) => [
          row,
          status,
          message,
          status === 'skipped' ? rest.licenseOrderId : '',
        ]),
      );
    expect(await plain(again.output!)).toEqual(await plain(happened.output!));
    expect(platform.stats().orders).toBe(4);
    const opened = await openLedger(ledger);
    try {
      expect((await opened.runs.list(10)).map((it) => it.kind)).toEqual(['run', 'run']);
    } finally {
      await opened.close();
    }
  });

  test('are compared with what was rehearsed', async () => {
    await here.ledger.close();
    const ledger = here.ledger.address;
    await file(
      'locks.csv',
      'Lock,Enterprise ID\n8100000001,ENT-0001\n8100000181,ENT-0021\n8100000041,ENT-0001\n',
    );
    const job = await file('locks.yaml', LOCKS);
    endOf(await rehearseJob(context(ledger), job, {}));
    // In the meantime the platform has changed.
    const unlocked = endOf(await runJob(context(ledger), job, { kind: 'run' }));
    const reported: RowDifference[] = [];
    const same = await compareRehearsal(context(ledger), { run: unlocked.run }, (it) => reported.push(it));
    expect(same).toMatchObject({ rows: 3, differing: 0, exitCode: 0 });
    await file('locks.csv', 'Lock,Enterprise ID\n8100000002,ENT-0002\n');
    const other = endOf(await runJob(context(ledger), job, { kind: 'run' }));
    await expect(compareRehearsal(context(ledger), { run: other.run }, () => {})).rejects.toMatchObject({
      code: 'rehearse.nothing_kept',
      exitCode: 2,
    });
  });

  test('that came out otherwise are listed row by row', async () => {
    await here.ledger.close();
    const ledger = here.ledger.address;
    await file('locks.csv', 'Lock,Enterprise ID\n8100000001,ENT-0001\n8100000041,ENT-0001\n');
    const job = await file('locks.yaml', LOCKS);
    endOf(await rehearseJob(context(ledger), job, {}));
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const order = { channelCode: 'CH01', channelOrderId: 'GONE', syncMode: 'sync' };
    const revoked = {
      ...order,
      orderList: [
        {
          sequence: 1,
          customerId: 'CU-0001',
          crmCustomerId: 'CRM-0001',
          customerName: 'x',
          channelCustomerId: 'CH-0001',
          adminName: 'a',
          adminAccount: 'a',
          adminEmail: 'a@example.com',
          adminCellNumber: '13800000001',
          passwordMobile: '13800000001',
          address: 'a',
          customerType: 'company',
          branchCode: '1',
          branchName: 'b',
          enterpriseGlobalId: 'ENT-0001',
          licenseType: 'normal_recover_usbkey',
          orderType: 'delete_asset',
          assets: [{ assetNos: ['8100000041'] }],
        },
      ],
    };
    const reply = await fetch(
      `${platform.url}/order/api/order/v1/licenseOrder/batchOrder?g_nonce=n1&appKey=app`,
      {
        method: 'POST',
        headers,
        body: JSON.stringify(revoked),
      },
    );
    expect(await reply.text()).toContain('licenseOrderId');
    const run = endOf(await runJob(context(ledger), job, { kind: 'run' }));
    const reported: RowDifference[] = [];
    const compared = await compareRehearsal(context(ledger), { run: run.run, jobFile: job }, (it) =>
      reported.push(it),
    );
    expect(compared).toMatchObject({ rows: 2, differing: 1, exitCode: 1 });
    expect(reported).toMatchObject([
      {
        row: 3,
        rehearsed: { status: 'succeeded', code: '1' },
        happened: { status: 'rejected', code: '2' },
        columns: ['assetStatus'],
      },
    ]);
  });
});
