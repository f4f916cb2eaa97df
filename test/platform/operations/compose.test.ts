import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/json.js';
import { OPERATIONS } from '../../../src/platform/operations/catalogue.js';
import { checkShape } from '../../../src/platform/wire/check.js';
import { CONTEXT, DELETE_PRODUCT, ENVELOPE, NEW_BUY, PACKAGE, PRODUCT } from './samples.js';

const buy = OPERATIONS['order.new_buy'];

function ordersOf(body: JsonObject | undefined): readonly JsonObject[] {
  return (body?.orderList ?? []) as readonly JsonObject[];
}

function orders(bodies: readonly JsonObject[], envelope = ENVELOPE): readonly JsonObject[] {
  return ordersOf(buy.compose(envelope, bodies, CONTEXT).body);
}

describe('orders', () => {
  test('go to the batch order with the appKey in the query', () => {
    const request = buy.compose(ENVELOPE, [NEW_BUY], CONTEXT);
    expect(request.method).toBe('POST');
    expect(request.path).toBe('/order/api/order/v1/licenseOrder/batchOrder');
    expect(request.query).toEqual({ appKey: 'app-1' });
    expect(Object.keys(request.body ?? {})).toEqual([
      'channelCode',
      'channelOrderId',
      'syncMode',
      'orderList',
    ]);
  });

  test('are whole by the interface’s own table, in its order, when only the generated fields were omitted', () => {
    const packaged = {
      ...NEW_BUY,
      assets: [{ assetNos: ['1'], merchandises: [{ ...PACKAGE, children: [PACKAGE] }] }],
    };
    const { body } = buy.compose(ENVELOPE, [NEW_BUY, packaged], CONTEXT);
    expect(checkShape(buy.endpoint.request, body, { unknown: 'report', blank: 'missing' })).toEqual([]);
    const order = ordersOf(body)[0]!;
    expect(Object.keys(order).slice(0, 3)).toEqual(['sequence', 'customerId', 'crmCustomerId']);
    expect(Object.keys(order).at(-1)).toBe('assets');
    expect(order.orderType).toBe('new_buy');
  });

  test('get the defaults of their products, also inside packages', () => {
    const body = { ...NEW_BUY, assets: [{ assetNos: ['1'], products: [PRODUCT], merchandises: [PACKAGE] }] };
    const asset = (orders([body])[0]!.assets as JsonObject[])[0]!;
    expect(asset.products).toMatchObject([{ strictMatchWhenDelete: false, productFeatures: [] }]);
    expect(asset.merchandises).toMatchObject([
      { licenseOrderProductList: [{ strictMatchWhenDelete: false, productFeatures: [] }] },
    ]);
  });

  test('omit what is empty', () => {
    const text = JSON.stringify(orders([NEW_BUY]));
    expect(text).not.toMatch(/null|srcLicenseOrderId|passwords/);
  });

  test('count from 1 where they have no sequence', () => {
    expect(orders([NEW_BUY, NEW_BUY, NEW_BUY]).map((it) => it.sequence)).toEqual([1, 2, 3]);
  });

  test('keep a mapped sequence, and never share one', () => {
    const bodies = [
      NEW_BUY,
      { ...NEW_BUY, sequence: 1 },
      { ...NEW_BUY, sequence: 2 },
      { ...NEW_BUY, sequence: 1 },
    ];
    expect(orders(bodies).map((it) => it.sequence)).toEqual([3, 1, 2, 4]);
  });

  test('keep their own channelOrderId, else take the batch’s', () => {
    const { channelOrderId: _, ...open } = ENVELOPE;
    expect(buy.compose(ENVELOPE, [NEW_BUY], CONTEXT).body?.channelOrderId).toBe('SO-1');
    expect(buy.compose(open, [NEW_BUY], CONTEXT).body?.channelOrderId).toBe('LS-run-1');
  });

  test('are the same, byte for byte, when composed again', () => {
    const once = JSON.stringify(buy.compose(ENVELOPE, [NEW_BUY, NEW_BUY], CONTEXT));
    expect(JSON.stringify(buy.compose(ENVELOPE, [NEW_BUY, NEW_BUY], CONTEXT))).toBe(once);
  });

  test('do not alter what they are made from', () => {
    const before = structuredClone(DELETE_PRODUCT);
    OPERATIONS['order.delete_product'].compose(ENVELOPE, [DELETE_PRODUCT], CONTEXT);
    expect(DELETE_PRODUCT).toEqual(before);
  });

  test('of products to revoke go without strict matching unless it is asked for', () => {
    const request = OPERATIONS['order.delete_product'].compose(ENVELOPE, [DELETE_PRODUCT], CONTEXT);
    const order = ordersOf(request.body)[0];
    expect(order).toMatchObject({
      orderType: 'delete_product',
      assets: [
        {
          assetNos: ['007'],
          products: [{ crmProductId: 'PI-1', productUri: 'P-1', strictMatchWhenDelete: false }],
        },
      ],
    });
  });

  test('go without appKey where the connection has none', () => {
    expect(buy.compose(ENVELOPE, [NEW_BUY], { channelOrderId: 'x' }).query).toEqual({});
  });
});

test('locks are sent together under one operator', () => {
  expect(OPERATIONS['asset.unlock'].compose({ operatorIdentity: 'ops' }, ['007', '8'], CONTEXT)).toEqual({
    method: 'POST',
    path: '/order/api/order/v1/asset/unlock',
    query: {},
    body: { assetNums: ['007', '8'], operatorIdentity: 'ops' },
  });
});

test('a query goes in the query, without a body', () => {
  const fields = { defaultCustomer: 'N', channelCustomerId: 'A&B', channelCode: 'CH' };
  expect(OPERATIONS['enterprise.query'].compose({}, [fields], CONTEXT)).toEqual({
    method: 'GET',
    path: '/order/api/order/v1/enterprise/user/query',
    query: { channelCode: 'CH', channelCustomerId: 'A&B', defaultCustomer: 'N' },
  });
});

test('an id in the path can neither leave its segment nor be treated as a pattern', () => {
  const list = OPERATIONS['asset.list'];
  expect(list.compose({}, [{ enterpriseGlobalId: "a/../b?c#$&$'中", extendCode: 'gxxp' }], CONTEXT)).toEqual({
    method: 'GET',
    path: `/order/api/order/v1/asset/${encodeURIComponent("a/../b?c#$&$'中")}/list`,
    query: { extendCode: 'gxxp' },
  });
});

test('single requests contain their fields as the body', () => {
  expect(OPERATIONS['asset.numbers'].compose({}, [{ size: 5 }], CONTEXT).body).toEqual({ size: 5 });
  const fields = { branch: 'b', source: 's', activityLabel: 'l', identity: 'i' };
  const request = OPERATIONS['activity.participate'].compose({}, [fields], CONTEXT);
  expect(Object.entries(request.body ?? {})).toEqual([
    ['identity', 'i'],
    ['activityLabel', 'l'],
    ['source', 's'],
    ['branch', 'b'],
  ]);
  expect(request.path).toBe('/activity/services/activity');
});
