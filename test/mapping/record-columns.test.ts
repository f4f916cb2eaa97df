import { describe, expect, it } from 'vitest';
import type { Field } from '../../src/model/field.js';
import {
  compile,
  faultTexts,
  field,
  type Given,
  lockOperation,
  type MapShape,
  must,
  NO_JOINS,
  row,
  singleOperation,
} from '../support/mapping.js';

const SHAPE: readonly Field[] = [
  field('text', 'String'),
  field('count', 'Long'),
  field('flag', 'Boolean'),
  field('until', 'Long', { date: true }),
];

const HEADERS = [
  'Lock No',
  'expected.locked',
  'Actual.Locked',
  'expected.limitEndTime',
  'actual.limitEndTime',
  'actual.assetNum',
  'actual.assignStatus.id',
  'actual.assignStatus.assignMemberId',
];
const CELLS: readonly Given[] = [
  'L-1',
  ['boolean', 'TRUE'],
  ['boolean', 'FALSE'],
  ['number', '1830268799999'],
  ['number', '1830268799000'],
  '0012',
  undefined,
  'M-1',
];

const bound = (map: MapShape, headers = HEADERS) =>
  compile({ operation: singleOperation(SHAPE), headers, map });

function body(map: MapShape, cells: readonly Given[] = CELLS): unknown {
  const group = bound(map).map([row(2, cells)], NO_JOINS);
  if (group.kind === 'invalid') throw new Error(faultTexts(group).join('\n'));
  return group.items[0]?.body;
}

describe('expected and actual in an action’s expressions', () => {
  it.each<[string, unknown]>([
    ['expected.locked && !actual.locked ? "lock" : "unlock"', 'lock'],
    ['expected["locked"] ? "lock" : "unlock"', 'lock'],
    ['actual.assetNum + "/" + row["Lock No"]', '0012/L-1'],
    ['actual.assignStatus.assignMemberId', 'M-1'],
    ['actual.assignStatus.id == null ? "nobody" : actual.assignStatus.id', 'nobody'],
    ['size(actual.assignStatus) == 2 ? "two" : "other"', 'two'],
    // No column holds it: nothing was expected of it.
    ['expected.freezing == null ? "none" : "some"', 'none'],
    ['has(actual.assetNum) ? "there" : "gone"', 'there'],
    ['row["actual.assetNum"] == actual.assetNum ? "same" : "other"', 'same'],
  ])('%s', (expr, text) => {
    expect(body({ text: { expr } })).toEqual({ text });
  });

  it('are numbers, truth values and text as their cells are', () => {
    expect(body({ count: { expr: 'expected.limitEndTime - actual.limitEndTime' } })).toEqual({ count: 999 });
    expect(body({ until: { expr: 'expected.limitEndTime' } })).toEqual({ until: 1830268799999 });
    expect(body({ flag: { expr: 'actual.locked' } })).toEqual({ flag: false });
    const large: Given[] = [...CELLS.slice(0, 3), ['number', '9007199254740993'], ['number', '0.5']];
    expect(body({ count: { expr: 'expected.limitEndTime' } }, large)).toEqual({ count: 9007199254740993n });
    expect(body({ text: { expr: 'string(actual.limitEndTime * 2.0)' } }, large)).toEqual({ text: '1' });
    const day: Given[] = ['L-1', undefined, undefined, ['date', '2027-12-31']];
    expect(body({ text: { expr: 'expected.limitEndTime' } }, day)).toEqual({ text: '2027-12-31' });
  });

  it('work as columns and in templates too', () => {
    const map = {
      text: { template: '{Lock No} {actual.assetNum}' },
      flag: 'expected.locked',
      until: 'actual.limitEndTime',
    };
    expect(body(map)).toEqual({ text: 'L-1 0012', flag: true, until: 1830268799000 });
  });

  it('leave a field out where there is nothing to work with', () => {
    const none: readonly Given[] = ['L-1'];
    expect(body({ count: { expr: 'expected.limitEndTime + 1' }, text: 'Lock No' }, none)).toEqual({
      text: 'L-1',
    });
    expect(body({ count: { expr: 'expected.limitEndTime' }, text: 'Lock No' }, none)).toEqual({
      text: 'L-1',
    });
  });

  it('report a failure at the first cell that is read', () => {
    const some: readonly Given[] = ['L-1', undefined, undefined, undefined, ['number', '5']];
    const map = { count: { expr: 'actual.limitEndTime + expected.limitEndTime' } };
    const group = bound(map).map([row(2, some)], NO_JOINS);
    expect(group).toMatchObject({
      kind: 'invalid',
      faults: [{ row: 2, column: 5, message: { code: 'mapping.expr_failed' } }],
    });
  });

  it('keep the columns they read, and no others', () => {
    const columns = (expr: string) => bound({ text: { expr } }).columns;
    expect(columns('actual.locked ? "a" : expected.locked ? "b" : "c"')).toEqual([2, 3]);
    expect(columns('actual.assignStatus == null ? "a" : "b"')).toEqual([7, 8]);
    expect(columns('row["Lock No"] + actual.assetNum + row["actual.assetNum"]')).toEqual([1, 6]);
    expect(columns('expected.freezing == null ? "a" : "b"')).toEqual([]);
  });

  it('name the field that is required and empty', () => {
    const operation = singleOperation([must('text', 'String')]);
    const mapping = compile({ operation, headers: HEADERS, map: { text: { expr: 'actual.assetNum' } } });
    expect(mapping.map([row(2, ['L-1'])], NO_JOINS)).toMatchObject({
      kind: 'invalid',
      faults: [
        { column: 6, message: { code: 'mapping.required_empty', params: { header: 'actual.assetNum' } } },
      ],
    });
  });

  it('give the locks of an action', () => {
    const mapping = compile({
      operation: lockOperation(),
      headers: HEADERS,
      map: {
        assetNums: { expr: 'expected.locked && !actual.locked ? row["Lock No"] : ""' },
        operatorIdentity: { value: 'ops@example.com' },
      },
    });
    expect(mapping.map([row(2, CELLS)], NO_JOINS)).toMatchObject({ kind: 'items', items: [{ body: 'L-1' }] });
  });

  it('are refused where two columns bear the name', () => {
    const headers = [...HEADERS, 'EXPECTED.LOCKED'];
    expect(() => bound({ flag: { expr: 'expected.locked' } }, headers)).toThrow(/expected\.locked/i);
    expect(() => bound({ flag: { expr: 'actual.locked' } }, headers)).not.toThrow();
  });

  it('are read one field at a time', () => {
    expect(() => bound({ count: { expr: 'size(expected)' } })).toThrow('one field at a time');
  });
});
