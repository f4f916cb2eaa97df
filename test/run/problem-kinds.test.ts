import { describe, expect, test } from 'vitest';
import { message } from '../../src/errors/message.js';
import type { RowResult } from '../../src/ledger/contract/report.js';
import { ProblemKinds, problemPlaces, problemText } from '../../src/run/report/problem-kinds.js';

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
  message: message('run.held_unknown', { run: 'r0', row: 1 }),
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
      places: [10, 11],
    });
    expect(more).toEqual([]);
    expect(problemText(first!, 'en')).toMatch(/^licenseType: /);
    expect(problemText(second!, 'zh')).toBe('name too long');
    expect(problemPlaces(second!, 'en')).toEqual(['row 10', 'row 11']);
    expect(problemPlaces(second!, 'zh')).toEqual(['第 10 行', '第 11 行']);
  });

  describe('whose values differ', () => {
    const held = (at: number, other: number) => ({
      ...fault(at, 4),
      message: message('run.held_unknown', { run: 'r0', row: other }),
    });

    test('each value has a line of its own while they are few', () => {
      const kinds = new ProblemKinds();
      for (const [at, other] of [
        [2, 71],
        [3, 72],
        [4, 71],
      ] as const)
        kinds.add(row(at, { faults: [held(at, other)] }));
      const texts = kinds.list().map((it) => [it.count, problemText(it, 'en'), it.places.join()]);
      expect(texts).toMatchObject([
        [2, expect.stringContaining('row 71'), 'Orders!D2,Orders!D4'],
        [1, expect.stringContaining('row 72'), 'Orders!D3'],
      ]);
    });

    test('none is named once they are many, and never the first for all', () => {
      const kinds = new ProblemKinds();
      for (let at = 2; at <= 9; at += 1) kinds.add(row(at, { faults: [held(at, 70 + at)] }));
      for (let at = 12; at <= 19; at += 1)
        kinds.add(row(at, { status: 'rejected', code: '9', messages: [{ text: `SO-${at} is refused` }] }));
      const list = kinds.list();
      expect(list).toMatchObject([{ count: 8 }, { count: 8 }]);
      for (const it of list) expect(problemText(it, 'en')).not.toMatch(/7\d|SO-12/);
      expect(problemText(list[0]!, 'en')).toContain('r0');
      expect(problemText(list[1]!, 'en')).toBe('… is refused');
    });

    test('an item that went well next to others is no problem', () => {
      const kinds = new ProblemKinds();
      const messages = [
        { item: '810001', text: 'succeeded' },
        { item: '810002', text: 'locked by another' },
      ];
      kinds.add(row(2, { status: 'rejected', messages }));
      expect(kinds.list()).toMatchObject([{ count: 1, text: 'locked by another' }]);
    });
  });

  test('a row that waits for an unknown row of another run is reported, other skipped rows are not', () => {
    const kinds = new ProblemKinds();
    const text = message('run.held_unknown', { run: 'r0', row: 71 });
    const held = { text, reason: { kind: 'held_unknown', found: 'planning', run: 'r0', row: 71 } } as const;
    const other = { text: 'an earlier run got it through' };
    kinds.add(row(2, { status: 'skipped', messages: [other, held] }));
    kinds.add(row(3, { status: 'skipped', messages: [other] }));
    kinds.add(row(4, { status: 'rejected', messages: [{ text: 'no such customer' }, held] }));
    const reported = kinds.list().map((it) => [it.status, problemText(it, 'en'), it.places.join()]);
    expect(reported).toEqual([
      ['skipped', expect.stringContaining('license-sync resolve r0 --row 71'), '2'],
      ['rejected', 'no such customer', '4'],
      ['rejected', expect.stringContaining('license-sync resolve r0 --row 71'), '4'],
    ]);
  });

  test('an error that is at several rows of a group is one', () => {
    const kinds = new ProblemKinds();
    const shared = [fault(2, 4), fault(3, 4)];
    kinds.add(row(2, { faults: shared }));
    kinds.add(row(3, { faults: shared }));
    expect(kinds.list()).toMatchObject([{ count: 2, places: ['Orders!D2', 'Orders!D3'] }]);
  });
});
