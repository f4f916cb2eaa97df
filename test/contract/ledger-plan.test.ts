import { expect, test } from 'vitest';
import { message } from '../../src/errors/message.js';
import type { Fault } from '../../src/model/row.js';
import {
  allPending,
  allRows,
  carry,
  collect,
  columnsOf,
  ENVELOPE,
  order,
  planRun,
  runStart,
  SUCCEEDED,
} from '../support/ledger-samples.js';
import { describeLedger } from '../support/ledgers.js';

const FAULT: Fault = {
  sheet: '订单',
  row: 3,
  column: 4,
  field: 'orderList.sequence',
  message: message('ledger.bad_address'),
};

describeLedger('plan', (here) => {
  test('what was planned is what is pending, numbers beyond 2^53 and odd names included', async () => {
    const body = JSON.parse('{"__proto__": {"a": 1}, "text": "007", "none": null}');
    const big = { ...body, limitEndDate: 9007199254740993n, list: [1, 2.5, true] };
    await planRun(here.ledger, 'r1', [order(2, { body: big, key: 'k2' }), order(5, { body: 'LOCK-1' })]);
    await here.reopen();
    expect(await allPending(here.ledger, 'r1')).toEqual([
      {
        batch: 1,
        envelope: ENVELOPE,
        items: [{ item: 1, body: big, key: 'k2' }],
        attempts: 0,
        uncertain: false,
      },
      {
        batch: 2,
        envelope: ENVELOPE,
        items: [{ item: 2, body: 'LOCK-1' }],
        attempts: 0,
        uncertain: false,
      },
    ]);
    expect(await here.ledger.runs.get('r1')).toMatchObject({ state: 'planned', rows: 2, items: 2 });
    expect(await here.ledger.execution.remaining('r1')).toEqual({ batches: 2, items: 2 });
    expect(await collect(here.ledger.plan.bodies('r1'))).toEqual([
      { item: 1, body: big },
      { item: 2, body: 'LOCK-1' },
    ]);
  });

  test('items with equal envelopes share batches up to the size, in order of first appearance', async () => {
    const a = { channelCode: 'A', syncMode: 'sync' };
    const b = { channelCode: 'B', syncMode: 'sync' };
    const envelopes = [a, b, a, b, a, a];
    await here.ledger.runs.create(runStart('r1'));
    await here.ledger.plan.addItems(
      'r1',
      columnsOf(envelopes.map((envelope, index) => order(index + 2, { envelope }))),
    );
    expect(await here.ledger.plan.formBatches('r1', 3)).toEqual({ batches: 3, items: 6 });
    const batches = await allPending(here.ledger, 'r1');
    expect(batches.map((it) => it.items.map(({ item }) => item))).toEqual([[1, 3, 5], [6], [2, 4]]);
    expect(batches.map((it) => it.envelope.channelCode)).toEqual(['A', 'A', 'B']);
  });

  test('items with one envelope fill batches in their order, without those that were withdrawn', async () => {
    await here.ledger.runs.create(runStart('r1'));
    const other = order(9, { envelope: { channelCode: 'B' } });
    await here.ledger.plan.addItems(
      'r1',
      columnsOf([...[2, 3, 4, 5, 6, 7, 8].map((row) => order(row)), other]),
    );
    await here.ledger.plan.withdraw('r1', [{ item: 2, verdicts: [{ row: 3, status: 'skipped' }] }]);
    expect(await here.ledger.plan.formBatches('r1', 3)).toEqual({ batches: 3, items: 7 });
    const numbers = (await allPending(here.ledger, 'r1')).map((it) => it.items.map(({ item }) => item));
    expect(numbers).toEqual([[1, 3, 4], [5, 6, 7], [8]]);
    await here.ledger.runs.create(runStart('r2'));
    await here.ledger.plan.addItems('r2', columnsOf([2, 3, 4, 5, 6, 7, 8].map((row) => order(row))));
    await here.ledger.plan.withdraw('r2', [{ item: 2, verdicts: [{ row: 3, status: 'skipped' }] }]);
    expect(await here.ledger.plan.formBatches('r2', 3)).toEqual({ batches: 2, items: 6 });
    const again = (await allPending(here.ledger, 'r2')).map((it) => it.items.map(({ item }) => item));
    expect(again).toEqual([
      [1, 3, 4],
      [5, 6, 7],
    ]);
  });

  test('many items at a time, each with its rows, its envelope and its body', async () => {
    await here.ledger.runs.create(runStart('r1'));
    const rows = Array.from({ length: 123 }, (_, index) => index * 2 + 2);
    const items = rows.map((row) =>
      order(row, {
        rows: [row, row + 1],
        envelope: { channelCode: `C${row % 7}` },
        body: { row },
        key: `k${row}`,
      }),
    );
    await here.ledger.plan.addItems('r1', columnsOf(items.slice(0, 70)));
    await here.ledger.plan.addItems('r1', columnsOf(items.slice(70)));
    await here.ledger.plan.formBatches('r1', 1);
    await here.ledger.plan.finish('r1', 246);
    const pending = await allPending(here.ledger, 'r1');
    expect(pending.map((it) => [it.envelope, it.items])).toEqual(
      rows.map((row, at) => [
        { channelCode: `C${row % 7}` },
        [{ item: at + 1, body: { row }, key: `k${row}` }],
      ]),
    );
    expect((await allRows(here.ledger, 'r1')).map((it) => it.row)).toEqual(
      rows.flatMap((row) => [row, row + 1]),
    );
  });

  test('a call that fails leaves nothing behind, and the next one writes what it is given', async () => {
    await here.ledger.runs.create(runStart('r1'));
    const wrong = { ...columnsOf([order(2), order(3)]), content: ['x', null as unknown as string] };
    await expect(here.ledger.plan.addItems('r1', wrong)).rejects.toThrow();
    await here.ledger.plan.addItems('r1', columnsOf([order(4)]));
    await here.ledger.plan.formBatches('r1', 1);
    expect(await allPending(here.ledger, 'r1')).toMatchObject([
      { batch: 1, envelope: ENVELOPE, items: [{ item: 1, body: { adminAccount: '4' } }] },
    ]);
    expect((await allRows(here.ledger, 'r1')).map((it) => it.row)).toEqual([4]);
  });

  test('in requests of one item the items keep their order', async () => {
    const items = ['A', 'B', 'A'].map((channelCode, index) =>
      order(index + 2, { envelope: { channelCode } }),
    );
    await planRun(here.ledger, 'r1', items);
    const batches = await allPending(here.ledger, 'r1');
    expect(batches.map((it) => it.items[0]?.item)).toEqual([1, 2, 3]);
    expect(batches.map((it) => it.envelope.channelCode)).toEqual(['A', 'B', 'A']);
  });

  test('a subject with content that is already there only links the rows, also in a later call', async () => {
    const lock = (row: number, number: string) =>
      order(row, { body: number, subject: number, content: number });
    await here.ledger.runs.create(runStart('r1'));
    await here.ledger.plan.addItems(
      'r1',
      columnsOf([lock(2, 'L1'), lock(3, 'L2'), lock(4, 'L1'), lock(4, 'L2')]),
    );
    await here.ledger.plan.addItems('r1', columnsOf([lock(9, 'L1')]));
    await here.ledger.plan.formBatches('r1', 100);
    await here.ledger.plan.finish('r1', 4);
    expect((await allPending(here.ledger, 'r1')).map((it) => it.items.map(({ body }) => body))).toEqual([
      ['L1', 'L2'],
    ]);
    await carry(here.ledger, 'r1', 1, { 1: SUCCEEDED, 2: { status: 'rejected', code: '2' } });
    expect((await allRows(here.ledger, 'r1')).map((it) => [it.row, it.status])).toEqual([
      [2, 'succeeded'],
      [3, 'rejected'],
      // One of its two items succeeded.
      [4, 'failed'],
      [9, 'succeeded'],
    ]);
  });

  test('repeated keys are found, and their items can be withdrawn in the meantime', async () => {
    await here.ledger.runs.create(runStart('r1'));
    const keys = ['a', 'b', 'c', 'b', undefined, 'a', undefined, 'b'];
    await here.ledger.plan.addItems(
      'r1',
      columnsOf(keys.map((key, index) => order(index + 2, key === undefined ? {} : { key }))),
    );
    const found = [];
    for await (const repeated of here.ledger.plan.repeatedKeys('r1')) {
      found.push(repeated.items);
      await here.ledger.plan.withdraw(
        'r1',
        repeated.items.map(({ item, rows }) => ({
          item,
          verdicts: rows.map((row) => ({ row, status: 'invalid' as const, faults: [{ ...FAULT, row }] })),
        })),
      );
    }
    expect(found).toEqual([
      [
        { item: 1, rows: [2] },
        { item: 6, rows: [7] },
      ],
      [
        { item: 2, rows: [3] },
        { item: 4, rows: [5] },
        { item: 8, rows: [9] },
      ],
    ]);
    expect(await here.ledger.plan.formBatches('r1', 1)).toEqual({ batches: 3, items: 3 });
    await here.ledger.plan.finish('r1', 8);
    expect((await here.ledger.runs.get('r1'))?.items).toBe(3);
    expect(await here.ledger.runs.counts('r1')).toEqual({ invalid: 5, not_sent: 3 });
    expect((await allRows(here.ledger, 'r1'))[0]).toMatchObject({
      row: 2,
      status: 'invalid',
      faults: [{ row: 2 }],
    });
    expect(await collect(here.ledger.plan.repeatedKeys('r1'))).toEqual([]);
  });

  test('many repeated keys come whole, each once', async () => {
    await here.ledger.runs.create(runStart('r1'));
    const items = Array.from({ length: 1500 }, (_, index) => order(index + 2, { key: `k${index % 500}` }));
    await here.ledger.plan.addItems('r1', columnsOf(items));
    const found = await collect(here.ledger.plan.repeatedKeys('r1'));
    expect(found).toHaveLength(500);
    expect(new Set(found.flatMap((it) => it.items.map(({ item }) => item))).size).toBe(1500);
    expect(found.every((it) => it.items.length === 3)).toBe(true);
  });

  test('verdicts of a row add up: its worst status, all faults and messages in order', async () => {
    await here.ledger.runs.create(runStart('r1'));
    await here.ledger.plan.addVerdicts('r1', [
      { row: 3, status: 'skipped', message: message('ledger.bad_address') },
      { row: 2, status: 'skipped' },
    ]);
    await here.ledger.plan.addVerdicts('r1', [{ row: 3, status: 'invalid', faults: [FAULT, FAULT] }]);
    await here.ledger.plan.finish('r1', 2);
    expect(await allRows(here.ledger, 'r1')).toEqual([
      { row: 2, status: 'skipped', messages: [], faults: [], attempts: 0, columns: {} },
      {
        row: 3,
        status: 'invalid',
        messages: [{ text: message('ledger.bad_address') }],
        faults: [FAULT, FAULT],
        attempts: 0,
        columns: {},
      },
    ]);
    expect(await here.ledger.runs.counts('r1')).toEqual({ invalid: 1, skipped: 1 });
  });

  test('warnings keep their order', async () => {
    await here.ledger.runs.create(runStart('r1'));
    const texts = ['a', 'b', 'c'].map((run) => message('ledger.already_sent', { run }));
    await here.ledger.plan.addWarnings('r1', texts.slice(0, 2));
    await here.ledger.plan.addWarnings('r1', texts.slice(2));
    expect(await here.ledger.plan.warnings('r1')).toEqual(texts);
  });

  test('subjects with different content conflict with each other, however many rows agree', async () => {
    const lock = (row: number, subject: string, content: string) =>
      order(row, { body: subject, subject, content, envelope: { operatorIdentity: content } });
    await here.ledger.runs.create(runStart('r1'));
    const items = [lock(2, 'L1', 'a'), lock(3, 'L2', 'a'), lock(4, 'L1', 'b'), lock(5, 'L1', 'a')];
    await here.ledger.plan.addItems('r1', columnsOf(items));
    await here.ledger.plan.addItems('r1', columnsOf([lock(6, 'L1', 'c'), lock(7, 'L11', 'a')]));
    expect(await collect(here.ledger.plan.contradictions('r1'))).toEqual([
      {
        items: [
          { item: 1, rows: [2, 5] },
          { item: 3, rows: [4] },
          { item: 4, rows: [6] },
        ],
      },
    ]);
    const content = { envelope: { operatorIdentity: 'b' }, body: 'L1' };
    expect(await here.ledger.plan.content('r1', 3)).toEqual(content);
  });

  test('items of invalid rows are listed until they are removed from them or withdrawn', async () => {
    await here.ledger.runs.create(runStart('r1'));
    const items = [order(2, { rows: [2, 3] }), order(3, { rows: [3] }), order(4)];
    await here.ledger.plan.addItems('r1', columnsOf(items));
    await here.ledger.plan.addVerdicts('r1', [{ row: 3, status: 'invalid' }]);
    const found = [];
    for await (const it of here.ledger.plan.itemsOfInvalidRows('r1')) {
      found.push(it);
      await here.ledger.plan.unlink('r1', it.item, it.invalid);
    }
    expect(found).toEqual([
      { item: 1, rows: [2, 3], invalid: [3] },
      { item: 2, rows: [3], invalid: [3] },
    ]);
    expect(await here.ledger.plan.formBatches('r1', 1)).toEqual({ batches: 2, items: 2 });
    await here.ledger.plan.finish('r1', 3);
    expect((await allRows(here.ledger, 'r1')).map((it) => [it.row, it.status])).toEqual([
      [2, 'not_sent'],
      [3, 'invalid'],
      [4, 'not_sent'],
    ]);
  });

  test('what belongs together finds together, however far apart it stands', async () => {
    const count = 20_500;
    const size = 700;
    const apart = 5;
    const numbers = Array.from({ length: count }, (_, at) => at + 1);
    // Of three envelopes; one key and one subject stand on the first item and on the last but one.
    const far = (item: number): boolean => item === 1 || item === count - 1;
    const items = numbers.map((item) =>
      order(item + 1, {
        envelope: { ...ENVELOPE, channelOrderId: `E${item % 3}` },
        key: far(item) ? 'far' : `k${item}`,
        ...(far(item) ? { subject: 'far' } : {}),
      }),
    );
    await here.ledger.runs.create(runStart('r1'));
    for (let at = 0; at < count; at += 3000) {
      await here.ledger.plan.addItems('r1', columnsOf(items.slice(at, at + 3000)));
    }
    const pair = {
      items: [
        { item: 1, rows: [2] },
        { item: count - 1, rows: [count] },
      ],
    };
    expect(await collect(here.ledger.plan.repeatedKeys('r1'))).toEqual([pair]);
    expect(await collect(here.ledger.plan.contradictions('r1'))).toEqual([pair]);
    const parts = [0, 1].flatMap((late) => {
      return [1, 2, 0].map((rest) => numbers.filter((it) => it % 3 === rest && Number(it > apart) === late));
    });
    parts.sort(([a = 0], [b = 0]) => a - b);
    const batches = parts.flatMap((part) =>
      Array.from({ length: Math.ceil(part.length / size) }, (_, at) =>
        part.slice(at * size, (at + 1) * size),
      ),
    );
    const formed = await here.ledger.plan.formBatches('r1', size, apart);
    expect(formed).toEqual({ batches: batches.length, items: count });
    await here.ledger.plan.finish('r1', count);
    const pending = await allPending(here.ledger, 'r1');
    expect(pending.map((it) => it.items.map(({ item }) => item))).toEqual(batches);
    expect(pending.map(({ batch }) => batch)).toEqual(batches.map((_, at) => at + 1));
    const reported = pending.map(({ envelope }) => envelope.channelOrderId);
    expect(reported).toEqual(batches.map(([item = 0]) => `E${item % 3}`));
  });

  test('an item that would be in no batch is found before anything is sent', async () => {
    await here.ledger.runs.create(runStart('r1'));
    const items = [1, 2, 3].map((row) =>
      order(row + 1, { envelope: { ...ENVELOPE, channelOrderId: `E${row % 2}` } }),
    );
    await here.ledger.plan.addItems('r1', columnsOf(items));
    await here.ask('UPDATE items SET envelope = envelope + 1000 WHERE id = (SELECT max(id) FROM items)');
    await expect(here.ledger.plan.formBatches('r1', 2)).rejects.toMatchObject({
      detail: { code: 'ledger.items_without_batch', params: { items: 3, placed: 2 } },
    });
  });

  test('a plan that is cleared leaves nothing behind and can be made again', async () => {
    await here.ledger.runs.create(runStart('r1'));
    await here.ledger.plan.addItems('r1', columnsOf([order(2, { subject: 'x', content: 'x' }), order(3)]));
    await here.ledger.plan.addVerdicts('r1', [{ row: 4, status: 'skipped' }]);
    await here.ledger.plan.addWarnings('r1', [message('ledger.bad_address')]);
    await here.ledger.plan.formBatches('r1', 1);
    await here.ledger.plan.clear('r1');
    expect(await allRows(here.ledger, 'r1')).toEqual([]);
    expect(await here.ledger.plan.warnings('r1')).toEqual([]);
    await here.ledger.plan.addItems('r1', columnsOf([order(8, { subject: 'x', content: 'x' })]));
    expect(await here.ledger.plan.formBatches('r1', 1)).toEqual({ batches: 1, items: 1 });
    expect((await allPending(here.ledger, 'r1'))[0]).toMatchObject({
      batch: 1,
      envelope: ENVELOPE,
      items: [{ item: 1 }],
    });
  });

  test('a plan that has begun to send is never thrown away', async () => {
    await planRun(here.ledger, 'r1', [order(2)]);
    await carry(here.ledger, 'r1', 1, { 1: SUCCEEDED });
    await expect(here.ledger.plan.clear('r1')).rejects.toThrow(/started to send/);
    expect(await here.ledger.runs.counts('r1')).toEqual({ succeeded: 1 });
  });

  test('runs do not see each other', async () => {
    await planRun(here.ledger, 'r1', [order(2), order(3)]);
    await planRun(here.ledger, 'r2', [order(2)]);
    await here.ledger.plan.clear('r2');
    expect(await here.ledger.execution.remaining('r1')).toEqual({ batches: 2, items: 2 });
    expect(await here.ledger.execution.remaining('r2')).toEqual({ batches: 0, items: 0 });
  });
});
