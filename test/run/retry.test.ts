import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { scopeOf } from '../../src/ledger/rules/scopes.js';
import { takeLock } from '../../src/ledger/take-lock.js';
import { nothingToRetry } from '../../src/run/eligibility.js';
import { inRanges, rangesOf } from '../../src/run/input/row-ranges.js';
import { readPlanFiles } from '../../src/run/plan/plan-refusal.js';
import { type RetryInclude, retryRun } from '../../src/run/retry.js';
import { revertRun } from '../../src/run/revert/revert.js';
import type { RunServices } from '../../src/run/run-context.js';
import type { RunEnd } from '../../src/run/run-end.js';
import { applyPlan, resumeRun } from '../../src/run/start-run.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { type Answer, FakePlatform, ordersDone, type Seen } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob, orderRows } from '../support/orders.js';
import { putState } from '../support/put-state.js';
import { readSheet } from '../support/read-sheet.js';

let fixture: Fixture;
let platform: FakePlatform;

beforeEach(async () => {
  fixture = await Fixture.open();
  platform = await new FakePlatform(ordersDone).start();
  vi.stubEnv('RETRY_TOKEN', 's3cret-token');
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await platform.stop();
  await fixture.close();
});

/** The token by way of the environment: a command would cost a process each time. */
const connection = (name = 'fake') =>
  platform.connection({ name, token: { kind: 'env', name: 'RETRY_TOKEN' } });

const orderOf = (seen: Seen): string => String(seen.body.channelOrderId);
const sent = (): string[] => platform.seen.map(orderOf);
const AWAY: Answer = 'unreached';

/** Answers by order; the others are executed. */
function answering(answers: Record<string, Answer>): void {
  platform.answer = (seen) => answers[orderOf(seen)] ?? ordersDone(seen);
}

async function run(
  rows: string,
  options: {
    readonly job?: string;
    readonly set?: readonly string[];
    readonly parts?: Partial<RunServices>;
  } = {},
): Promise<RunEnd> {
  await fixture.file('orders.csv', rows);
  const job = await fixture.file('job.yaml', options.job ?? orderJob());
  return fixture.run(job, {
    connection: connection(),
    set: ['run.timeout=2s', 'run.retries=0', ...(options.set ?? [])],
    ...(options.parts ? { parts: options.parts } : {}),
  });
}

async function retry(
  id: string,
  options: {
    readonly include?: RetryInclude[];
    readonly parts?: Partial<RunServices>;
    readonly on?: string;
    readonly plan?: boolean;
  } = {},
) {
  const parent = await fixture.ledger.runs.get(id);
  return retryRun(fixture.parts(options.parts), parent!, {
    include: new Set(options.include ?? []),
    connection: connection(options.on),
    plan: options.plan,
    change: (it) => it,
  });
}

async function retried(...args: Parameters<typeof retry>): Promise<RunEnd> {
  const end = await retry(...args);
  if ('nothing' in end) throw new Error('nothing was retried');
  return end;
}

const YES: Partial<RunServices> = { confirm: true };

