import { expect, test } from 'vitest';
import { OPERATION_NAMES } from '../../../src/model/operation.js';
import { OPERATIONS } from '../../../src/platform/operations/index.js';
import { describeOperation } from '../../../src/platform/operations/listing.js';

const buy = OPERATIONS['order.new_buy'];
const line = (path: string) => describeOperation(buy).find((it) => it.path === path);

test('every field of an order is listed once, parents first, packages inside packages not again', () => {
  const paths = describeOperation(buy).map((it) => it.path);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths.slice(0, 5)).toEqual([
    'channelCode',
    'channelOrderId',
    'syncMode',
    'orderList',
    'orderList.sequence',
  ]);
  expect(paths).toContain('orderList.assets.products.productFeatures.trialEndDate');
  expect(paths).toContain('orderList.assets.merchandises.licenseOrderProductList.productUri');
  expect(paths).toContain('orderList.assets.merchandises.children');
  expect(paths.filter((it) => it.includes('children.'))).toEqual([]);
});

test('says what is required, and what goes when a field is left out', () => {
  expect(line('orderList.licenseType')).toMatchObject({ required: true, type: 'String', section: '§2.3' });
  expect(line('orderList.licenseType')?.values).toHaveLength(14);
  expect(line('orderList.sequence')).toMatchObject({ required: false });
  expect(line('orderList.sequence')?.meaning).toContain('made by the program');
  expect(line('orderList.orderType')?.meaning).toContain('new_buy when left out');
  expect(line('orderList.assets.products.productFeatures')?.meaning).toContain('an empty list when left out');
});

test.each(OPERATION_NAMES)('%s has fields', (name) => {
  expect(describeOperation(OPERATIONS[name]).length).toBeGreaterThan(0);
});
