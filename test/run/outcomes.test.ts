import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rowsByStatus } from '../../src/run/report/row-results.js';
import { resumeRun } from '../../src/run/start-run.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { type Answer, FakePlatform, ordersDone, type Seen } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob, orderRows } from '../support/orders.js';
import { readSheet } from '../support/read-sheet.js';

let fixture: Fixture;
let platform: FakePlatform;

beforeEach(async () => {
  fixture = await Fixture.open();
  platform = await new FakePlatform(ordersDone).start();
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
});

const QUICK = ['run.timeout=2s', 'run.retries=2'];

async function runOrders(
  rows: string,
  options: { readonly job?: string; readonly set?: readonly string[] } = {},
) {
  await fixture.file('orders.csv', rows);
  const job = await fixture.file('job.yaml', options.job ?? orderJob());
  return fixture.run(job, { connection: platform.connection(), set: options.set ?? QUICK });
}

const orderOf = (seen: Seen): string => String(seen.body.channelOrderId);

describe('the outcome of orders', () => {
  it('sends every row and reports its outcome', async () => {
    const end = await runOrders(orderRows(25));
    expect(end).toMatchObject({
      status: 'completed',
      rows: 25,
      counts: { succeeded: 25 },
      requests: 25,
      retries: 0,
      exitCode: 0,
    });
    const lines = await readSheet(end.output ?? '');
    expect(lines.map((it) => it.licenseOrderId)).toEqual(
      Array.from({ length: 25 }, (_, at) => `LO-SO-${at + 1}-1`),
    );
    expect(lines.map((it) => it.row)).toEqual(Array.from({ length: 25 }, (_, at) => String(at + 2)));
    expect(new Set(platform.seen.map((it) => it.nonce)).size).toBe(25);
    expect(platform.seen[0]?.authorization).toBe('Bearer s3cret-token');
  });

  it('never sends an order again whose outcome is uncertain', async () => {
    const doubtful: Record<string, Answer> = {
      'SO-1': 'reset',
      'SO-2': 'hang',
      'SO-3': { text: '<html>' },
      'SO-4': { status: 503, body: {} },
      'SO-5': { body: { code: 0, message: 'success' } },
    };
    platform.answer = (seen) => doubtful[orderOf(seen)] ?? ordersDone(seen);
    const end = await runOrders(orderRows(6), { set: ['run.timeout=1s'] });
    expect(end.counts).toEqual({ unknown: 5, succeeded: 1 });
    expect(end.exitCode).toBe(6);
    expect(platform.seen).toHaveLength(6);
  });

  it('retries business code 500 with the same channelOrderId and a fresh nonce, then calls it unknown', async () => {
    platform.answer = (seen, count) =>
      orderOf(seen) === 'SO-1' || count < 3
        ? { body: { code: '500', message: 'network', cause: '' } }
        : ordersDone(seen);
    const end = await runOrders(orderRows(2), { set: ['run.concurrency=1', 'run.retries=2'] });
    expect(end.counts).toEqual({ unknown: 1, succeeded: 1 });
    const first = platform.seen.filter((it) => orderOf(it) === 'SO-1');
    expect(first).toHaveLength(3);
    expect(new Set(first.map((it) => it.nonce)).size).toBe(3);
  });

  it('does not call an order failed whose first attempt may have been executed', async () => {
    platform.answer = (_seen, count) =>
      count === 1 ? { body: { code: '500', message: 'network', cause: '' } } : 'unreached';
    const end = await runOrders(orderRows(1));
    expect(end.counts).toEqual({ unknown: 1 });
    expect(end.exitCode).toBe(6);
  });

  it('does not call an order rejected whose first attempt may have been executed', async () => {
    platform.answer = (_seen, count) =>
      count === 1
        ? { body: { code: '500', message: 'network', cause: '' } }
        : { body: { code: '13004', message: 'this channelOrderId is taken', cause: '' } };
    const end = await runOrders(orderRows(1));
    expect(end.counts).toEqual({ unknown: 1 });
    expect((await readSheet(end.output ?? ''))[0]?.message).toContain('this channelOrderId is taken');
  });

  it('does not send again after a Ctrl-C what waited for a retry and was reported as unknown', async () => {
    const stop = new StopSignal();
    platform.answer = () => {
      setTimeout(() => stop.stop({ kind: 'interrupted' }), 30);
      return { body: { code: '500', message: 'network', cause: '' } };
    };
    await fixture.file('orders.csv', orderRows(1));
    const job = await fixture.file('job.yaml', orderJob());
    const end = await fixture.run(job, { connection: platform.connection(), parts: { stop } });
    if (platform.seen.length === 1) expect(end.counts).toEqual({ unknown: 1 });
    const before = platform.seen.length;
    platform.answer = ordersDone;
    const again = await resumeRun(fixture.parts(), (await fixture.ledger.runs.get(end.run))!, (it) => it);
    expect(again.counts).toEqual({ unknown: 1 });
    expect(platform.seen).toHaveLength(before);
  });

  it('gives rejected rows the platform’s code and words', async () => {
    platform.answer = (seen) =>
      orderOf(seen) === 'SO-2'
        ? { body: { code: '13004', message: 'adminEmail is malformed', cause: 'x' } }
        : orderOf(seen) === 'SO-3'
          ? { status: 299, body: { code: '20001', message: 'no such customer', cause: 'why' } }
          : ordersDone(seen);
    const end = await runOrders(orderRows(3));
    expect(end.counts).toEqual({ succeeded: 1, rejected: 2 });
    expect(end.exitCode).toBe(1);
    const lines = await readSheet(end.output ?? '');
    expect(lines[1]).toMatchObject({ status: 'rejected', code: '13004' });
    expect(lines[1]?.message).toContain('adminEmail is malformed');
    expect(lines[2]).toMatchObject({ status: 'rejected', code: '20001' });
  });

  it('stops at a 401, resumable, with nothing reported as sent', async () => {
    let expired = true;
    platform.answer = (seen) =>
      expired && orderOf(seen) !== 'SO-1' ? { status: 401, body: {} } : ordersDone(seen);
    const end = await runOrders(orderRows(10), { set: ['run.concurrency=1'] });
    expect(end).toMatchObject({ status: 'stopped', exitCode: 4, counts: { succeeded: 1, not_sent: 9 } });
    expect(platform.seen).toHaveLength(2);
    expired = false;
    const run = await fixture.ledger.runs.get(end.run);
    const again = await resumeRun(fixture.parts(), run!, (it) => it);
    expect(again).toMatchObject({ status: 'completed', exitCode: 0, counts: { succeeded: 10 } });
    expect(platform.seen).toHaveLength(11);
  });

  it('stops after so many failures in a row', async () => {
    platform.answer = () => ({ status: 500, body: {} });
    const end = await runOrders(orderRows(40), { set: ['run.stopAfterFailures=5', 'run.concurrency=1'] });
    expect(end).toMatchObject({ status: 'stopped', counts: { unknown: 5, not_sent: 35 }, exitCode: 6 });
  });

  it('stops after three refusals alike', async () => {
    platform.answer = () => ({ status: 404, body: {} });
    const end = await runOrders(orderRows(10), { set: ['run.concurrency=1'] });
    expect(end).toMatchObject({ status: 'stopped', counts: { rejected: 3, not_sent: 7 }, exitCode: 4 });
  });

  it('does not follow redirects', async () => {
    platform.answer = () => ({ status: 307, body: {}, headers: { location: '/elsewhere' } });
    const end = await runOrders(orderRows(4), { set: ['run.concurrency=1'] });
    expect(end).toMatchObject({ status: 'stopped', counts: { unknown: 1, not_sent: 3 }, exitCode: 6 });
    expect(platform.seen).toHaveLength(1);
  });

  it('continues after Ctrl-C where it stopped', async () => {
    const stop = new StopSignal();
    platform.answer = (seen, count) => {
      if (count === 5) stop.stop({ kind: 'interrupted' });
      return ordersDone(seen);
    };
    await fixture.file('orders.csv', orderRows(30));
    const job = await fixture.file('job.yaml', orderJob());
    const end = await fixture.run(job, {
      connection: platform.connection(),
      set: ['run.concurrency=2'],
      parts: { stop },
    });
    expect(end).toMatchObject({ status: 'interrupted', exitCode: 130 });
    const sent = end.counts.succeeded ?? 0;
    expect(sent).toBeGreaterThanOrEqual(5);
    expect(sent + (end.counts.not_sent ?? 0)).toBe(30);
    const run = await fixture.ledger.runs.get(end.run);
    const again = await resumeRun(fixture.parts(), run!, (it) => it);
    expect(again.counts).toEqual({ succeeded: 30 });
    expect(platform.seen).toHaveLength(30);
  });

  it('refuses a run while the platform’s certificate checks are switched off', async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      await expect(runOrders(orderRows(1))).rejects.toThrow(/NODE_TLS_REJECT_UNAUTHORIZED/);
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
    expect(platform.seen).toHaveLength(0);
  });
});

