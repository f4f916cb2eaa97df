import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scopeOf } from '../../src/ledger/rules/scopes.js';
import { takeLock } from '../../src/ledger/take-lock.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
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

async function run(
  rows: string,
  change: {
    readonly job?: string;
    readonly set?: readonly string[];
    readonly dryRun?: boolean;
    readonly yes?: boolean;
  } = {},
) {
  await fixture.file('orders.csv', rows);
  const job = await fixture.file('job.yaml', change.job ?? orderJob());
  return fixture.run(job, {
    connection: platform.connection(),
    set: [...(change.set ?? [])],
    dryRun: change.dryRun ?? false,
    parts: change.yes ? { confirm: true } : {},
  });
}

describe('the plan', () => {
  it('sends nothing when one row is invalid, and marks the cell', async () => {
    const end = await run(orderRows(3).replace('A2,5', 'A2,five'));
    expect(end).toMatchObject({
      status: 'invalid',
      exitCode: 3,
      counts: { invalid: 1, not_sent: 2 },
      requests: 0,
    });
    expect(platform.seen).toHaveLength(0);
    const lines = await readSheet(end.output ?? '');
    expect(lines[1]?.status).toBe('invalid');
    expect(lines[1]?.message).toMatch(/^orders!D3 limitConcurrent: /);
  });

  it('sends the valid rows when the job reports it', async () => {
    const end = await run(orderRows(3).replace('A2,5', 'A2,five'), { set: ['run.onInvalid=skip'] });
    expect(end).toMatchObject({ status: 'completed', exitCode: 1, counts: { invalid: 1, succeeded: 2 } });
  });

  it('only checks in a dry run', async () => {
    const end = await run(orderRows(3), { dryRun: true });
    expect(end).toMatchObject({ kind: 'dry_run', exitCode: 0, counts: { valid: 3 }, requests: 0 });
    expect(platform.seen).toHaveLength(0);
    expect(await run(orderRows(3))).toMatchObject({ counts: { succeeded: 3 } });
  });

  it('skips rows that `where` excludes', async () => {
    const job = orderJob().replace('file: orders.csv', `file: orders.csv, where: 'row["Order"] != "SO-2"'`);
    const end = await run(orderRows(3), { job });
    expect(end).toMatchObject({ exitCode: 0, counts: { skipped: 1, succeeded: 2 } });
  });

  it('refuses a condition on a column that is not there before any row is read', async () => {
    const job = orderJob().replace('file: orders.csv', `file: orders.csv, where: 'row["Ordr"] != "SO-2"'`);
    await expect(run(orderRows(3), { job })).rejects.toMatchObject({ kind: 'usage' });
  });

  it('refuses a sheet without a column that the map names', async () => {
    await expect(run(orderRows(2).replace('Nodes', 'Knots'))).rejects.toMatchObject({ kind: 'usage' });
    expect(platform.seen).toHaveLength(0);
  });

  it('gathers the rows of an order wherever they stand', async () => {
    const end = await run('Order,Customer,Asset,Nodes\nSO-1,One,A1,5\nSO-2,Two,A2,5\nSO-1,One,A3,5\n');
    expect(end).toMatchObject({ counts: { succeeded: 3 }, requests: 2 });
    const orders = platform.seen.flatMap(
      ({ body }) => body.orderList as { assets: { assetNos: string[] }[] }[],
    );
    const assets = orders.map((it) => it.assets.map(({ assetNos }) => assetNos));
    // The two requests are in progress at the same time.
    expect(assets.sort()).toEqual([[['A1'], ['A3']], [['A2']]]);
  });

  it('puts orders with one envelope into one request when the batch allows', async () => {
    const job = orderJob({ channelOrderId: '{ value: X1 }', extra: 'batch: { size: 10 }\n' });
    platform.answer = (seen) => {
      const orders = seen.body.orderList as { sequence: number; customerName: string }[];
      const data = orders.map(({ sequence, customerName }) => ({
        sequence,
        licenseOrderId: `LO-${customerName}`,
        customerId: 'C1',
      }));
      return { body: { code: 0, message: 'success', data } };
    };
    const end = await run(orderRows(25), { job });
    expect(end).toMatchObject({ counts: { succeeded: 25 }, requests: 3 });
    expect(platform.seen.map((it) => (it.body.orderList as unknown[]).length).sort()).toEqual(
      [10, 10, 5].sort(),
    );
  });

  it('generates a channelOrderId of its own for each request', async () => {
    const job = orderJob().replace('  channelOrderId: Order\n', '');
    await run(orderRows(3), { job });
    expect(new Set(platform.seen.map((it) => it.body.channelOrderId)).size).toBe(3);
  });
});

