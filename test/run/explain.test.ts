import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { explainedData } from '../../src/app/explain.js';
import { explainedText } from '../../src/cli/commands/explain.js';
import { render } from '../../src/errors/message.js';
import type { Operation } from '../../src/model/operation.js';
import { operationNamed } from '../../src/platform/operations/catalogue.js';
import { explainRow, type RowExplanation } from '../../src/run/report/explain.js';
import { nextForRow } from '../../src/run/report/next-for-row.js';
import { resolveRows } from '../../src/run/resolve/resolve-run.js';
import { retryRun } from '../../src/run/retry.js';
import type { RunEnd } from '../../src/run/run-end.js';
import { systemClock } from '../../src/util/clock.js';
import { type Answer, FakePlatform, ordersDone, type Seen } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob, orderRows } from '../support/orders.js';
import { putState } from '../support/put-state.js';

let fixture: Fixture;
let platform: FakePlatform;

beforeEach(async () => {
  fixture = await Fixture.open();
  platform = await new FakePlatform(ordersDone).start();
  vi.stubEnv('EXPLAIN_TOKEN', 's3cret-token-123');
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await platform.stop();
  await fixture.close();
});

const connection = () =>
  platform.connection({ appKey: 'app-key-secret', token: { kind: 'env', name: 'EXPLAIN_TOKEN' } });

async function run(
  rows: string,
  options: { readonly job?: string; readonly set?: readonly string[]; readonly dryRun?: boolean } = {},
): Promise<RunEnd> {
  await fixture.file('orders.csv', rows);
  const job = await fixture.file('job.yaml', options.job ?? orderJob());
  return fixture.run(job, {
    connection: connection(),
    set: ['run.timeout=2s', 'run.retries=1', ...(options.set ?? [])],
    dryRun: options.dryRun ?? false,
  });
}

const explain = async (end: RunEnd, row: number): Promise<RowExplanation> =>
  explainRow(fixture.ledger, (await fixture.ledger.runs.get(end.run))!, row);
const next = async (end: RunEnd, row: number): Promise<string> => (await explain(end, row)).next.code;
const answering =
  (answers: Record<string, Answer>) =>
  (seen: Seen): Answer =>
    answers[String(seen.body.channelOrderId)] ?? ordersDone(seen);