describe('a row of several locks', () => {
  const locksDone =
    (statusOf: (lock: string) => number) =>
    (seen: Seen): Answer => ({
      body: {
        code: 0,
        message: 'success',
        data: (seen.body.assetNums as string[]).map((assetNum) => ({ assetNum, status: statusOf(assetNum) })),
      },
    });
  const JOB = `version: 1
name: locks
operation: asset.lock
source: { file: locks.csv }
map: { assetNums: Lock, operatorIdentity: { value: ops } }
`;
  const locks = async (rows: readonly string[], job = JOB) => {
    await fixture.file('locks.csv', `Lock\n${rows.join('\n')}\n`);
    return fixture.run(await fixture.file('locks.yaml', job), {
      connection: platform.connection(),
      set: QUICK,
    });
  };

  it('is failed, not rejected, if some of them were locked, and lists each of them', async () => {
    platform.answer = locksDone((lock) => (lock.endsWith('2') ? 2 : 1));
    const end = await locks([
      '"8100000001,8100000002"',
      '8100000012',
      '"8100000022,8100000032"',
      '8100000003',
    ]);
    expect(end).toMatchObject({ exitCode: 1, counts: { failed: 1, rejected: 2, succeeded: 1 } });
    const lines = await readSheet(end.output ?? '');
    expect(lines.map((it) => it.status)).toEqual(['failed', 'rejected', 'rejected', 'succeeded']);
    expect(lines[0]?.message).toMatch(/^8100000001: succeeded; 8100000002: /);
    const rows: number[] = [];
    const run = (await fixture.ledger.runs.get(end.run))!;
    for await (const page of rowsByStatus(fixture.ledger, run, ['failed'], 0))
      rows.push(...page.rows.map((it) => it.row));
    expect(rows).toEqual([2]);
  });

  it('is so within a step too, and a row that a later step rejects stays rejected', async () => {
    platform.answer = locksDone((lock) => (lock.endsWith('2') ? 2 : 1));
    const step = (name: string, lock: string) =>
      `  - { name: ${name}, operation: asset.${name}, map: { assetNums: ${lock}, operatorIdentity: { value: ops } } }\n`;
    const job = `version: 1\nname: locks\nsource: { file: locks.csv }\nsteps:\n${step('lock', 'Lock')}${step('unlock', 'Other')}`;
    await fixture.file(
      'locks.csv',
      'Lock,Other\n"8100000001,8100000002",8100000005\n8100000003,8100000012\n8100000004,8100000006\n',
    );
    const end = await fixture.run(await fixture.file('steps.yaml', job), {
      connection: platform.connection(),
      set: QUICK,
    });
    expect(end.counts).toEqual({ failed: 1, rejected: 1, succeeded: 1 });
    const lines = await readSheet(end.output ?? '');
    expect(lines.map((it) => it.status)).toEqual(['failed', 'rejected', 'succeeded']);
  });
});