describe('retrying a run', () => {
  it('sends the failed rows alone, with their own row numbers, and reports no others', async () => {
    answering({ 'SO-2': AWAY, 'SO-4': AWAY, 'SO-5': { body: { code: '13004', message: 'no', cause: '' } } });
    const first = await run(orderRows(5));
    expect(first.counts).toEqual({ succeeded: 2, failed: 2, rejected: 1 });
    platform.seen.length = 0;
    platform.answer = ordersDone;
    // The user's file is no longer what it was; the kept copy counts.
    await fixture.file('orders.csv', orderRows(2));
    const end = await retried(first.run);
    expect(end).toMatchObject({
      rows: 2,
      counts: { succeeded: 2 },
      requests: 2,
      parent: first.run,
      exitCode: 0,
    });
    expect(sent().sort()).toEqual(['SO-2', 'SO-4']);
    const lines = await readSheet(end.output ?? '');
    expect(lines.map((it) => `${it.row} ${it.Order} ${it.licenseOrderId}`)).toEqual([
      '3 SO-2 LO-SO-2-1',
      '5 SO-4 LO-SO-4-1',
    ]);
    const again = await retry(first.run);
    if ('nothing' in again) throw new Error('the rows still count as failed in the first run');
    expect(again).toMatchObject({ counts: { skipped: 2 }, requests: 0, exitCode: 0 });
  });

  it('says that there is nothing to retry, and makes no run', async () => {
    const first = await run(orderRows(2));
    expect(await retry(first.run)).toMatchObject({ nothing: { code: 'retry.nothing' } });
    expect(await fixture.ledger.runs.list(10)).toHaveLength(1);
  });

  it('makes no plan where another run sent all of it successfully, unless that was reverted', async () => {
    answering({ 'SO-2': AWAY, 'SO-4': AWAY });
    const first = await run(orderRows(4));
    const parent = (await fixture.ledger.runs.get(first.run))!;
    const left = () => nothingToRetry(fixture.ledger, parent, 2);
    expect(await left()).toBeUndefined();
    answering({ 'SO-4': AWAY });
    await retried(first.run);
    expect(await left()).toBeUndefined();
    platform.answer = ordersDone;
    const end = await retried(first.run);
    expect(await left()).toMatchObject({
      code: 'retry.all_through',
      params: { run: first.run, other: end.run },
    });
    const made = (await fixture.ledger.runs.list(10)).length;
    expect(await retry(first.run, { plan: true })).toMatchObject({ nothing: { code: 'retry.all_through' } });
    expect(await fixture.ledger.runs.list(10)).toHaveLength(made);
    expect(await nothingToRetry(fixture.ledger, parent, 1)).toBeUndefined();
    const through = (await fixture.ledger.runs.get(end.run))!;
    const back = await revertRun(fixture.parts(), through, { connection: connection(), change: (it) => it });
    const kept = (await fixture.ledger.runs.get(back.run))!;
    const conditions = await readPlanFiles(kept, connection(), Number.POSITIVE_INFINITY);
    await applyPlan(fixture.parts(YES), kept, conditions, (it) => it);
    expect(await left()).toBeUndefined();
  });

  it('skips what another run sent successfully in the meantime', async () => {
    answering({ 'SO-2': AWAY });
    const first = await run(orderRows(2));
    platform.answer = ordersDone;
    await run(orderRows(2));
    platform.seen.length = 0;
    expect(await retried(first.run)).toMatchObject({ counts: { skipped: 1 }, requests: 0 });
    expect(sent()).toEqual([]);
  });

  it('sends an order of several rows whole', async () => {
    const rows = 'Order,Customer,Asset,Nodes\nSO-1,C,A1,5\nSO-2,C,A2,5\nSO-1,C,A3,5\n';
    answering({ 'SO-1': AWAY });
    const first = await run(rows);
    expect(first.counts).toEqual({ failed: 2, succeeded: 1 });
    platform.seen.length = 0;
    platform.answer = ordersDone;
    const end = await retried(first.run);
    expect((await readSheet(end.output ?? '')).map((it) => it.row)).toEqual(['2', '4']);
    expect(platform.seen[0]?.body.orderList).toMatchObject([
      { assets: [{ assetNos: ['A1'] }, { assetNos: ['A3'] }] },
    ]);
  });

  it('refuses a run that was cut off, is a dry run, or is running', async () => {
    const first = await run(orderRows(1));
    await putState(fixture.place, first.run, 'executing');
    await expect(retry(first.run)).rejects.toThrow(/resume/);
    await fixture.ledger.runs.patch(first.run, { state: 'completed', endedAt: 1 });
    const lock = await takeLock(fixture.ledger, 'orders', scopeOf(platform.connection()), 'other');
    await expect(retry(first.run)).rejects.toMatchObject({
      kind: 'usage',
      detail: { params: { run: 'other' } },
    });
    await lock.release();
    const checked = await fixture.run(await fixture.file('job.yaml', orderJob()), {
      connection: connection(),
      dryRun: true,
    });
    await expect(retry(checked.run)).rejects.toThrow(/dry run/);
    await fixture.ledger.runs.prune(Date.now() + 1000);
    await expect(retry(first.run)).rejects.toThrow(/pruned/);
  });

  it('does not write over the result of the first run', async () => {
    answering({ 'SO-1': AWAY });
    const first = await run(orderRows(2));
    const parent = (await fixture.ledger.runs.get(first.run))!;
    const end = await retryRun(fixture.parts(), parent, {
      include: new Set(),
      connection: connection(),
      change: (it) => it,
    });
    expect('output' in end && end.output).not.toBe(first.output);
    expect(await readSheet(first.output ?? '')).toHaveLength(2);
  });

  it('continues where it was stopped, with its own rows only', async () => {
    platform.answer = () => AWAY;
    const first = await run(orderRows(6), { set: ['run.stopAfterFailures=20'] });
    expect(first.counts).toEqual({ failed: 6 });
    const stop = new StopSignal();
    platform.seen.length = 0;
    platform.answer = (seen, count) => {
      if (count === 2) stop.stop({ kind: 'interrupted' });
      return ordersDone(seen);
    };
    const cut = await retried(first.run, { parts: { stop } });
    expect(cut.status).toBe('interrupted');
    const half = await fixture.ledger.runs.get(cut.run);
    const end = await resumeRun(fixture.parts(), half!, (it) => it);
    expect(end).toMatchObject({ status: 'completed', rows: 6, counts: { succeeded: 6 } });
    expect(new Set(sent()).size).toBe(6);
  });
});

