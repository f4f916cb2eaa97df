import { describe, expect, it } from 'vitest';
import { message } from '../../../../src/errors/message.js';
import type { RowResult } from '../../../../src/ledger/contract/report.js';
import type { Status } from '../../../../src/model/status.js';
import { MessageGroups, ProblemRows } from '../../../../src/run/report/html/page-rows.js';
import { pattern } from '../../../../src/util/text.js';

function result(row: number, status: Status, change: Partial<RowResult> = {}): RowResult {
  return { row, status, messages: [], faults: [], attempts: 1, columns: {}, ...change };
}

const fault = (row: number, params: Record<string, string | number>) => ({
  sheet: 'Orders',
  row,
  column: 4,
  field: 'orderList.products.limitConcurrent',
  message: { code: 'cli.bad_age' as const, params },
});

describe('what rows say', () => {
  it('is one kind when only values differ', () => {
    const groups = new MessageGroups();
    for (let row = 2; row < 50; row += 1) {
      const said = message('platform.said_cause', { text: `product P-${row} is unknown`, cause: 'Check' });
      groups.add(result(row, 'rejected', { code: '13004', messages: [{ text: said }] }));
      groups.add(result(row + 100, 'invalid', { faults: [fault(row + 100, { text: `n${row}` })] }));
    }
    groups.add(result(60, 'rejected', { code: '13004', messages: [{ text: 'no such customer' }] }));
    groups.add(result(61, 'rejected', { code: '20001', messages: [{ text: 'no such customer' }] }));
    expect(groups.list('en')).toEqual([
      {
        status: 'rejected',
        rows: 50,
        groups: [
          { text: 'product … is unknown (cause: Check)', code: '13004', rows: 48, firstRow: 2 },
          { text: 'no such customer', code: '13004', rows: 1, firstRow: 60 },
          { text: 'no such customer', code: '20001', rows: 1, firstRow: 61 },
        ],
        others: 0,
      },
      {
        status: 'invalid',
        rows: 48,
        groups: [
          {
            text: 'limitConcurrent: An age is a number and a unit, such as 90d, 12h, 30m or 45s, not "…".',
            rows: 48,
            firstRow: 102,
          },
        ],
        others: 0,
      },
    ]);
  });

  it('keeps whole what is the same in all rows', () => {
    const groups = new MessageGroups();
    const said = message('platform.said', { text: 'quota 100 of "E1" is used up' });
    for (const row of [2, 3]) groups.add(result(row, 'rejected', { messages: [{ text: said }] }));
    expect(groups.list('en')[0]?.groups).toEqual([
      { text: 'quota 100 of "E1" is used up', rows: 2, firstRow: 2 },
    ]);
  });

  it('counts a row once however many of its locks say the same, and none that only went well', () => {
    const groups = new MessageGroups();
    const messages = [
      { item: 'L1', text: 'succeeded' },
      { item: 'L2', text: 'wrong lock type' },
      { item: 'L3', text: 'wrong lock type' },
    ];
    groups.add(result(2, 'rejected', { code: '1, 4', messages }));
    groups.add(result(3, 'succeeded'));
    expect(groups.list('en')).toEqual([
      {
        status: 'rejected',
        rows: 1,
        groups: [{ text: 'wrong lock type', rows: 1, firstRow: 2 }],
        others: 0,
      },
    ]);
  });

  it('lists the commonest, and counts the rest, however many kinds there are', () => {
    const groups = new MessageGroups();
    const word = (n: number): string => n.toString(2).replaceAll('0', 'a').replaceAll('1', 'b');
    for (let n = 1; n <= 5000; n += 1) groups.add(result(n, 'failed', { messages: [{ text: word(n) }] }));
    groups.add(result(6000, 'failed', { messages: [{ text: word(7) }] }));
    const [failed] = groups.list('en');
    expect(failed?.groups).toHaveLength(10);
    expect(failed?.groups[0]).toEqual({ text: word(7), rows: 2, firstRow: 7 });
    const listed = failed?.groups.reduce((sum, it) => sum + it.rows, 0) ?? 0;
    expect(listed + (failed?.others ?? 0)).toBe(5001);
  });

  it.each([
    ['订单SO-17不存在', '订单…不存在'],
    ['at 10:03:11.250, row 12: bad', 'at …, row …: bad'],
    ['"张三" and “李四” clash', '"…" and “…” clash'],
    ['no digits at all', 'no digits at all'],
  ])('%s is of the kind %s', (text, kind) => {
    expect(pattern(text)).toBe(kind);
  });
});

describe('rows to look at', () => {
  it('are all that did not succeed, with what the workbook says', () => {
    const rows = new ProblemRows('en');
    const fine: Status[] = ['succeeded', 'accepted', 'skipped', 'valid'];
    fine.forEach((status, index) => {
      rows.add(result(index + 2, status), false);
    });
    rows.add(
      result(7, 'unknown', { messages: [{ text: message('run.died') }], licenseOrderId: 'LO-1' }),
      false,
    );
    rows.add(result(8, 'not_sent'), false);
    rows.add(result(9, 'skipped', { code: '1' }), true);
    expect(rows.problems()).toEqual({
      rows: [
        {
          row: 7,
          status: 'unknown',
          message: expect.stringContaining('may have been'),
          licenseOrderId: 'LO-1',
        },
        { row: 8, status: 'not_sent', message: '' },
        { row: 9, status: 'skipped', message: '', code: '1' },
      ],
      left: [],
    });
  });

  it('excludes the least urgent where there are too many', () => {
    const rows = new ProblemRows('en', 10);
    for (let row = 2; row < 100; row += 1) rows.add(result(row, 'not_sent'), false);
    for (let row = 100; row < 104; row += 1) rows.add(result(row, 'invalid'), false);
    for (let row = 104; row < 108; row += 1) rows.add(result(row, 'unknown'), false);
    const { rows: kept, left } = rows.problems();
    expect(kept.map((it) => it.row)).toEqual([2, 3, 100, 101, 102, 103, 104, 105, 106, 107]);
    expect(left).toEqual([{ status: 'not_sent', rows: 96 }]);
  });

  it('cuts a message that is endless', () => {
    const rows = new ProblemRows('en');
    rows.add(result(2, 'rejected', { messages: [{ text: '锁'.repeat(30_000) }] }), false);
    expect(rows.problems().rows[0]?.message.length).toBeLessThan(1000);
  });
});
