import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gatherPage, writeHtmlReport } from '../../src/run/report/html-report.js';
import { systemClock } from '../../src/util/clock.js';
import { type Answer, FakePlatform, ordersDone } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import {
  carry,
  closeBatch,
  openBatch,
  order,
  planRun,
  runStart,
  SUCCEEDED,
} from '../support/ledger-samples.js';
import { orderJob, orderRows } from '../support/orders.js';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await Fixture.open();
});
afterEach(() => fixture.close());

const parts = (language: 'en' | 'zh' = 'en') => ({
  ledger: fixture.ledger,
  language,
  clock: systemClock,
  warn: () => {},
});

async function pageOf(id: string) {
  const run = await fixture.ledger.runs.get(id);
  if (!run) throw new Error(`no run ${id}`);
  return gatherPage(parts(), run);
}

/** A run of so many orders on a platform that replies as configured. */
async function runOrders(count: number, answer: (row: number) => Answer | undefined, extra = '') {
  const platform = await new FakePlatform((seen) => {
    const asset = JSON.stringify(seen.body).match(/"A(\d+)"/)?.[1] ?? '0';
    return answer(Number(asset)) ?? ordersDone(seen);
  }).start();
  try {
    const job = await fixture.file('job.yaml', orderJob({ extra }));
    await fixture.file('orders.csv', orderRows(count));
    return await fixture.run(job, { connection: platform.connection(), extension: '.csv' });
  } finally {
    await platform.stop();
  }
}