describe('a row’s story', () => {
  it('shows the cells as the sheet does, and the very request that was sent', async () => {
    const end = await run(orderRows(3), { job: orderJob({ channelOrderId: 'Order' }) });
    const story = await explain(end, 3);
    expect(story.source).toMatchObject({
      kind: 'cells',
      sheet: 'orders',
      cells: [
        { header: 'Order', address: 'A3', text: 'SO-2' },
        { header: 'Customer', address: 'B3', text: 'Customer 2' },
        { header: 'Asset', text: 'A2' },
        { header: 'Nodes', text: '5' },
      ],
    });
    const [request] = story.requests;
    const seen = platform.seen.find((it) => it.body.channelOrderId === 'SO-2');
    expect(request?.request.body).toEqual(seen?.body);
    expect(request?.request.url).toBe(`${platform.url}${seen?.path}`);
    expect(request?.attempts).toMatchObject([
      { attempt: 1, nonce: seen?.nonce, httpStatus: 200, sent: true, event: 'reply' },
    ]);
  });

  it('shows the whole request of a batch and this row’s place in it', async () => {
    const job = orderJob({ channelOrderId: '{ value: ONE }' });
    const end = await run(orderRows(3), { job, set: ['batch.size=3'] });
    const [request] = (await explain(end, 4)).requests;
    expect(request).toMatchObject({ items: 3, places: [3] });
    expect(request?.request.body).toEqual(platform.seen[0]?.body);
  });

  it.each([-2, 2])('shows how long an attempt took although the clock was set by %i days', async (days) => {
    const dayMs = 86_400_000;
    let set = 0;
    platform.answer = (seen) => {
      set = days * dayMs;
      return ordersDone(seen);
    };
    await fixture.file('orders.csv', orderRows(1));
    const clock = { ...systemClock, now: () => systemClock.now() + set };
    const job = await fixture.file('job.yaml', orderJob());
    const end = await fixture.run(job, { connection: connection(), parts: { clock } });
    const [attempt] = (await explain(end, 2)).requests[0]!.attempts;
    const took = attempt!.endedAt! - attempt!.startedAt;
    expect(took).toBeGreaterThanOrEqual(0);
    expect(took).toBeLessThan(dayMs);
  });

  it('reports every attempt, sent or not, with its reply', async () => {
    platform.answer = (_, count) =>
      count === 1 ? { body: { code: '500', message: 'network', cause: 'c' } } : 'reset';
    const end = await run(orderRows(1));
    const story = await explain(end, 2);
    expect(story.requests[0]?.attempts).toMatchObject([
      { attempt: 1, httpStatus: 200, event: 'reply', sent: true },
      { attempt: 2, event: 'reset', sent: true },
    ]);
    const text = explainedText(story, 'en');
    for (const seen of platform.seen) expect(text).toContain(seen.nonce);
    expect(text).toContain('"message":"network"');
    expect(text).toContain(`license-sync resolve ${end.run} --row 2`);
  });

  it('never shows the token or the application key', async () => {
    platform.answer = (seen) => ({
      body: { code: '1', message: `you sent ${seen.authorization}`, cause: '' },
    });
    const story = await explain(await run(orderRows(1)), 2);
    for (const said of [explainedText(story, 'en'), JSON.stringify(explainedData(story, 'en'))]) {
      expect(said).not.toMatch(/s3cret-token-123|app-key-secret/);
      expect(said).toContain('Bearer [redacted]');
    }
  });

  it('has no request for a row that nothing was sent for', async () => {
    const rows = `${orderRows(1)}SO-2,,A2,x\n`;
    const story = await explain(await run(rows, { set: ['run.onInvalid=skip'] }), 3);
    expect(story).toMatchObject({
      requests: [],
      result: { status: 'invalid' },
      next: { code: 'next.invalid' },
    });
    expect(explainedText(story, 'zh')).toContain('无请求');
  });

  it('reports who resolved it, and still shows the rest when the copy of the input no longer exists', async () => {
    platform.answer = () => 'reset';
    const end = await run(orderRows(1));
    const stored = (await fixture.ledger.runs.get(end.run))!;
    const parts = { ledger: fixture.ledger, stateFolder: fixture.folder, clock: systemClock, who: 'wang' };
    await resolveRows({ ...parts, note: 'not in the portal' }, stored, [{ row: 2, as: 'failed' }]);
    for (const { sha256 } of await fixture.ledger.inputs.list()) await fixture.ledger.inputs.remove(sha256);
    expect((await explain(end, 2)).source.kind).toBe('cells');
    await rm(stored.inputFile);
    const story = await explain(end, 2);
    expect(story.source.kind).toBe('gone');
    expect(story.audit).toMatchObject([{ who: 'wang', to: 'failed' }]);
    expect(explainedText(story, 'en')).toMatch(/wang resolved it, unknown to failed; not in the portal/);
  });

  it('refuses a row that is not in the run, naming the nearest', async () => {
    const end = await run(orderRows(2));
    for (const row of [1, 9, 99_999_999_999]) {
      await expect(explain(end, row)).rejects.toMatchObject({
        kind: 'usage',
        detail: { code: 'explain.no_such_row', params: { row, nearest: '2, 3' } },
      });
    }
  });
});

