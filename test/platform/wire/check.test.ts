import { describe, expect, test } from 'vitest';
import type { Field } from '../../../src/model/field.js';
import { checkReply, checkShape } from '../../../src/platform/wire/check.js';
import { ENDPOINTS } from '../../support/endpoints.js';

const field = (name: string, type: Field['type'], more: Partial<Field> = {}): Field => ({
  name,
  type,
  required: true,
  meaning: 'a field of the test',
  section: '§2.3',
  ...more,
});

const paths = (problems: readonly { path: string; problem: string }[]) =>
  problems.map((it) => `${it.path} ${it.problem}`);

describe('types', () => {
  const passes = (type: Field['type'], value: unknown) =>
    checkShape([field('it', type)], { it: value }).length === 0;

  test.each<[Field['type'], unknown[], unknown[]]>([
    ['String', ['', 'x', '007'], [7, true, [], {}]],
    ['Boolean', [true, false], ['true', 0, 1]],
    ['Integer', [0, -1, 2 ** 40, 12n], [1.5, '1', Number.NaN, Number.POSITIVE_INFINITY, 2n ** 60n, true]],
    ['Long', [0, 1767225600000, 2n ** 63n - 1n, -(2n ** 63n)], [0.5, '1767225600000', 2n ** 63n, 2 ** 63]],
    ['Date', [1767225600000, '2026-01-01'], ['', ' ', 1.5, true]],
    ['String array', [[], ['a']], ['a', [1], [null], {}]],
  ])('%s', (type, good, bad) => {
    for (const value of good) expect(passes(type, value), `${type} ${String(value)}`).toBe(true);
    for (const value of bad) expect(passes(type, value), `${type} ${String(value)}`).toBe(false);
  });

  test('an object without members may be anything, as its form is not known', () => {
    expect(passes('object', 'text')).toBe(true);
    expect(passes('object', { any: [1] })).toBe(true);
  });
});

test('all problems are collected, with indexed paths', () => {
  const order = { assets: [{ assetNos: ['1'] }, { assetNos: [2], products: [{ trial: 7 }] }] };
  const problems = checkShape(ENDPOINTS.batchOrder.request, {
    channelCode: 'C',
    channelOrderId: 'O',
    syncMode: 'later',
    orderList: [order],
  });
  const found = paths(problems);
  expect(found).toContain('syncMode value');
  expect(found).toContain('orderList[0].sequence missing');
  expect(found).toContain('orderList[0].assets[1].assetNos[0] type');
  expect(found).toContain('orderList[0].assets[1].products[0].trial value');
  expect(found).not.toContain('orderList[0].assets[0].assetNos[0] type');
});

test('children are checked at every depth, and may be null', () => {
  const shape = [field('merchandises', 'object array', { fields: merchandise() })];
  const leaf = { name: 'c', children: null };
  expect(checkShape(shape, { merchandises: [{ name: 'a', children: [leaf] }] })).toEqual([]);
  expect(
    paths(checkShape(shape, { merchandises: [{ name: 'a', children: [{ name: 'b', children: [{}] }] }] })),
  ).toEqual(['merchandises[0].children[0].children[0].name missing']);
});

function merchandise(): readonly Field[] {
  const fields: Field[] = [field('name', 'String')];
  fields.push(field('children', 'object array', { required: false, fields }));
  return fields;
}

test('null counts as missing', () => {
  const fields = [field('a', 'String'), field('b', 'String', { required: false })];
  expect(paths(checkShape(fields, { a: null, b: null }))).toEqual(['a missing']);
});

test('blank required text is missing only where that is asked for', () => {
  const fields = [field('a', 'String'), field('b', 'String', { required: false })];
  expect(checkShape(fields, { a: ' ', b: ' ' })).toEqual([]);
  expect(paths(checkShape(fields, { a: ' ', b: ' ' }, { blank: 'missing' }))).toEqual(['a missing']);
});

test('unknown members pass unless they are to be reported', () => {
  const value = JSON.parse('{"a":"x","more":1,"__proto__":2}');
  expect(checkShape([field('a', 'String')], value)).toEqual([]);
  expect(paths(checkShape([field('a', 'String')], value, { unknown: 'report' }))).toEqual([
    'more unknown',
    '__proto__ unknown',
  ]);
});

test('inherited members are none of the value', () => {
  expect(paths(checkShape([field('toString', 'String')], {}))).toEqual(['toString missing']);
});

test.each([[undefined], [null], [[]], ['text'], [7]])('%j is no object', (value) => {
  expect(checkShape([field('a', 'String', { required: false })], value)).toHaveLength(1);
});

describe('replies', () => {
  test('unknown members, unlisted values and null for optional fields pass', () => {
    const data = [{ sequence: 1, licenseOrderId: 'L', customerId: null, added: 'later' }];
    expect(checkReply(ENDPOINTS.batchOrder.reply, data)).toEqual([]);
    const claimed = { resultCode: '0000', detail: { products: [{ activateType: '2' }] } };
    expect(checkReply(ENDPOINTS.activity.reply, claimed)).toEqual([]);
    expect(checkReply(ENDPOINTS.lock.reply, [{ assetNum: '1', status: 9 }])).toEqual([]);
  });

  test('missing and ill-typed data', () => {
    expect(paths(checkReply(ENDPOINTS.bind.reply, null))).toEqual(['data missing']);
    expect(paths(checkReply(ENDPOINTS.query.reply, {}))).toEqual(['data type']);
    expect(paths(checkReply(ENDPOINTS.query.reply, [{ customerId: 5 }]))).toEqual([
      'data[0].customerId type',
    ]);
    expect(paths(checkReply(ENDPOINTS.assetNumbers.reply, ['8000000001', 8000000002]))).toEqual([
      'data[1] type',
    ]);
    expect(checkReply(ENDPOINTS.update.reply, undefined)).toEqual([]);
  });
});
