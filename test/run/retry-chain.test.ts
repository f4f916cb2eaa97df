import path from 'node:path';
import ExcelJS from 'exceljs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RetryInclude, retryRun } from '../../src/run/retry.js';
import type { RunServices } from '../../src/run/run-context.js';
import type { RunEnd } from '../../src/run/run-end.js';
import { resumeRun } from '../../src/run/start-run.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { type Answer, FakePlatform, ordersDone, type Seen } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob, orderRows } from '../support/orders.js';

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

const AWAY: Answer = 'unreached';
const YES: Partial<RunServices> = { confirm: true };

async function retry(
  id: string,
  change: { include?: RetryInclude[]; parts?: Partial<RunServices>; on?: string } = {},
) {
  return retryRun(fixture.parts(change.parts), (await fixture.ledger.runs.get(id))!, {
    include: new Set(change.include ?? []),
    connection: platform.connection(change.on === undefined ? {} : { name: change.on, platform: change.on }),
    change: (it) => it,
  });
}

async function retried(...args: Parameters<typeof retry>): Promise<RunEnd> {
  const end = await retry(...args);
  if ('nothing' in end) throw new Error(`nothing was retried: ${end.nothing.code}`);
  return end;
}

async function resumed(id: string, parts: Partial<RunServices> = {}): Promise<RunEnd> {
  return resumeRun(fixture.parts(parts), (await fixture.ledger.runs.get(id))!, (it) => it);
}

describe('retries of rows without keys', () => {
  const sizes = (): unknown[] => platform.seen.map((it) => it.body.size);
  let last = 8_600_000_000;
  const allocated = (seen: Seen): Answer => {
    const data = Array.from({ length: Number(seen.body.size) }, () => {
      last += 1;
      return String(last);
    });
    return { body: { code: 0, message: 'success', data } };
  };
  const SET = ['run.retries=0', 'run.concurrency=1', 'run.timeout=2s'];

  async function numbers(answer: FakePlatform['answer']): Promise<RunEnd> {
    await fixture.file('numbers.csv', 'Size\n1\n2\n3\n');
    const job = await fixture.file(
      'numbers.yaml',
      'version: 1\nname: numbers\noperation: asset.numbers\nsource: { file: numbers.csv }\nmap: { size: Size }\n',
    );
    platform.answer = answer;
    const end = await fixture.run(job, { connection: platform.connection(), set: SET });
    platform.seen.length = 0;
    return end;
  }

  it('do not send what another retry sent since', async () => {
    const first = await numbers(() => AWAY);
    const stop = new StopSignal();
    platform.answer = (seen, count) => {
      if (count === 1) stop.stop({ kind: 'interrupted' });
      return allocated(seen);
    };
    const cut = await retried(first.run, { parts: { stop } });
    expect(cut.counts).toEqual({ succeeded: 1, not_sent: 2 });
    platform.answer = allocated;
    const second = await retried(first.run);
    expect(second.counts).toEqual({ succeeded: 2 });
    const late = await resumed(cut.run);
    expect(late).toMatchObject({ status: 'stopped', exitCode: 4, counts: { succeeded: 1, not_sent: 2 } });
    expect(late.reason).toMatchObject({
      code: 'retry.taken_meanwhile',
      params: { row: 3, count: 2, other: second.run, run: first.run },
    });
    expect(sizes()).toEqual([1, 2, 3]);
    expect(await retry(first.run)).toMatchObject({ nothing: { code: 'retry.all_taken' } });
  });

  it('continue where no other run sent their rows in the meantime', async () => {
    const first = await numbers(() => AWAY);
    const stop = new StopSignal();
    platform.answer = (seen, count) => {
      if (count === 1) stop.stop({ kind: 'interrupted' });
      return allocated(seen);
    };
    const cut = await retried(first.run, { parts: { stop } });
    expect(await resumed(cut.run)).toMatchObject({ counts: { succeeded: 3 }, exitCode: 0 });
    expect(sizes()).toEqual([1, 2, 3]);
  });

  it('exclude what an older run left unknown, though the one between failed', async () => {
    const first = await numbers((seen) => (seen.body.size === 2 ? 'reset' : allocated(seen)));
    expect(first.counts).toEqual({ succeeded: 2, unknown: 1 });
    platform.answer = () => AWAY;
    const second = await retried(first.run, { include: ['unknown'], parts: YES });
    expect(second.counts).toEqual({ failed: 1 });
    expect(await retry(second.run)).toMatchObject({
      nothing: { code: 'retry.all_taken', params: { other: first.run } },
    });
  });

  it('are refused when a run that shares the rows was pruned', async () => {
    const first = await numbers(() => AWAY);
    platform.answer = (seen) => (seen.body.size === 3 ? AWAY : allocated(seen));
    const second = await retried(first.run);
    // As a run that was resumed later than it was retried.
    await fixture.ledger.runs.patch(first.run, { endedAt: Date.now() + 60_000 });
    await fixture.ledger.runs.prune(Date.now() + 30_000);
    expect((await fixture.ledger.runs.get(second.run))?.prunedAt).toBeDefined();
    await expect(retry(first.run)).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'retry.kin_pruned', params: { other: second.run } },
    });
  });
});

