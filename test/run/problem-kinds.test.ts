import { describe, expect, test } from 'vitest';
import { message } from '../../src/errors/message.js';
import type { RowResult } from '../../src/ledger/contract.js';
import { ProblemKinds, problemText } from '../../src/run/problem-kinds.js';

const row = (number: number, change: Partial<RowResult>): RowResult => ({
  row: number,
  status: 'invalid',
  messages: [],
  faults: [],
  attempts: 0,
  columns: {},
  ...change,
});

const fault = (number: number, column: number) => ({
  sheet: 'Orders',
  row: number,
  column,
  field: 'orderList.licenseType',
  message: message('run.held_unknown', { run: 'r0', row: number }),
});

describe('problems by kind', () => {
  test('the same fault of the same field counts together, with its first cells', () => {
    const kinds = new ProblemKinds();
    for (let at = 2; at <= 9; at += 1) kinds.add(row(at, { faults: [fault(at, 4)] }));
    kinds.add(row(10, { status: 'rejected', code: '13004', messages: [{ text: 'name too long' }] }));
    kinds.add(row(11, { status: 'rejected', code: '13004', messages: [{ text: 'name too long' }] }));
    kinds.add(row(12, { status: 'succeeded' }));
    const [first, second, ...more] = kinds.list();
    expect(first).toMatchObject({ status: 'invalid', field: 'licenseType', count: 8 });
    expect(first?.places).toEqual(['Orders!D2', 'Orders!D3', 'Orders!D4', 'Orders!D5', 'Orders!D6']);
    expect(second).toMatchObject({
      status: 'rejected',
      text: 'name too long',
      count: 2,
      places: ['row 10', 'row 11'],
    });
    expect(more).toEqual([]);
    expect(problemText(first!, 'en')).toMatch(/^licenseType: /);
    expect(problemText(second!, 'zh')).toBe('name too long');
  });

  test('a fault that stands at several rows of a group is one', () => {
    const kinds = new ProblemKinds();
    const shared = [fault(2, 4), fault(3, 4)];
    kinds.add(row(2, { faults: shared }));
    kinds.add(row(3, { faults: shared }));
    expect(kinds.list()).toMatchObject([{ count: 2, places: ['Orders!D2', 'Orders!D3'] }]);
  });
});