describe('what a careful reader would not send', () => {
  const merged = orderJob({ extra: 'batch: { size: 5 }\n', channelOrderId: '{ value: X1 }' });

  it('an order without its number where the numbers come from the sheet', async () => {
    const job = orderJob().replace('    each: [Order]\n', '    each: [Asset]\n');
    const end = await run('Order,Customer,Asset,Nodes\n,One,A1,5\n', { job });
    expect(end).toMatchObject({ exitCode: 3, counts: { invalid: 1 }, requests: 0 });
    expect((await readSheet(end.output ?? ''))[0]?.message).toMatch(/^orders!A2 channelOrderId: /);
  });

  it('a product whose only mapped cell is empty, while constants make the rest of it', async () => {
    const end = await run(orderRows(2).replace('A2,5', 'A2,'));
    expect(end).toMatchObject({ exitCode: 3, counts: { invalid: 1, not_sent: 1 }, requests: 0 });
    expect((await readSheet(end.output ?? ''))[1]?.message).toMatch(/^orders!D3 limitConcurrent: /);
  });

  it('two orders of one request with one sequence', async () => {
    const job = merged.replace('    each: [Order]\n', '    each: [Order]\n    sequence: Nodes\n');
    const end = await run(orderRows(2), { job });
    expect(end).toMatchObject({ exitCode: 3, counts: { invalid: 1, not_sent: 1 }, requests: 0 });
    const apart = await run(orderRows(2).replace('A2,5', 'A2,6'), { job });
    expect(apart).toMatchObject({ counts: { succeeded: 2 }, requests: 1 });
    expect((platform.seen[0]!.body.orderList as { sequence: number }[]).map((it) => it.sequence)).toEqual([
      5, 6,
    ]);
  });

  it.each(['result.pdf', 'plain/result.xlsx', '/proc/nope/r.xlsx'])(
    'anything, when the result could not be written to %s',
    async (name) => {
      await fixture.file('plain', 'a file, not a folder');
      await fixture.file('orders.csv', orderRows(1));
      const output = path.isAbsolute(name) ? name : path.join(fixture.folder, name);
      const job = await fixture.file(
        'job.yaml',
        orderJob({ extra: `output: { file: ${JSON.stringify(output)} }\n` }),
      );
      await expect(
        fixture.run(job, { connection: platform.connection(), keepOutput: true }),
      ).rejects.toMatchObject({ kind: 'usage' });
      expect(platform.seen).toHaveLength(0);
    },
  );

  it('anything, when the result would replace the input', async () => {
    const input = await fixture.file('orders.csv', orderRows(1));
    const job = await fixture.file(
      'job.yaml',
      orderJob({ extra: `output: { file: ${JSON.stringify(input)} }\n` }),
    );
    await expect(
      fixture.run(job, { connection: platform.connection(), keepOutput: true }),
    ).rejects.toMatchObject({
      detail: { code: 'run.output_is_input' },
    });
  });
});

describe('safety', () => {
  it('sends nothing over maxItems', async () => {
    const end = await run(orderRows(4), { set: ['safety.maxItems=3'] });
    expect(end).toMatchObject({ status: 'stopped', exitCode: 4, counts: { not_sent: 4 }, requests: 0 });
  });

  const revoke = orderJob({ operation: 'order.delete_asset' });

  it('sends nothing over maxDeletes', async () => {
    const end = await run(orderRows(4), { job: revoke, set: ['safety.maxDeletes=3'], yes: true });
    expect(end).toMatchObject({ status: 'stopped', exitCode: 4, counts: { not_sent: 4 }, requests: 0 });
  });

  it('requires a confirmation for revocations, and takes --yes for one', async () => {
    expect(await run(orderRows(2), { job: revoke })).toMatchObject({ exitCode: 4, requests: 0 });
    expect(await run(orderRows(2), { job: revoke, yes: true })).toMatchObject({
      counts: { succeeded: 2 },
      exitCode: 0,
    });
  });

  it('refuses a second run of one job and connection', async () => {
    const lock = await takeLock(fixture.ledger, 'orders', scopeOf(platform.connection()), 'the-other-run');
    await expect(run(orderRows(1))).rejects.toThrow(/the-other-run/);
    await lock.release();
    expect(await run(orderRows(1))).toMatchObject({ counts: { succeeded: 1 } });
  });
});

describe('locks', () => {
  const job = `version: 1
name: locks
operation: asset.lock
source: { file: orders.csv }
map: { assetNums: Lock, operatorIdentity: Who }
batch: { size: 3 }
`;
  const statuses: Record<string, number> = { L1: 1, L2: 2, L3: 1, L4: 1 };

  it('sends a lock once whatever rows name it; a row with several shows the worst, with each message', async () => {
    platform.answer = (seen) => ({
      body: {
        code: 0,
        message: 'ok',
        data: (seen.body.assetNums as string[]).map((assetNum) => ({ assetNum, status: statuses[assetNum] })),
      },
    });
    const end = await run('Lock,Who\nL1,ops\nL1、L2,ops\nL3,ops\nL4,ops\nL3,ops\n', { job });
    // In progress at the same time.
    const sent = platform.seen.map((it) => it.body.assetNums).sort();
    expect(sent).toEqual([['L1', 'L2', 'L3'], ['L4']]);
    expect(end.counts).toEqual({ succeeded: 4, failed: 1 });
    const lines = await readSheet(end.output ?? '');
    expect(lines[1]?.status).toBe('failed');
    expect(lines[1]?.message).toContain('L2');
    expect(lines[1]?.message).toContain('L1: succeeded');
    expect(lines[1]?.assetStatus).toBe('1, 2');
  });

  it('asks again for locks that the reply excludes', async () => {
    platform.answer = (seen, count) => ({
      body: {
        code: 0,
        message: 'ok',
        data: (seen.body.assetNums as string[])
          .slice(count === 1 ? 1 : 0)
          .map((assetNum) => ({ assetNum, status: 1 })),
      },
    });
    const end = await run('Lock,Who\nL1,ops\nL2,ops\nL3,ops\n', { job });
    expect(end.counts).toEqual({ succeeded: 3 });
    expect(platform.seen.map((it) => it.body.assetNums)).toEqual([['L1', 'L2', 'L3'], ['L1']]);
  });
});