describe('a retry under `duplicates: send`', () => {
  it('sends of a row with several orders only those that did not succeed', async () => {
    const book = new ExcelJS.Workbook();
    book.addWorksheet('Orders').addRows([['Doc'], ['D1'], ['D2']]);
    book
      .addWorksheet('Lines')
      .addRows([
        ['Doc', 'Asset', 'Order', 'Customer', 'Nodes'],
        ...['D1', 'D2'].flatMap((doc) => ['a', 'b'].map((it) => [doc, `${doc}${it}`, `${doc}${it}`, 'C', 5])),
      ]);
    await book.xlsx.writeFile(path.join(fixture.folder, 'orders.xlsx'));
    const job = orderJob({ channelOrderId: 'Doc', extra: 'safety: { duplicates: send }\n' })
      .replace('orders.csv', 'orders.xlsx, sheet: Orders')
      .replace('each: [Order]', 'each: { sheet: Lines, on: [Doc] }');
    const asset = (seen: Seen): string =>
      (seen.body.orderList as { assets: { assetNos: string[] }[] }[])[0]?.assets[0]?.assetNos[0] ?? '';
    const answers: Record<string, Answer> = { D1b: AWAY, D2a: 'reset' };
    platform.answer = (seen) => answers[asset(seen)] ?? ordersDone(seen);
    const set = ['run.retries=0', 'run.concurrency=1', 'run.timeout=2s'];
    const first = await fixture.run(await fixture.file('job.yaml', job), {
      connection: platform.connection(),
      set,
    });
    expect(first.counts).toEqual({ failed: 1, unknown: 1 });
    platform.seen.length = 0;
    platform.answer = ordersDone;
    expect(await retried(first.run)).toMatchObject({ counts: { succeeded: 1 } });
    expect(platform.seen.map(asset)).toEqual(['D1b']);
    expect(await retried(first.run, { include: ['unknown'], parts: YES })).toMatchObject({ exitCode: 0 });
    expect(platform.seen.map(asset)).toEqual(['D1b', 'D2a']);
  });

  it('does not take over at the last moment what its parent sent successfully since', async () => {
    const set = ['run.retries=0', 'run.timeout=2s', 'safety.duplicates=send'];
    await fixture.file('orders.csv', orderRows(1));
    platform.answer = () => 'reset';
    const job = await fixture.file('job.yaml', orderJob());
    const first = await fixture.run(job, { connection: platform.connection(), set });
    platform.answer = ordersDone;
    const waiting = await retried(first.run, { include: ['unknown'] });
    expect(waiting.reason?.code).toBe('retry.needs_yes');
    const outcome = { status: 'succeeded' } as const;
    await fixture.ledger.resolutions.record(first.run, [
      { item: 1, outcome, at: 1, who: 'wang', how: 'operator' },
    ]);
    platform.seen.length = 0;
    expect(await resumed(waiting.run, YES)).toMatchObject({ requests: 0 });
    expect(platform.seen).toEqual([]);
  });
});

describe('a retry next to a run that can still continue', () => {
  it('is refused what a canary leaves: that requires a confirmation', async () => {
    await fixture.file('orders.csv', orderRows(3));
    const job = await fixture.file('job.yaml', orderJob());
    const first = await fixture.run(job, { connection: platform.connection(), canary: 1 });
    expect(first.counts).toEqual({ succeeded: 1, not_sent: 2 });
    await expect(retry(first.run, { include: ['not_sent'] })).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'retry.canary_left' },
    });
  });

  it('is refused its unsent rows on another platform, whose keys are apart', async () => {
    await fixture.file('orders.csv', orderRows(2));
    platform.answer = () => ({ status: 401, body: {} });
    const job = await fixture.file('job.yaml', orderJob());
    const first = await fixture.run(job, { connection: platform.connection(), set: ['run.concurrency=1'] });
    expect(first.counts).toEqual({ not_sent: 2 });
    await expect(retry(first.run, { include: ['not_sent'], on: 'second' })).rejects.toMatchObject({
      detail: { code: 'retry.resume_instead' },
    });
  });

  it('skips what a retry on another platform sent successfully', async () => {
    await fixture.file('orders.csv', orderRows(2));
    platform.answer = () => AWAY;
    const job = await fixture.file('job.yaml', orderJob());
    const first = await fixture.run(job, { connection: platform.connection(), set: ['run.retries=0'] });
    platform.answer = ordersDone;
    const second = await retried(first.run, { on: 'second' });
    expect(second.counts).toEqual({ succeeded: 2 });
    platform.seen.length = 0;
    expect(await retry(first.run)).toMatchObject({
      nothing: { code: 'retry.all_taken', params: { other: second.run } },
    });
    expect(platform.seen).toEqual([]);
  });
});