describe('a row that a later run sent successfully', () => {
  const LIST = `version: 1
name: list
operation: asset.list
source: { file: orders.csv }
map: { enterpriseGlobalId: Order }
`;

  it('names that run by the row’s key, whatever file it was in, and offers no retry', async () => {
    const refused = { body: { code: '13004', message: 'no', cause: '' } };
    platform.answer = answering({ 'SO-1': refused, 'SO-2': refused });
    const first = await run(orderRows(2));
    const checked = await run(orderRows(2), { dryRun: true });
    platform.answer = ordersDone;
    const second = await run(
      `Order,Customer,Asset,Nodes\nSO-9,C,A9,5\n${orderRows(2).split('\n').slice(1).join('\n')}`,
    );
    for (const [end, row] of [
      [first, 2],
      [first, 3],
      [checked, 3],
    ] as const) {
      const story = await explain(end, row);
      expect(story.next).toMatchObject({
        code: 'next.taken_up',
        params: { other: second.run, row: row + 1, status: 'succeeded' },
      });
      for (const language of ['en', 'zh'] as const)
        expect(render(story.next, language)).not.toContain('retry');
    }
  });

  it('names it where a row has no key, by the same input', async () => {
    platform.answer = () => ({ status: 500, body: {} });
    const first = await run('Order,Customer,Asset,Nodes\nE1,,,\n', { job: LIST });
    expect(first.counts).toEqual({ failed: 1 });
    expect(await next(first, 2)).toBe('next.failed');
    platform.answer = () => ({ body: { code: 0, message: 'ok', data: [] } });
    const second = await run('Order,Customer,Asset,Nodes\nE1,,,\n', { job: LIST });
    expect((await explain(first, 2)).next).toMatchObject({
      code: 'next.taken_up',
      params: { other: second.run, row: 2 },
    });
  });

  it('is left to a person where it was unknown here', async () => {
    platform.answer = () => 'reset';
    const first = await run(orderRows(1));
    platform.answer = ordersDone;
    const retried = await retryRun(
      fixture.parts({ confirm: true }),
      (await fixture.ledger.runs.get(first.run))!,
      {
        include: new Set(['unknown']),
        connection: connection(),
        change: (it) => it,
      },
    );
    expect(retried).toMatchObject({ counts: { succeeded: 1 } });
    const { next: step } = await explain(first, 2);
    expect(step.code).toBe('next.unknown_taken_up');
    expect(render(step)).not.toContain('retry');
  });

  it('never says that the platform confirmed what a person resolved, and reports what was sent again since', async () => {
    platform.answer = () => 'reset';
    const first = await run(orderRows(2));
    platform.answer = ordersDone;
    const parts = { ledger: fixture.ledger, stateFolder: fixture.folder, clock: systemClock, who: 'wang' };
    const settle = async (row: number, as: 'succeeded' | 'failed'): Promise<void> => {
      await resolveRows(parts, (await fixture.ledger.runs.get(first.run))!, [{ row, as }]);
    };
    await settle(2, 'succeeded');
    await settle(3, 'failed');
    expect(await next(first, 2)).toBe('next.settled_by_hand');
    const second = await run(orderRows(2));
    expect(second.counts).toEqual({ skipped: 1, succeeded: 1 });
    await settle(3, 'succeeded');
    const { next: step } = await explain(first, 3);
    expect(step).toMatchObject({ code: 'next.settled_twice', params: { other: second.run, otherRow: 3 } });
    expect(await next(first, 2)).toBe('next.settled_by_hand');
    expect(await next(second, 3)).toBe('next.succeeded');
  });

  it('shows a withheld row the outcome of the one that it waited for', async () => {
    platform.answer = () => 'reset';
    const first = await run(orderRows(2));
    platform.answer = ordersDone;
    const second = await run(orderRows(2));
    expect(await next(second, 2)).toBe('next.held');
    const parts = { ledger: fixture.ledger, stateFolder: fixture.folder, clock: systemClock, who: 'wang' };
    const stored = (await fixture.ledger.runs.get(first.run))!;
    await resolveRows(parts, stored, [{ row: 2, as: 'succeeded' }]);
    await resolveRows(parts, stored, [{ row: 3, as: 'failed' }]);
    expect(await next(second, 2)).toBe('next.got_through');
    expect(await next(second, 3)).toBe('next.let_go');
  });
});

