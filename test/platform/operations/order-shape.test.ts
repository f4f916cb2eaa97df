import { expect, test } from 'vitest';
import type { Field } from '../../../src/model/field.js';
import { ORDER_SHAPES } from '../../../src/platform/operations/order/order.shape.js';

function at(fields: readonly Field[], path: string): Field {
  let found: Field | undefined;
  let level: readonly Field[] | undefined = fields;
  for (const name of path.split('.')) {
    found = level?.find((it) => it.name === name);
    level = found?.fields;
  }
  if (!found) throw new Error(`no field ${path}`);
  return found;
}

const names = (field: Field) => field.fields?.map((it) => it.name);
const buy = ORDER_SHAPES.new_buy;
const asset = ORDER_SHAPES.delete_asset;
const product = ORDER_SHAPES.delete_product;

test('new purchases keep the whole table, products and packages alike', () => {
  expect(names(at(buy, 'orderList'))).toHaveLength(19);
  expect(names(at(buy, 'orderList.assets'))).toHaveLength(8);
  expect(names(at(buy, 'orderList.assets.products'))).toHaveLength(20);
  expect(at(buy, 'orderList.customerId').required).toBe(true);
  expect(at(buy, 'orderList.assets.products').required).toBe(false);
  expect(at(buy, 'orderList.assets.products.limitConcurrent').required).toBe(true);
  expect(at(buy, 'orderList.assets.products.productFeatures.featureCode').required).toBe(true);
});

test('defaults hold for products inside packages inside packages', () => {
  for (const list of [
    'orderList.assets.products',
    'orderList.assets.merchandises.licenseOrderProductList',
    'orderList.assets.merchandises.children.children.licenseOrderProductList',
  ]) {
    expect(at(buy, `${list}.productFeatures`)).toMatchObject({ required: false, default: [] });
    expect(at(buy, `${list}.strictMatchWhenDelete`)).toMatchObject({ required: false, default: false });
  }
  const packages = at(buy, 'orderList.assets.merchandises').fields;
  expect(at(buy, 'orderList.assets.merchandises.children.children').fields).toBe(packages);
});

test('delete orders may omit the four fields that their examples omit', () => {
  for (const shape of [asset, product]) {
    const optional = shape
      .find((it) => it.name === 'orderList')
      ?.fields?.filter((it) => !it.required && !it.generated && it.default === undefined)
      .map((it) => it.name);
    expect(optional).toEqual([
      'customerId',
      'crmCustomerId',
      'passwordMobile',
      'address',
      'srcLicenseOrderId',
    ]);
  }
});

test('assets of delete orders contain only what §2.3 says', () => {
  expect(names(at(asset, 'orderList.assets'))).toEqual(['assetNos']);
  expect(names(at(product, 'orderList.assets'))).toEqual([
    'assetNos',
    'limitStartDate',
    'limitEndDate',
    'products',
  ]);
  expect(at(product, 'orderList.assets.products').required).toBe(true);
  expect(at(product, 'orderList.assets.products').fields?.map((it) => [it.name, it.required])).toEqual([
    ['crmProductId', true],
    ['productUri', true],
    ['limitStartDate', false],
    ['limitEndDate', false],
    ['limitConcurrent', false],
    ['strictMatchWhenDelete', false],
  ]);
});

test('the order type is given by the operation and may not be another', () => {
  for (const [type, shape] of Object.entries(ORDER_SHAPES)) {
    const field = at(shape, 'orderList.orderType');
    expect(field.default).toBe(type);
    expect(field.values?.map((it) => it.value)).toEqual([type]);
  }
});

test('sequence and channelOrderId are made by the program where they are not mapped', () => {
  for (const shape of Object.values(ORDER_SHAPES)) {
    expect(at(shape, 'channelOrderId')).toMatchObject({ generated: true, required: false });
    expect(at(shape, 'orderList.sequence')).toMatchObject({ generated: true, required: false });
  }
});
