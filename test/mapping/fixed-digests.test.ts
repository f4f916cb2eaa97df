import { describe, expect, it } from 'vitest';
import type { MappedItem } from '../../src/model/item.js';
import type { Operation } from '../../src/model/operation.js';
import { ACTIVITY_PARTICIPATE } from '../../src/platform/operations/activity/activity.operation.js';
import {
  ENTERPRISE_BIND,
  ENTERPRISE_CREATE,
} from '../../src/platform/operations/enterprise/enterprise.operation.js';
import { ORDER_NEW_BUY } from '../../src/platform/operations/order/order.operation.js';
import { ShapedRow } from '../../src/source/row-shape.js';
import {
  compile,
  type Given,
  lockOperation,
  lookupOf,
  type MapShape,
  must,
  NO_JOINS,
  orderOperation,
  row,
  singleOperation,
} from '../support/mapping.js';

/**
 * Keys and digests of contents are in ledgers for years: were one of these to come out otherwise, orders that an earlier version of
 * the program sent successfully would be sent once more. They are never to be changed.
 */
const PRODUCT_CELLS: Readonly<Record<string, Given>> = {
  Product: 'P1',
  Parent: 'PP1',
  From: ['date', '2026-01-01', '46023'],
  Until: '2026-12-31',
  Nodes: ['number', '5'],
};
const CELLS: Readonly<Record<string, Given>> = {
  Order: ' SO-1 ',
  Customer: '北京 "某某" \\ 科技\t有限公司',
  Id: ['number', '000123', '123'],
  Lock: 'A1，A2; A1',
  ...PRODUCT_CELLS,
};
const REAL_ORDER = {
  customerId: 'Id',
  crmCustomerId: 'Id',
  customerName: 'Customer',
  channelCustomerId: 'Id',
  adminName: { value: 'Admin 😀' },
  adminAccount: { value: 'admin' },
  adminEmail: { value: 'a@example.com' },
  adminCellNumber: { value: 13800138000 },
  passwordMobile: { value: '13800138000' },
  address: { template: '{Customer}/{Id}' },
  customerType: { value: 'company' },
  branchCode: { value: '01' },
  branchName: { value: 'B' },
  enterpriseGlobalId: { value: 'E1' },
  licenseType: { value: 'normal_recover_usbkey' },
  assets: {
    each: ['Lock'],
    assetNos: 'Lock',
    products: {
      each: ['Product'],
      crmProductId: 'Product',
      parentCrmProductId: 'Parent',
      productUri: { value: 'uri' },
      productName: 'Product',
      productType: { value: 'software' },
      limitStartDate: 'From',
      limitEndDate: { column: 'Until', end: 'day' },
      limitConcurrent: 'Nodes',
      limitTimeDuration: { value: 0 },
      trial: { value: 0 },
      trialEndDate: { value: 0 },
      timeUnit: { value: 'year' },
      timeUnitQuantity: { expr: 'int(row["Nodes"]) * 2' },
      timeDurationExpression: { value: '1-0-0' },
    },
  },
};
const REQUEST = { channelCode: { value: 'CH' }, syncMode: { value: 'sync' } };

function mapped(operation: Operation, map: MapShape, cells: Readonly<Record<string, Given>>): MappedItem {
  const mapping = compile({ operation, headers: Object.keys(cells), map });
  return onlyItem(mapping.map([row(2, Object.values(cells))], NO_JOINS));
}

function onlyItem(group: ReturnType<ReturnType<typeof compile>['map']>): MappedItem {
  if (group.kind !== 'items') throw new Error(JSON.stringify(group.faults));
  expect(group.items).toHaveLength(1);
  return group.items[0]!;
}