describe('the page of a run', () => {
  it('adds up, names every end and every reason', async () => {
    const refused = (row: number): Answer => ({
      body: { code: '13004', message: `order of row ${row} is refused`, cause: 'X', data: null },
    });
    const end = await runOrders(
      40,
      (row) =>
        row <= 5 ? refused(row) : row === 6 ? 'reset' : row === 7 ? { body: {}, status: 502 } : undefined,
      'run: { retries: 0 }\n',
    );
    const page = await pageOf(end.run);
    expect(page.counts).toEqual([
      { status: 'succeeded', rows: 33 },
      { status: 'rejected', rows: 5 },
      { status: 'unknown', rows: 2 },
    ]);
    expect(page.messages.map((it) => [it.status, it.rows])).toEqual([
      ['unknown', 2],
      ['rejected', 5],
    ]);
    expect(page.messages[1]?.groups).toEqual([
      { text: 'order of row … is refused (cause: X)', code: '13004', rows: 5, firstRow: 2 },
    ]);
    expect(page.problems.rows.map((it) => it.row)).toEqual([2, 3, 4, 5, 6, 7, 8]);
    expect(page.figures.kinds).toEqual([
      { event: 'reply', httpStatus: 200, sent: true, attempts: 38, settled: 38 },
      { event: 'reset', sent: true, attempts: 1, settled: 1 },
      { event: 'reply', httpStatus: 502, sent: true, attempts: 1, settled: 1 },
    ]);
    const bins = page.figures.timeline ?? [];
    const sum = (of: (bin: (typeof bins)[number]) => number): number =>
      bins.reduce((all, it) => all + of(it), 0);
    expect([sum((it) => it.answered), sum((it) => it.others), sum((it) => it.settled)]).toEqual([38, 2, 40]);
    expect(page.figures.latency?.p50).toBeGreaterThan(0);
    expect(page.run).toMatchObject({ state: 'completed', sandbox: false, requests: 40, output: end.output });
  });

  it('asks the platform about unknown rows only where that can be done', async () => {
    const end = await runOrders(2, () => 'reset', 'run: { retries: 0 }\n');
    // A lock order can't be looked up: the list shows cloud assets only.
    expect((await pageOf(end.run)).steps[0]?.commands[0]).toContain('--row 2 --as succeeded');
  });

  it('asks the platform where any unknown row can be looked up, though the first one cannot', async () => {
    const body = (licenseType: string) => ({
      enterpriseGlobalId: 'E1',
      licenseType,
      assets: [{ assetNos: ['A1'] }],
    });
    const orders = [
      order(2, { body: body('normal_recover_usbkey') }),
      order(3, { body: body('cloud_account') }),
    ];
    await planRun(fixture.ledger, 'r1', orders, settled('r1'));
    await carry(fixture.ledger, 'r1', 1, { 1: { status: 'unknown' } });
    await carry(fixture.ledger, 'r1', 2, { 2: { status: 'unknown' } });
    await fixture.ledger.runs.patch('r1', { state: 'completed' });
    expect((await pageOf('r1')).steps[0]?.commands).toContain('license-sync resolve r1 --verify');
  });

  it('is there for a run that holds nothing, and for one cut off in the middle', async () => {
    await fixture.ledger.runs.create(settled('r0'));
    expect(await pageOf('r0')).toMatchObject({
      counts: [],
      figures: { kinds: [] },
      run: { state: 'cut_off' },
    });
    await planRun(fixture.ledger, 'r1', [order(2), order(3), order(4)], settled('r1'));
    await fixture.ledger.runs.patch('r1', { state: 'executing' });
    await carry(fixture.ledger, 'r1', 1, { 1: SUCCEEDED });
    await openBatch(fixture.ledger, 'r1', 2);
    const page = await pageOf('r1');
    expect(page.counts.map((it) => [it.status, it.rows])).toEqual([
      ['succeeded', 1],
      ['unknown', 1],
      ['not_sent', 1],
    ]);
    expect(page.figures.kinds).toContainEqual({ event: 'open', attempts: 1, settled: 0 });
    expect(page.steps[0]?.commands).toEqual(['license-sync resume r1']);
    await closeBatch(fixture.ledger, 'r1', 2, { 2: SUCCEEDED });
  });

  it('names the run that rows wait for', async () => {
    const key = { key: 'K' };
    await planRun(fixture.ledger, 'r1', [order(2, key)], settled('r1'));
    await carry(fixture.ledger, 'r1', 1, { 1: { status: 'unknown' } });
    await planRun(fixture.ledger, 'r2', [order(2, key)], settled('r2'));
    await openBatch(fixture.ledger, 'r2', 1);
    await fixture.ledger.runs.patch('r2', { state: 'completed' });
    const page = await pageOf('r2');
    expect(page.counts).toEqual([{ status: 'skipped', rows: 1 }]);
    expect(page.problems.rows).toMatchObject([{ row: 2, status: 'skipped' }]);
    expect(page.steps[0]?.commands).toContain('license-sync resolve r1 --verify');
  });

  it('is written whole, in the language asked for', async () => {
    const end = await runOrders(1, () => undefined);
    const run = await fixture.ledger.runs.get(end.run);
    const file = path.join(fixture.folder, 'new', 'run.html');
    expect(run && (await writeHtmlReport(parts('zh'), run, file))).toBe(file);
    expect(await readFile(file, 'utf8')).toContain('全部 1 行均正常。');
  });

  it('needs a run that is not pruned, and no comparison', async () => {
    await fixture.ledger.runs.create(settled('r1', { operation: 'reconcile.asset', kind: 'reconcile' }));
    await expect(pageOf('r1')).rejects.toMatchObject({ detail: { code: 'run.is_reconciliation' } });
    const end = await runOrders(1, () => undefined);
    await fixture.ledger.runs.prune(Number.MAX_SAFE_INTEGER);
    await expect(pageOf(end.run)).rejects.toMatchObject({ detail: { code: 'run.pruned' } });
  });
});

/** A run with as much of its settings as a page needs. */
function settled(id: string, change: Parameters<typeof runStart>[1] = {}) {
  const connection = { name: 'fake', sandbox: false, timezone: 'Asia/Shanghai' };
  return runStart(id, { settings: { job: { safety: { duplicates: 'skip' } }, connection }, ...change });
}
