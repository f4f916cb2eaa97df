import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/json.js';
import { OPERATIONS } from '../../../src/platform/operations/catalogue.js';
import { MERCHANDISE_FIELDS } from '../../../src/platform/operations/order/order.endpoint.js';
import { columnPaths, columnText, recordValues } from '../../../src/platform/operations/shared/records.js';

test('a virtual asset, nested values by path', () => {
  const columns = OPERATIONS['asset.list'].recordColumns ?? [];
  const record: JsonObject = {
    id: 'A-1',
    assetNum: '007',
    locked: false,
    keyChipType: 2,
    createTime: 1767225600000,
    updateTime: 9223372036854775807n,
    assignStatus: { assignMemberId: 'M-1', updateTime: null },
    assetLimits: null,
    assetExtends: [{ extendCode: 'gxxp', extendValue: '1' }, { extendCode: 'other' }],
  };
  const row = Object.fromEntries(columns.map((name, index) => [name, recordValues(record, columns)[index]]));
  expect(row).toMatchObject({
    id: 'A-1',
    assetNum: '007',
    locked: 'FALSE',
    keyChipType: 2,
    createTime: '1767225600000',
    updateTime: '9223372036854775807',
    'assignStatus.assignMemberId': 'M-1',
    'assetExtends.extendCode': 'gxxp; other',
    'assetExtends.extendValue': '1; ',
  });
  expect(row.assetLimits).toBeUndefined();
  expect(row['assignStatus.updateTime']).toBeUndefined();
  expect(row['assignStatus.id']).toBeUndefined();
});

test('odd records neither throw nor reach into prototypes', () => {
  expect(recordValues({ a: 'x' }, ['a.b', 'constructor.name', '__proto__', 'toString'])).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('values of unknown form are shown as JSON, digits kept', () => {
  expect(columnText({ a: [1n, 'x', null], b: { c: true } })).toBe('{"a":[1,"x",null],"b":{"c":true}}');
  expect(columnText('')).toBeUndefined();
  expect(columnText(0)).toBe('0');
});

test('paths end at scalars', () => {
  const flat = MERCHANDISE_FIELDS.filter((it) => it.name !== 'children');
  const paths = columnPaths(flat);
  expect(paths).toContain('licenseOrderProductList.productFeatures.featureCode');
  expect(paths).not.toContain('licenseOrderProductList');
});