describe('digests stay what they are in the ledgers of earlier versions', () => {
  it('of an order by its number', () => {
    const map = { ...REQUEST, channelOrderId: 'Order', orderList: { each: ['Order'], ...REAL_ORDER } };
    expect(mapped(ORDER_NEW_BUY, map, CELLS)).toMatchObject({
      key: '0a088915b13149460d85801bc2fff31b',
      content: '41adcc376848c32d057ea1434e05b86a',
    });
  });

  it('of an order without one, which is known by its content', () => {
    expect(mapped(ORDER_NEW_BUY, { ...REQUEST, orderList: REAL_ORDER }, CELLS)).toMatchObject({
      key: '41adcc376848c32d057ea1434e05b86a',
      content: '41adcc376848c32d057ea1434e05b86a',
    });
  });

  it('of an order whose lists are not sorted: as they stand, and sorted, by which it is known', () => {
    const found = mapped(ORDER_NEW_BUY, { ...REQUEST, orderList: REAL_ORDER }, { ...CELLS, Lock: 'A2;A1' });
    expect(found).toMatchObject({
      key: '41adcc376848c32d057ea1434e05b86a',
      content: '76faf967a6b7395ebd0b445d57971339~41adcc376848c32d057ea1434e05b86a',
      earlierKeys: ['76faf967a6b7395ebd0b445d57971339'],
    });
    expect(found.bodyJson).toContain('["A2","A1"]');
  });

  it('of an order whose key holds an invisible character: with it then, without it now', () => {
    const orderList = { each: ['Order', 'Customer'], ...REAL_ORDER };
    const map = { ...REQUEST, channelOrderId: 'Order', orderList };
    const then = mapped(ORDER_NEW_BUY, map, { ...CELLS, Customer: 'Li\u200b Ming' });
    const now = mapped(ORDER_NEW_BUY, map, { ...CELLS, Customer: 'Li Ming' });
    expect([then.key, then.earlierKeys?.[0], now.key, now.earlierKeys]).toEqual([
      '0fd83926f58d5d5d65318a2308e4abee',
      'b19a116689e7e01383e9ecf96de86b4d',
      '0fd83926f58d5d5d65318a2308e4abee',
      undefined,
    ]);
  });

  it.each([
    ['with a number', { channelOrderId: 'Order', orderList: { each: ['Order'], ...REAL_ORDER } }],
    ['without a number', { orderList: REAL_ORDER }],
  ])('of an order %s, with an end whose cell hides some seconds: version 0.1 sent them', (_name, more) => {
    const cells = { ...CELLS, Until: ['date', '2026-12-31T00:00:43', '46387.0005'] } as const;
    const map = { ...REQUEST, ...more };
    const then = mapped(ORDER_NEW_BUY, map, cells);
    const mapping = compile({ operation: ORDER_NEW_BUY, headers: Object.keys(cells), map });
    const own = row(2, Object.values(cells));
    const at = Object.keys(cells).indexOf('Until') + 1;
    const hiding = new ShapedRow(own, { replaced: new Map([[at, { ...own.cell(at)!, hidesTime: true }]]) });
    const now = onlyItem(mapping.map([hiding], NO_JOINS));
    expect(now.content).not.toBe(then.content);
    expect(now.earlierContent).toBe(then.content);
    expect([now.key, ...(now.earlierKeys ?? [])]).toContain(then.key);
  });

  it('of an order in another sheet, which is known by what it holds', () => {
    const mapping = compile({
      operation: orderOperation(),
      headers: ['Order'],
      joined: { Lines: ['Order', 'Customer', 'Lock'] },
      map: {
        ...REQUEST,
        channelOrderId: 'Order',
        orderList: {
          each: { sheet: 'Lines', on: ['Order'] },
          customer: 'Customer',
          assets: { assetNos: 'Lock' },
        },
      },
    });
    const lines = [row(5, ['O1', 'Li', 'A1;A2'], 'Lines')];
    const group = mapping.map([row(2, ['O1'])], lookupOf(mapping, { Lines: lines }));
    expect(onlyItem(group)).toMatchObject({
      key: '91b09ab836353537279ceaf88d53c37e',
      content: '15e271f7648d712dfc90e393d1007090',
    });
  });

  it.each<[Operation, Readonly<Record<string, string>>, string, string]>([
    [
      ENTERPRISE_CREATE,
      { crmCustomerId: 'C1', customerName: '某某', branchName: 'B', address: 'a/b' },
      'e07befa4e7ec64afc39bf0c73910f8cc',
      'a3d8d72f908521d32ca9370e8b262869',
    ],
    [
      ENTERPRISE_BIND,
      {
        channelCode: 'CH',
        channelCustomerId: 'X"1',
        customerName: '某某',
        branchName: 'B',
        enterpriseName: 'E',
        passwordMobile: '13800138000',
      },
      '474374adfd253532a02c426521e7905d',
      '47f5a8af76d0149e82ed8134c46349d7',
    ],
    [
      ACTIVITY_PARTICIPATE,
      { identity: 'I1', activityLabel: '活动', source: 's', branch: '01' },
      '07383fee53d9c5bb078a68b6f7862eeb',
      '86ebaa56c6f6dace3ac91930a6877934',
    ],
  ])('of $name', (operation, values, key, content) => {
    const map = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]));
    expect(mapped(operation, map, { Unused: 'x' })).toMatchObject({ key, content });
  });

  it('of numbers beyond 2^53, of lists, and of names in any order', () => {
    const shape = [
      must('zone', 'String'),
      must('big', 'Long'),
      must('list', 'String array'),
      must('a', 'Boolean'),
      must('none', 'Integer', { required: false }),
    ];
    const map = { zone: 'Z', big: 'B', list: 'L', a: { value: true }, none: 'N' };
    const cells = { Z: 'x\u2028x', B: '9007199254740993', L: 'y;x', N: undefined };
    expect(mapped(singleOperation(shape, ['big', 'none', 'zone']), map, cells)).toMatchObject({
      key: 'd0916778c4d62da0708ca67ebb170538',
      content: '448d1983d3711e77bca807ed65b7783c',
    });
  });

  it('of a lock', () => {
    const map = { assetNums: 'Lock', operatorIdentity: { value: 'ops' } };
    expect(mapped(lockOperation(), map, { Lock: '007' })).toMatchObject({
      content: '781761a5073396c1da1ad453d0789f46',
    });
  });
});
