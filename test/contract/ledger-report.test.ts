import { expect, test } from 'vitest';
import { message } from '../../src/errors/message.js';
import {
  allRows,
  carry,
  closeBatch,
  collect,
  columnsOf,
  ENVELOPE,
  openBatch,
  order,
  planRun,
  runStart,
  SUCCEEDED,
} from '../support/ledger-samples.js';
import { describeLedger } from '../support/ledgers.js';

describeLedger('report', (here) => {
  test('a row with several items, of which some succeeded, is failed, with a message each that names its lock', async () => {
    const lock = (number: string) => order(2, { body: number, subject: number });
    await planRun(here.ledger, 'r1', [lock('L1'), lock('L2'), lock('L3')], { size: 100 });
    await carry(here.ledger, 'r1', 1, {
      1: { status: 'succeeded', code: '1', columns: { assetStatus: '1' } },
      2: { status: 'rejected', code: '4', message: 'wrong lock type', columns: { assetStatus: '4' } },
      3: { status: 'rejected', code: '4', message: message('run.died'), columns: { assetStatus: '4' } },
    });
    expect(await allRows(here.ledger, 'r1')).toEqual([
      {
        row: 2,
        status: 'failed',
        code: '1, 4',
        messages: [
          { item: 'L1', text: 'succeeded' },
          { item: 'L2', text: 'wrong lock type' },
          { item: 'L3', text: message('run.died') },
        ],
        faults: [],
        attempts: 1,
        columns: { assetStatus: '1, 4' },
      },
    ]);
  });

  test('a single item needs no name, and an order that is no text has none', async () => {
    await planRun(here.ledger, 'r1', [order(2, { body: 'L1' }), order(3), order(3)]);
    const said = { status: 'failed', message: 'no' } as const;
    await carry(here.ledger, 'r1', 1, { 1: said });
    await carry(here.ledger, 'r1', 2, { 2: { ...said, licenseOrderId: 'A' } });
    await carry(here.ledger, 'r1', 3, { 3: { ...said, licenseOrderId: 'B' } });
    const [one, several] = await allRows(here.ledger, 'r1');
    expect(one?.messages).toEqual([{ text: 'no' }]);
    expect(several?.messages).toEqual([{ text: 'no' }, { text: 'no' }]);
    expect(several?.licenseOrderId).toBe('A, B');
  });

  test('an item of several rows gives each its outcome', async () => {
    await planRun(here.ledger, 'r1', [order(2, { rows: [2, 3, 9] })]);
    await carry(here.ledger, 'r1', 1, { 1: SUCCEEDED });
    expect((await allRows(here.ledger, 'r1')).map((it) => [it.row, it.licenseOrderId])).toEqual([
      [2, 'LO-1'],
      [3, 'LO-1'],
      [9, 'LO-1'],
    ]);
  });

  test('column names of Object.prototype are ordinary names', async () => {
    await planRun(here.ledger, 'r1', [order(2)]);
    const columns = JSON.parse('{"__proto__": "a", "constructor": "b"}');
    await carry(here.ledger, 'r1', 1, { 1: { status: 'succeeded', columns } });
    const found = (await allRows(here.ledger, 'r1'))[0]?.columns;
    expect(Object.entries(found ?? {})).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });

  test('rows of a long run come in pages by ascending number, whatever order they were planned in', async () => {
    const rows = Array.from({ length: 1700 }, (_, index) => index + 2);
    await here.ledger.runs.create(runStart('r1'));
    const planned = rows.filter((row) => row % 3 !== 0).reverse();
    await here.ledger.plan.addItems('r1', columnsOf(planned.map((row) => order(row))));
    await here.ledger.plan.addVerdicts(
      'r1',
      rows.filter((row) => row % 3 === 0).map((row) => ({ row, status: 'skipped' as const })),
    );
    await here.ledger.plan.formBatches('r1', 1);
    await here.ledger.plan.finish('r1', rows.length);
    const pages = await collect(here.ledger.report.rows('r1', 'valid'));
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.flat().map((it) => it.row)).toEqual(rows);
    expect(new Set(pages.flat().map((it) => it.status))).toEqual(new Set(['valid', 'skipped']));
  });

  test('records come by row, those of a shared item once, big numbers exact', async () => {
    await planRun(here.ledger, 'r1', [order(8), order(2, { rows: [2, 5] })], { operation: 'asset.list' });
    const many = Array.from({ length: 1200 }, (_, index) => ({ id: `A${index}` }));
    await carry(here.ledger, 'r1', 1, { 1: { status: 'succeeded', records: many } });
    const big = { createTime: 9007199254740993n, assignStatus: { id: '1' } };
    await carry(here.ledger, 'r1', 2, { 2: { status: 'succeeded', records: [big] } });
    const records = (await collect(here.ledger.report.records('r1'))).flat();
    expect(records[0]).toEqual({ row: 2, record: big });
    expect(records.slice(1)).toEqual(many.map((record) => ({ row: 8, record })));
  });

  test('the story of a row: request, attempts in order, replies', async () => {
    await planRun(here.ledger, 'r1', [order(2, { rows: [2, 3] })]);
    await carry(
      here.ledger,
      'r1',
      1,
      {},
      { event: 'refused', sent: false, reply: 'no route', endedAt: 1500 },
    );
    await openBatch(here.ledger, 'r1', 1, 2);
    const story = await here.ledger.report.row('r1', 3);
    expect(story).toMatchObject({
      result: { row: 3, status: 'unknown', attempts: 2 },
      items: [
        {
          item: 1,
          batch: 1,
          envelope: ENVELOPE,
          body: JSON.parse(order(2).bodyJson),
          attempts: [
            { attempt: 1, startedAt: 1000, endedAt: 1500, event: 'refused', sent: false, reply: 'no route' },
            { attempt: 2, startedAt: 2000 },
          ],
        },
      ],
    });
    expect(story?.items[0]?.attempts[1]).not.toHaveProperty('endedAt');
    const nonces = story?.items[0]?.attempts.map((it) => it.nonce);
    expect(new Set(nonces).size).toBe(2);
    expect(await here.ledger.report.row('r1', 4)).toBeUndefined();
  });

  test('a reply beyond 64 KiB is cut between characters', async () => {
    await planRun(here.ledger, 'r1', [order(2)]);
    await openBatch(here.ledger, 'r1', 1);
    await closeBatch(here.ledger, 'r1', 1, { 1: SUCCEEDED }, { reply: '锁'.repeat(40_000) });
    const reply = (await here.ledger.report.row('r1', 2))?.items[0]?.attempts[0]?.reply ?? '';
    expect(Buffer.byteLength(reply)).toBeLessThanOrEqual(64 * 1024);
    expect(reply).toMatch(/^锁{20000,}…$/);
  });

  test('a row of a dry run that would be sent is valid in its story too', async () => {
    await planRun(here.ledger, 'r1', [order(2)], { kind: 'dry_run' });
    expect((await here.ledger.report.row('r1', 2))?.result.status).toBe('valid');
  });
});