describe('the next safe step', () => {
  it('fits the outcome of the row', async () => {
    platform.answer = answering({
      'SO-1': { body: { code: '13004', message: 'no', cause: '' } },
      'SO-2': 'unreached',
      'SO-3': 'reset',
    });
    const job = `${orderJob()}`.replace('orders.csv }', `orders.csv, where: 'row["Order"] != "SO-5"' }`);
    const end = await run(orderRows(5), { job });
    expect([
      await next(end, 2),
      await next(end, 3),
      await next(end, 4),
      await next(end, 5),
      await next(end, 6),
    ]).toEqual(['next.rejected', 'next.failed', 'next.unknown_look', 'next.succeeded', 'next.left_out']);
    const again = await run(orderRows(4));
    const held = await explain(again, 4);
    expect(held.next).toMatchObject({ code: 'next.held', params: { other: end.run, row: 4 } });
    expect((await explain(again, 5)).next).toMatchObject({ code: 'next.got_through', params: { row: 5 } });
  });

  it('sends nothing on from a dry run, and resumes a run that was cut short', async () => {
    expect(await next(await run(orderRows(1), { dryRun: true }), 2)).toBe('next.valid_dry_run');
    platform.answer = () => ({ status: 401, body: {} });
    const stopped = await run(orderRows(2), { set: ['run.concurrency=1'] });
    expect(await next(stopped, 3)).toBe('next.not_sent_resume');
    await fixture.ledger.runs.patch(stopped.run, { state: 'executing' });
    await fixture.ledger.execution.open(
      { run: stopped.run, batch: 1, attempt: 9, nonce: 'n', startedAt: 1 },
      { claim: true },
    );
    expect(await next(stopped, 2)).toBe('next.unfinished');
  });

  it('asks the platform only where it can report', async () => {
    platform.answer = () => 'reset';
    const cloud = await run(orderRows(1), {
      job: orderJob().replace('normal_recover_usbkey', 'cloud_account'),
    });
    expect(render((await explain(cloud, 2)).next)).toContain('--verify');
  });

  it('has words for every status', async () => {
    const end = await run(orderRows(1));
    const stored = (await fixture.ledger.runs.get(end.run))!;
    const { result } = await explain(end, 2);
    const facts = {
      run: stored,
      verifiable: false,
      operation: operationNamed('asset.list'),
      duplicates: 'skip',
      liveState: 'completed',
      otherRuns: {},
    } as const;
    expect(nextForRow({ ...facts, result }).code).toBe('next.succeeded_repeats');
    expect(nextForRow({ ...facts, result: { ...result, status: 'accepted' } }).code).toBe('next.accepted');
    const invalid = { ...stored, state: 'invalid' } as const;
    expect(nextForRow({ ...facts, run: invalid, result: { ...result, status: 'not_sent' } }).code).toBe(
      'next.not_sent_invalid',
    );
    // Of a run that is over, in a step after one that was resolved since: there is nothing to resume.
    const over = { ...stored, state: 'completed' } as const;
    expect(nextForRow({ ...facts, run: over, result: { ...result, status: 'not_sent' } }).code).toBe(
      'next.not_sent_later',
    );
    const plan = { ...stored, kind: 'plan' } as const;
    expect(nextForRow({ ...facts, run: plan, result: { ...result, status: 'valid' } }).code).toBe(
      'next.valid_plan',
    );
  });

  it('names the file and the connection of a dry run, which the job alone does not report', async () => {
    const checked = await run(orderRows(1), { dryRun: true });
    const { next: step } = await explain(checked, 2);
    expect(step.params).toMatchObject({ input: path.join(fixture.folder, 'orders.csv'), connection: 'fake' });
    expect(render(step)).toContain(`--input ${path.join(fixture.folder, 'orders.csv')} --connection fake`);
  });

  it('never recommends to run a whole file again where that repeats what succeeded', async () => {
    const end = await run(orderRows(1));
    const stored = (await fixture.ledger.runs.get(end.run))!;
    const { result } = await explain(end, 2);
    const codes = (operation: Operation, duplicates: 'skip' | 'send' | 'abort') =>
      (['succeeded', 'rejected', 'invalid', 'skipped'] as const).map(
        (status) =>
          nextForRow({
            run: stored,
            verifiable: false,
            operation,
            duplicates,
            liveState: 'completed',
            otherRuns: {},
            result: { ...result, status },
          }).code,
      );
    const plain = ['next.succeeded', 'next.rejected', 'next.invalid', 'next.left_out'];
    const careful = plain.map((it) => `${it}_repeats`);
    expect(codes(operationNamed('order.new_buy'), 'skip')).toEqual(plain);
    expect(codes(operationNamed('order.new_buy'), 'send')).toEqual(careful);
    expect(codes(operationNamed('asset.numbers'), 'skip')).toEqual(careful);
    expect(codes(operationNamed('order.new_buy'), 'abort')[0]).toBe('next.succeeded_aborts');
  });

  it('requires a run that was cut off resumed before its rows are sent again', async () => {
    platform.answer = () => 'unreached';
    const end = await run(orderRows(1), { set: ['run.retries=0'] });
    expect(await next(end, 2)).toBe('next.failed');
    await putState(fixture.place, end.run, 'executing');
    expect(await next(end, 2)).toBe('next.settled_unfinished');
  });

  it('heeds what a retry, or the run that it retries, knows of the row', async () => {
    platform.answer = answering({
      'SO-1': 'reset',
      'SO-2': 'unreached',
    });
    const end = await run(orderRows(2), { set: ['run.retries=0'] });
    platform.answer = answering({ 'SO-1': { body: { code: '13004', message: 'no', cause: '' } } });
    const again = await retryRun(
      fixture.parts({ confirm: true }),
      (await fixture.ledger.runs.get(end.run))!,
      {
        include: new Set(['unknown']),
        connection: connection(),
        change: (it) => it,
      },
    );
    if ('nothing' in again) throw new Error('nothing was retried');
    expect(again.counts).toEqual({ rejected: 1, succeeded: 1 });
    expect((await explain(again, 2)).next).toMatchObject({
      code: 'next.doubted',
      params: { other: end.run, status: 'rejected' },
    });
    expect((await explain(end, 3)).next).toMatchObject({
      code: 'next.taken_up',
      params: { other: again.run, status: 'succeeded' },
    });
  });
});
