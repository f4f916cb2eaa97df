import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSendingJob } from '../../src/job/load.js';
import type { JsonObject } from '../../src/model/json.js';
import { ALL_OPERATIONS } from '../../src/platform/operations/catalogue.js';
import { nothingToRevert } from '../../src/run/eligibility.js';
import { readPlanFiles } from '../../src/run/plan/plan-refusal.js';
import { explainRow } from '../../src/run/report/explain.js';
import { revertRun } from '../../src/run/revert/revert.js';
import type { RunEnd } from '../../src/run/run-end.js';
import { applyPlan, startRun } from '../../src/run/start-run.js';
import {
  type Answer,
  FakePlatform,
  ordersDone,
  ordersMadeAnew,
  type Seen,
} from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { LEDGER_MAKERS, SQLITE } from '../support/ledgers.js';
import { orderJob, orderRows } from '../support/orders.js';
import { readSheet } from '../support/read-sheet.js';

const LOCKS = `version: 1
name: locks
operation: asset.lock
source: { file: locks.csv }
map: { assetNums: Locks, operatorIdentity: { value: ops@example.com } }
`;

const BIND = `version: 1
name: bind
operation: enterprise.bind
source: { file: bind.csv }
map:
  channelCode: { value: CH }
  channelCustomerId: Customer
  customerName: Customer
  branchName: Customer
  enterpriseName: Customer
  passwordMobile: { value: "13800000001" }
`;

/** All locks and all customers as they should be; orders as a test says. */
const carriedOut = (seen: Seen): Answer => carriedBy(ordersDone, seen);

function carriedBy(orders: (seen: Seen) => Answer, seen: Seen): Answer {
  if (seen.path.includes('/asset/')) {
    const data = (seen.body.assetNums as string[]).map((assetNum) => ({ assetNum, status: 1 }));
    return { body: { code: 0, message: '', data } };
  }
  if (seen.path.endsWith('/bind')) {
    const data = {
      channelCode: seen.body.channelCode,
      channelCustomerId: seen.body.channelCustomerId,
      customerId: 'C',
      enterpriseGlobalId: 'E',
      enterpriseName: 'N',
      defaultCustomer: 'Y',
    };
    return { body: { code: 0, message: '', data } };
  }
  return orders(seen);
}

/** An order that came before. */
const orderSeen = (number: string): Seen => ({
  path: '',
  nonce: '',
  query: new URLSearchParams(),
  authorization: '',
  body: { channelOrderId: number, orderList: [{ sequence: 1 }] },
});