describe('retrying unknown rows', () => {
  async function unknownRun(): Promise<RunEnd> {
    answering({ 'SO-2': 'reset', 'SO-3': AWAY });
    const first = await run(orderRows(3));
    expect(first.counts).toEqual({ succeeded: 1, unknown: 1, failed: 1 });
    platform.seen.length = 0;
    platform.answer = ordersDone;
    return first;
  }

  it('leaves them out unless they are asked for', async () => {
    const first = await unknownRun();
    expect(await retried(first.run)).toMatchObject({ rows: 1, counts: { succeeded: 1 } });
    expect(sent()).toEqual(['SO-3']);
  });

  it('requires a confirmation: without one nothing is sent, and the run ends with exit 4', async () => {
    const first = await unknownRun();
    const end = await retried(first.run, { include: ['unknown'] });
    expect(end).toMatchObject({ status: 'stopped', exitCode: 4, requests: 0, counts: { not_sent: 2 } });
    expect(end.reason).toMatchObject({ code: 'retry.needs_yes', params: { run: first.run, rows: 1 } });
    const asked: unknown[] = [];
    const confirm = async (it: unknown): Promise<boolean> => {
      asked.push(it);
      return false;
    };
    const no = await retried(first.run, {
      include: ['unknown'],
      parts: { confirm },
    });
    expect(no).toMatchObject({ status: 'stopped', requests: 0 });
    expect(asked).toMatchObject([{ items: 2, uncertain: { run: first.run, rows: 1 } }]);
    expect(sent()).toEqual([]);
  });

  it('sends them with a confirmation, taking their keys over from that run, and holds them from then on', async () => {
    const first = await unknownRun();
    const end = await retried(first.run, { include: ['unknown'], parts: YES });
    expect(end).toMatchObject({ rows: 2, counts: { succeeded: 2 }, exitCode: 0 });
    expect(sent().sort()).toEqual(['SO-2', 'SO-3']);
    const later = await run(orderRows(3));
    expect(later).toMatchObject({ counts: { skipped: 3 }, requests: 0, exitCode: 0 });
  });

  it('does not take over what yet another run left unknown', async () => {
    const first = await unknownRun();
    answering({ 'SO-2': 'reset' });
    const second = await retried(first.run, { include: ['unknown'], parts: YES });
    expect(second.counts).toEqual({ unknown: 1, succeeded: 1 });
    platform.seen.length = 0;
    platform.answer = ordersDone;
    const third = await retried(first.run, { include: ['unknown'], parts: YES });
    expect(third).toMatchObject({ counts: { skipped: 2 }, requests: 0, exitCode: 6 });
    expect((await readSheet(third.output ?? ''))[0]?.message).toContain(second.run);
    const fourth = await retried(second.run, { include: ['unknown'], parts: YES });
    expect(fourth).toMatchObject({ rows: 1, counts: { succeeded: 1 } });
  });

  it('keeps the question open when the new attempt failed', async () => {
    const first = await unknownRun();
    platform.answer = () => AWAY;
    await retried(first.run, { include: ['unknown'], parts: YES });
    platform.answer = ordersDone;
    const later = await run(orderRows(3));
    expect(later).toMatchObject({ counts: { skipped: 2, succeeded: 1 }, exitCode: 6 });
    expect((await readSheet(later.output ?? ''))[1]?.message).toContain(first.run);
  });

  it('refuses them on another connection, which may not even know of them', async () => {
    const first = await unknownRun();
    await expect(retry(first.run, { include: ['unknown'], parts: YES, on: 'other' })).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'retry.other_connection' },
    });
  });

  it('sends rejected rows again when asked to', async () => {
    answering({ 'SO-1': { body: { code: '13004', message: 'no', cause: '' } } });
    const first = await run(orderRows(2));
    platform.answer = ordersDone;
    expect(await retry(first.run)).toHaveProperty('nothing');
    expect(await retried(first.run, { include: ['rejected'] })).toMatchObject({ counts: { succeeded: 1 } });
  });

  it('takes up what a stopped run did not send, unless nothing would keep the two apart', async () => {
    answering({ 'SO-2': { status: 401, body: {} } });
    const stopped = await run(orderRows(3), { set: ['run.concurrency=1'] });
    expect(stopped.counts).toEqual({ succeeded: 1, not_sent: 2 });
    platform.answer = ordersDone;
    const end = await retried(stopped.run, { include: ['not_sent'] });
    expect(end.counts).toEqual({ succeeded: 2 });
    platform.seen.length = 0;
    const parent = await fixture.ledger.runs.get(stopped.run);
    const resumed = await resumeRun(fixture.parts(), parent!, (it) => it);
    expect(resumed).toMatchObject({ counts: { succeeded: 1, skipped: 2 } });
    expect(sent()).toEqual([]);
    answering({ 'SO-9': { status: 401, body: {} } });
    const careless = await run(orderRows(2, 9), { set: ['safety.duplicates=send', 'run.concurrency=1'] });
    await expect(retry(careless.run, { include: ['not_sent'] })).rejects.toMatchObject({
      detail: { code: 'retry.resume_instead' },
    });
  });
});

describe('retrying a job over several sheets', () => {
  it('takes the other sheets’ rows of its own orders, and misses none of the others’', async () => {
    const job = fileURLToPath(new URL('../../jobs/new-buy-nested.yaml', import.meta.url));
    let first: Seen | undefined;
    platform.answer = (seen) => {
      first ??= seen;
      return orderOf(seen) === orderOf(first) ? AWAY : ordersDone(seen);
    };
    const set = ['run.retries=0', 'run.concurrency=1'];
    const end = await fixture.run(job, { connection: connection(), set });
    expect(end.counts.failed).toBeGreaterThan(0);
    platform.seen.length = 0;
    platform.answer = ordersDone;
    expect((await retried(end.run)).counts).toEqual({ succeeded: end.counts.failed });
    expect(platform.seen.map((it) => it.body)).toEqual([first?.body]);
  });
});

describe('retrying what has no key', () => {
  const NUMBERS = `version: 1
name: numbers
operation: asset.numbers
source: { file: numbers.csv }
map: { size: Size }
`;

  it('does not do again what an earlier retry sent successfully or left with an uncertain outcome', async () => {
    await fixture.file('numbers.csv', 'Size\n1\n2\n3\n');
    const job = await fixture.file('numbers.yaml', NUMBERS);
    platform.answer = () => AWAY;
    const first = await fixture.run(job, { connection: connection(), set: ['run.retries=0'] });
    expect(first.counts).toEqual({ failed: 3 });
    const asked: unknown[] = [];
    platform.answer = (seen) => {
      const size = Number(seen.body.size);
      asked.push(size);
      if (size === 3) return AWAY;
      if (size === 2) return 'reset';
      return { body: { code: 0, message: 'success', data: ['8600000001'] } };
    };
    const second = await retried(first.run);
    expect(second.counts).toEqual({ succeeded: 1, unknown: 1, failed: 1 });
    asked.length = 0;
    await retried(second.run);
    await retried(first.run);
    expect(asked).toEqual([3, 3]);
  });
});

describe('row ranges', () => {
  it('know exactly the rows they were made of', () => {
    const rows = [9, 2, 3, 4, 11, 1_048_576, 3];
    const ranges = rangesOf(rows);
    expect(ranges).toEqual([
      [2, 4],
      [9, 9],
      [11, 11],
      [1_048_576, 1_048_576],
    ]);
    const has = inRanges(ranges);
    for (let row = 1; row < 20; row += 1) expect(has(row)).toBe(rows.includes(row));
    expect(has(1_048_576)).toBe(true);
    expect(inRanges([])(1)).toBe(false);
  });
});

describe('retrying a row of several locks of which some succeeded', () => {
  const answerLocks = (refused: string): void => {
    platform.answer = (seen) => ({
      body: {
        code: 0,
        message: 'success',
        data: (seen.body.assetNums as string[]).map((assetNum) => ({
          assetNum,
          status: assetNum === refused ? 3 : 1,
        })),
      },
    });
  };
  const locks = async (): Promise<RunEnd> => {
    await fixture.file('locks.csv', 'Lock\n"8100000001,8100000002"\n8100000003\n');
    const job = `version: 1\nname: locks\noperation: asset.lock\nsource: { file: locks.csv }\nmap: { assetNums: Lock, operatorIdentity: { value: ops } }\n`;
    return fixture.run(await fixture.file('locks.yaml', job), { connection: connection() });
  };

  it('sends that row again, however often, and so does another run of the same file; no other row', async () => {
    answerLocks('8100000002');
    const first = await locks();
    expect(first).toMatchObject({ exitCode: 1, counts: { failed: 1, succeeded: 1 } });
    const second = await retried(first.run);
    expect(second).toMatchObject({ exitCode: 1, rows: 1, counts: { failed: 1 } });
    const third = await locks();
    expect(third).toMatchObject({ exitCode: 1, counts: { failed: 1, skipped: 1 } });
    answerLocks('');
    expect(await retried(second.run)).toMatchObject({ exitCode: 0, rows: 1, counts: { succeeded: 1 } });
    expect(platform.seen.map((it) => it.body.assetNums).slice(1)).toEqual(
      Array.from({ length: 3 }, () => ['8100000001', '8100000002']),
    );
  });
});