describe.each(LEDGER_MAKERS)('reverting a run ($name)', (maker) => {
  let fixture: Fixture;
  let platform: FakePlatform;

  beforeEach(async () => {
    fixture = await Fixture.open(maker);
    platform = await new FakePlatform(carriedOut).start();
  });

  afterEach(async () => {
    await platform.stop();
    await fixture.close();
  });

  const connection = () => platform.connection();
  const orderOf = ({ body }: Seen): string => String(body.channelOrderId);
  const ordersSent = (): JsonObject[] =>
    platform.seen.flatMap(({ body }) => (body.orderList ?? []) as readonly JsonObject[]);

  async function run(name: string, rows: string, job: string): Promise<RunEnd> {
    await fixture.file(name, rows);
    const file = await fixture.file(name.replace('.csv', '.yaml'), job);
    const end = await fixture.run(file, {
      connection: connection(),
      set: ['run.timeout=2s', 'run.retries=0', 'run.concurrency=1', 'run.onInvalid=skip'],
    });
    platform.seen.length = 0;
    return end;
  }

  const orders = (rows = orderRows(4), job = orderJob()) => run('orders.csv', rows, job);

  async function revert(id: string, rows?: readonly number[]): Promise<RunEnd> {
    const wanted = await fixture.ledger.runs.get(id);
    return revertRun(fixture.parts(), wanted!, {
      connection: connection(),
      change: (it) => it,
      ...(rows ? { rows } : {}),
    });
  }

  async function apply(plan: string, confirm = true): Promise<RunEnd> {
    const kept = await fixture.ledger.runs.get(plan);
    const conditions = await readPlanFiles(kept!, connection(), Number.POSITIVE_INFINITY);
    return applyPlan(fixture.parts({ confirm }), kept!, conditions, (it) => it);
  }

  const staying = (end: RunEnd) => (end.stays ?? []).map(({ row, reason }) => `${row} ${reason.code}`);

  it('sends nothing the second time, nor what another plan has undone by the time it is applied', async () => {
    const first = await orders();
    const left = async () =>
      nothingToRevert(fixture.ledger, (await fixture.ledger.runs.get(first.run))!, 100);
    const [one, two] = [await revert(first.run), await revert(first.run)];
    expect(await left()).toBeUndefined();
    await apply(one.run);
    expect(await left()).toMatchObject({ code: 'revert.all_undone', params: { by: one.run } });
    expect(ordersSent()).toHaveLength(4);
    expect((await apply(two.run)).counts).toEqual({ skipped: 4 });
    const third = await revert(first.run);
    expect(third).toMatchObject({ kind: 'dry_run', counts: { skipped: 4 } });
    expect(staying(third)).toEqual([2, 3, 4, 5].map((row) => `${row} revert.undone`));
    expect(ordersSent()).toHaveLength(4);
  });

  // The rest is the same on both: contract/ runs the ledger's statements on each.
  if (maker !== SQLITE) return;

  it('lets what was undone be ordered again, and nothing else', async () => {
    const first = await orders();
    const plan = await revert(first.run, [2]);
    platform.answer = ordersMadeAnew();
    platform.answer(orderSeen('SO-1'), 0);
    expect((await orders()).counts).toEqual({ skipped: 4 });
    await apply(plan.run);
    const again = await orders();
    expect(again.counts).toEqual({ succeeded: 1, skipped: 3 });
    // That one holds it now, and is reverted by itself.
    expect((await orders()).counts).toEqual({ skipped: 4 });
    expect(staying(await revert(first.run, [2]))).toEqual(['2 revert.undone']);
    expect((await revert(again.run)).counts).toEqual({ valid: 1 });
  });

  it('keeps the key of an order whose reversal failed or has an uncertain outcome', async () => {
    const first = await orders(orderRows(2));
    const plan = await revert(first.run);
    platform.answer = (seen) =>
      (seen.body.orderList as JsonObject[])[0]?.srcLicenseOrderId === 'LO-SO-1-1'
        ? 'reset'
        : { body: { code: '20003', message: 'no', cause: '' } };
    expect((await apply(plan.run)).counts).toEqual({ unknown: 1, rejected: 1 });
    platform.answer = carriedOut;
    expect((await orders(orderRows(2))).counts).toEqual({ skipped: 2 });
    const second = await revert(first.run);
    expect(staying(second)).toEqual(['2 revert.perhaps_undone']);
    expect((await apply(second.run)).counts).toEqual({ skipped: 1, succeeded: 1 });
  });

  it('takes the orders and locks of a run of steps back, the last step first, and lists the other steps', async () => {
    await fixture.file('steps.csv', 'Order,Customer,Asset,Nodes\nSO-1,A,1,5\nSO-2,B,2,5\nSO-2,B,3,5\n');
    const indented = (job: string): string =>
      job.slice(job.indexOf('map:')).trimEnd().split('\n').join('\n    ');
    const file = await fixture.file(
      'steps.yaml',
      `version: 1
name: onboard
source: { file: steps.csv }
steps:
  - name: customer
    operation: enterprise.bind
    ${indented(BIND)}
  - name: order
    operation: order.new_buy
    ${indented(orderJob())}
  - name: lock
    operation: asset.lock
    ${indented(LOCKS).replace('Locks,', 'Asset,')}
`,
    );
    const options = { env: {}, operations: ALL_OPERATIONS, set: ['run.retries=0', 'run.concurrency=1'] };
    const loaded = await loadSendingJob(file, options);
    const job = { ...loaded, output: { file: path.join(fixture.folder, 'results', '{job}-{run}.xlsx') } };
    const onboard = () => startRun(fixture.parts({ confirm: true }), job, connection(), 'run');
    const first = await onboard();
    expect(first).toMatchObject({ operation: 'steps', counts: { succeeded: 3 } });
    platform.seen.length = 0;
    const plan = await revert(first.run);
    expect(plan).toMatchObject({ kind: 'plan', operation: 'steps', reverts: first.run });
    expect((plan.stays ?? []).map((it) => `${it.row} ${it.step} ${it.reason.code}`)).toEqual(
      [2, 3, 4].map((row) => `${row} customer way_back.no_endpoint`),
    );
    await apply(plan.run);
    const asked = platform.seen.map((it) => it.path.split('/').at(-1));
    expect(asked).toEqual(['unlock', 'batchOrder', 'batchOrder']);
    expect(ordersSent().map((it) => it.assets)).toEqual([[{ assetNos: ['1'] }], [{ assetNos: ['2', '3'] }]]);
    expect(await revert(first.run)).toMatchObject({ kind: 'dry_run', counts: { skipped: 3 } });
    platform.seen.length = 0;
    const anew = ordersMadeAnew();
    for (const it of ['SO-1', 'SO-2']) anew(orderSeen(it));
    platform.answer = (seen) => carriedBy(anew, seen);
    // The customers are there still; what was reverted is sent again.
    expect((await onboard()).counts).toEqual({ succeeded: 3 });
    expect(platform.seen.map((it) => it.path.split('/').at(-1))).toEqual([
      'batchOrder',
      'batchOrder',
      'lock',
    ]);
  });

  it('makes a plan that sends nothing, and revokes all assets of each order by its licence order', async () => {
    const rows = 'Order,Customer,Asset,Nodes\nSO-1,Ann,0071,5\nSO-1,Ann,0072,5\nSO-2,"B, the b;e",0073,5\n';
    const first = await orders(rows);
    const plan = await revert(first.run);
    expect(platform.seen).toEqual([]);
    expect(plan).toMatchObject({
      kind: 'plan',
      job: 'orders-revert',
      operation: 'order.delete_asset',
      counts: { valid: 2 },
      reverts: first.run,
      stays: [],
    });
    expect((await apply(plan.run)).counts).toEqual({ succeeded: 2 });
    expect(platform.seen.map(orderOf)).toEqual([`LS-${plan.run}-1`, `LS-${plan.run}-2`]);
    expect(ordersSent()).toMatchObject([
      {
        orderType: 'delete_asset',
        srcLicenseOrderId: 'LO-SO-1-1',
        customerName: 'Ann',
        adminAccount: 'admin',
      },
      { orderType: 'delete_asset', srcLicenseOrderId: 'LO-SO-2-1', customerName: 'B, the b;e' },
    ]);
    expect(ordersSent().map((it) => it.assets)).toEqual([
      [{ assetNos: ['0071', '0072'] }],
      [{ assetNos: ['0073'] }],
    ]);
  });

  it('revokes only the products of an order that extended a lock, and the assets of the others', async () => {
    const job = orderJob()
      .replace('      products:\n', '      products:\n        each: [Product]\n')
      .replace('crmProductId: { value: P1 }', 'crmProductId: Product');
    const header = 'Order,Customer,Asset,Product,Nodes\n';
    await orders(`${header}SO-1,Ann,0071,P1,5\n`, job);
    const second = await orders(
      `${header}SO-2,Ann,0071,P1,5\nSO-2,Ann,0071,P2,5\nSO-2,Ann,0072,P3,5\nSO-3,Ann,0073,P1,5\n`,
      job,
    );
    expect(second.counts).toEqual({ succeeded: 4 });
    const plan = await revert(second.run);
    expect(plan.stays).toEqual([]);
    expect((await apply(plan.run)).status).toBe('completed');
    expect(ordersSent()).toMatchObject([
      { orderType: 'delete_product', srcLicenseOrderId: 'LO-SO-2-1' },
      { orderType: 'delete_asset', srcLicenseOrderId: 'LO-SO-3-1' },
    ]);
    expect(ordersSent().map((it) => it.assets)).toEqual([
      [
        {
          assetNos: ['0071'],
          products: [
            { crmProductId: 'P1', productUri: 'uri', limitConcurrent: 5, strictMatchWhenDelete: false },
            { crmProductId: 'P2', productUri: 'uri', limitConcurrent: 5, strictMatchWhenDelete: false },
          ],
        },
        {
          assetNos: ['0072'],
          products: [
            { crmProductId: 'P3', productUri: 'uri', limitConcurrent: 5, strictMatchWhenDelete: false },
          ],
        },
      ],
      [{ assetNos: ['0073'] }],
    ]);
    expect((await revert(second.run)).stays?.map((it) => it.reason.code)).toContain('revert.undone');
  });

  it('revokes the products of packages that extended a lock, at any depth', async () => {
    const product = (id: string, indent: string): string =>
      [
        `crmProductId: { value: ${id} }`,
        'parentCrmProductId: { value: PP1 }',
        'productUri: { value: uri }',
        'productName: { value: Product }',
        'productType: { value: software }',
        'limitConcurrent: Nodes',
        'limitTimeDuration: { value: 0 }',
        'trial: { value: 0 }',
        'trialEndDate: { value: 0 }',
        'timeUnit: { value: month }',
        'timeUnitQuantity: { value: 12 }',
        'timeDurationExpression: { value: 1-0-0 }',
      ]
        .map((it) => `${indent}${it}\n`)
        .join('');
    const pack = (id: string, indent: string): string =>
      [
        `crmProductId: { value: ${id} }`,
        'parentCrmProductId: { value: PP1 }',
        'merchandiseNum: { value: M1 }',
        'merchandiseName: { value: Package }',
        'parentMerchandiseNum: { value: M0 }',
        'timeDurationExpression: { value: 1-0-0 }',
      ]
        .map((it) => `${indent}${it}\n`)
        .join('');
    const single = orderJob();
    const packages = `${single.slice(0, single.indexOf('      products:'))}      merchandises:
${pack('PK1', ' '.repeat(8))}        licenseOrderProductList:
${product('P1', ' '.repeat(10))}        children:
${pack('PK2', ' '.repeat(10))}          licenseOrderProductList:
${product('P2', ' '.repeat(12))}`;
    await orders('Order,Customer,Asset,Nodes\nSO-1,Ann,0071,5\n');
    const second = await orders('Order,Customer,Asset,Nodes\nSO-2,Ann,0071,5\nSO-3,Ann,0072,5\n', packages);
    expect(second.counts).toEqual({ succeeded: 2 });
    const plan = await revert(second.run);
    expect((await apply(plan.run)).status).toBe('completed');
    expect(ordersSent()).toMatchObject([
      {
        orderType: 'delete_product',
        srcLicenseOrderId: 'LO-SO-2-1',
        assets: [{ assetNos: ['0071'], products: [{ crmProductId: 'P1' }, { crmProductId: 'P2' }] }],
      },
      { orderType: 'delete_asset', srcLicenseOrderId: 'LO-SO-3-1', assets: [{ assetNos: ['0072'] }] },
    ]);
  });

  it('revokes only products where all orders of a run extended locks', async () => {
    await orders('Order,Customer,Asset,Nodes\nSO-1,Ann,0071,5\n');
    const second = await orders('Order,Customer,Asset,Nodes\nSO-2,Ann,0071,5\n');
    const plan = await revert(second.run);
    expect(plan).toMatchObject({ operation: 'order.delete_product', counts: { valid: 1 } });
    expect((await apply(plan.run)).counts).toEqual({ succeeded: 1 });
  });

  it('lists what is unknown, and says nothing of what had no effect', async () => {
    platform.answer = (seen) => {
      if (orderOf(seen) === 'SO-2') return 'reset';
      if (orderOf(seen) === 'SO-3') return { body: { code: '13004', message: 'no', cause: '' } };
      return ordersDone(seen);
    };
    const first = await orders();
    const plan = await revert(first.run);
    expect(plan.counts).toEqual({ valid: 2, skipped: 1 });
    expect(staying(plan)).toEqual(['3 revert.unknown']);
    expect((await readSheet(plan.output!, 'Results'))[1]).toMatchObject({
      row: '3',
      status: 'skipped',
      message: 'not reverted: whether it was executed is unknown: resolve it first with license-sync resolve',
    });
    platform.answer = carriedOut;
    await apply(plan.run);
    expect(ordersSent().map((it) => it.srcLicenseOrderId)).toEqual(['LO-SO-1-1', 'LO-SO-4-1']);
  });

  it('reverts only the rows that are named, with the rest of their order, and says of others that they did nothing', async () => {
    platform.answer = (seen) =>
      orderOf(seen) === 'SO-3' ? { body: { code: '13004', message: 'no', cause: '' } } : ordersDone(seen);
    const rows = 'Order,Customer,Asset,Nodes\nSO-1,A,1,5\nSO-2,B,2,5\nSO-2,B,3,5\nSO-3,C,4,5\n';
    const first = await orders(rows);
    const plan = await revert(first.run, [4, 5]);
    expect(staying(plan)).toEqual(['5 way_back.not_done']);
    await apply(plan.run);
    expect(ordersSent().map((it) => it.assets)).toEqual([[{ assetNos: ['2', '3'] }]]);
    await expect(revert(first.run, [99])).rejects.toThrow(/99/);
  });

  it('does not treat it as done when the platform answers an order with the one that was reverted', async () => {
    const first = await orders(orderRows(2));
    await apply((await revert(first.run)).run);
    const again = await orders(orderRows(2));
    expect(again).toMatchObject({ counts: { unknown: 2 }, exitCode: 6 });
    const row = await fixture.ledger.report.row(again.run, 2);
    expect(row?.result.messages[0]?.text).toMatchObject({
      code: 'run.answered_undone',
      params: { order: 'LO-SO-1-1', row: 2 },
    });
    expect((await orders(orderRows(2))).counts).toEqual({ skipped: 2 });
  });

  it('sends what takes an accepted order back the same way, with a warning, and frees no key by it', async () => {
    const job = orderJob().replace('value: sync', 'value: async');
    const first = await orders(orderRows(1), job);
    expect(first.counts).toEqual({ accepted: 1 });
    const plan = await revert(first.run);
    expect(plan.warnings?.map((it) => it.code)).toContain('revert.accepted');
    expect((await apply(plan.run)).counts).toEqual({ accepted: 1 });
    expect(platform.seen[0]?.body.syncMode).toBe('async');
    expect((await orders(orderRows(1), job)).counts).toEqual({ skipped: 1 });
    expect(staying(await revert(first.run))).toEqual(['2 revert.undone']);
  });

  it('is held by maxDeletes of the job', async () => {
    const first = await orders(orderRows(4), orderJob({ extra: 'safety: { maxDeletes: 3 }\n' }));
    const plan = await revert(first.run);
    const held = await apply(plan.run);
    expect(held).toMatchObject({ status: 'stopped', exitCode: 4 });
    expect(platform.seen).toEqual([]);
  });

  it('asks for a confirmation', async () => {
    const plan = await revert((await orders()).run);
    expect(await apply(plan.run, false)).toMatchObject({ status: 'stopped', exitCode: 4 });
    expect(platform.seen).toEqual([]);
  });

  it('lists every row of what has no reversal, in a dry run', async () => {
    const first = await run('bind.csv', 'Customer\nA\nB\n', BIND);
    expect(first.counts).toEqual({ succeeded: 2 });
    const plan = await revert(first.run);
    expect(plan).toMatchObject({ kind: 'dry_run', items: 0, counts: { skipped: 2 }, exitCode: 0 });
    expect(staying(plan)).toEqual(['2 way_back.no_endpoint', '3 way_back.no_endpoint']);
    expect(await readSheet(plan.output!, 'Results')).toHaveLength(2);
  });

  it('unlocks what was locked, each lock once, with a line of its own', async () => {
    const first = await run('locks.csv', 'Locks,Note\nL1;L2,a\nL3,b\nL1,c\n', LOCKS);
    expect(first.counts).toEqual({ succeeded: 3 });
    const [plan, other] = [await revert(first.run), await revert(first.run)];
    expect(plan).toMatchObject({ operation: 'asset.unlock', counts: { valid: 3 }, items: 3 });
    expect((await readSheet(plan.output!, 'Results')).map((it) => it.row)).toEqual(['2', '3', '5']);
    await apply(plan.run);
    expect(platform.seen.map((it) => [it.path.split('/').at(-1), it.body])).toEqual([
      ['unlock', { assetNums: ['L1', 'L3', 'L2'], operatorIdentity: 'ops@example.com' }],
    ]);
    expect((await apply(other.run)).counts).toEqual({ skipped: 3 });
    expect(staying(await revert(first.run))).toHaveLength(4);
    // The other way round; then the first one is in force again.
    const back = await revert(plan.run);
    expect(back.operation).toBe('asset.lock');
    await apply(back.run);
    expect((await revert(first.run)).counts).toEqual({ valid: 3 });
    expect(platform.seen).toHaveLength(2);
  });

  it('is reported by both runs, and says what is safe next', async () => {
    const first = await orders(orderRows(2));
    const plan = await revert(first.run);
    const next = async (row: number) =>
      (await explainRow(fixture.ledger, (await fixture.ledger.runs.get(first.run))!, row)).next.code;
    expect(await next(2)).toBe('next.succeeded');
    await apply(plan.run);
    expect(await next(2)).toBe('next.undone');
    expect(await fixture.ledger.reversals.by(first.run)).toEqual([{ run: plan.run, rows: 2, succeeded: 2 }]);
  });

  it('refuses what did nothing by itself, is not over, or no longer exists', async () => {
    const first = await orders(orderRows(1));
    const plan = await revert(first.run);
    await expect(revert(plan.run)).rejects.toThrow('plan or a dry run');
    const kept = (await fixture.ledger.runs.get(first.run))!;
    const wanted = { connection: connection(), change: <T>(it: T) => it };
    const going = revertRun(fixture.parts(), { ...kept, state: 'executing' }, wanted);
    await expect(going).rejects.toThrow('has not finished');
    const comparison = revertRun(fixture.parts(), { ...kept, kind: 'reconcile' }, wanted);
    await expect(comparison).rejects.toThrow('is a comparison');
    await expect(revertRun(fixture.parts(), { ...kept, prunedAt: 1 }, wanted)).rejects.toThrow('pruned');
  });

  it('undoes as many orders as succeeded, but for those that it lists, whatever came of them', async () => {
    let seed = 7;
    const random = (): number => {
      seed = (seed * 16807) % 2147483647;
      return seed / 2147483647;
    };
    for (let round = 0; round < maker.histories(6); round += 1) {
      const count = 6 + Math.floor(random() * 10);
      const draws = Array.from({ length: count }, () => random());
      const numbered = (seen: Seen): number => Number(orderOf(seen).split('-')[1]) - 1 - round * 100;
      platform.answer = (seen) => {
        const draw = draws[numbered(seen)] ?? 1;
        if (draw < 0.15) return 'reset';
        if (draw < 0.3) return { body: { code: '13004', message: 'no', cause: '' } };
        if (draw < 0.4) return 'unreached';
        return ordersDone(seen);
      };
      const first = await orders(orderRows(count, 1 + round * 100));
      const plan = await revert(first.run);
      const { succeeded = 0, unknown = 0 } = first.counts;
      expect(plan.stays).toHaveLength(unknown);
      expect(plan.items).toBe(succeeded);
      platform.answer = carriedOut;
      if (plan.kind === 'plan') await apply(plan.run);
      expect(new Set(ordersSent().map((it) => it.srcLicenseOrderId)).size).toBe(succeeded);
      expect(ordersSent()).toHaveLength(succeeded);
    }
  });
});
