import { describe, expect, test } from 'vitest';
import { operationNamed } from '../../../src/platform/operations/catalogue.js';
import {
  CAREFUL,
  DELETE_ASSET,
  DELETE_PRODUCT,
  ENVELOPE,
  faultsOf,
  NEW_BUY,
  PACKAGE,
  PRODUCT,
} from './samples.js';

const buy = (asset: object) => ({ ...NEW_BUY, assets: [{ assetNos: ['007'], ...asset }] });
const drop = (product: object, asset: object = {}) => ({
  ...DELETE_PRODUCT,
  assets: [
    { assetNos: ['007'], products: [{ crmProductId: 'PI-1', productUri: 'P-1', ...product }], ...asset },
  ],
});

test('sound orders break no rule', () => {
  expect(faultsOf('order.new_buy', NEW_BUY)).toEqual([]);
  expect(faultsOf('order.delete_asset', DELETE_ASSET)).toEqual([]);
  expect(faultsOf('order.delete_product', DELETE_PRODUCT)).toEqual([]);
});

test('an error has its path with and without indexes', () => {
  const [fault] = operationNamed('order.new_buy').rules(
    { envelope: ENVELOPE, body: { ...NEW_BUY, assets: [{ assetNos: ['1'] }] } },
    CAREFUL,
  );
  expect(fault?.path).toBe('orderList[0].assets[0].products');
  expect(fault?.field).toBe('orderList.assets.products');
});

describe('what is bought', () => {
  test('products or packages must be there, packages alone will do', () => {
    const fault = 'orderList[0].assets[0].products rule.nothing_bought';
    expect(faultsOf('order.new_buy', buy({}))).toEqual([fault]);
    expect(faultsOf('order.new_buy', buy({ products: [], merchandises: [] }))).toEqual([fault]);
    expect(faultsOf('order.new_buy', buy({ merchandises: [PACKAGE] }))).toEqual([]);
  });

  test('a package holds products or packages', () => {
    const hollow = { ...PACKAGE, licenseOrderProductList: [] };
    expect(faultsOf('order.new_buy', buy({ merchandises: [hollow] }))).toEqual([
      'orderList[0].assets[0].merchandises[0].licenseOrderProductList rule.empty_package',
    ]);
    expect(faultsOf('order.new_buy', buy({ merchandises: [{ ...hollow, children: [PACKAGE] }] }))).toEqual(
      [],
    );
  });

  test('products deep inside packages are checked', () => {
    const late = { ...PRODUCT, limitStartDate: 2, limitEndDate: 1 };
    const child = { ...PACKAGE, children: null, licenseOrderProductList: [PRODUCT, late] };
    expect(faultsOf('order.new_buy', buy({ merchandises: [{ ...PACKAGE, children: [child] }] }))).toEqual([
      'orderList[0].assets[0].merchandises[0].children[0].licenseOrderProductList[1].limitStartDate rule.start_after_end',
    ]);
  });
});

describe('time', () => {
  test('a start after its end, of assets and of products; the same instant is fine', () => {
    expect(
      faultsOf('order.new_buy', buy({ limitStartDate: 2, limitEndDate: 1, products: [PRODUCT] })),
    ).toEqual(['orderList[0].assets[0].limitStartDate rule.start_after_end']);
    expect(faultsOf('order.delete_product', drop({ limitStartDate: 2n, limitEndDate: 1 }))).toEqual([
      'orderList[0].assets[0].products[0].limitStartDate rule.start_after_end',
    ]);
    const same = { ...PRODUCT, limitStartDate: 1, limitEndDate: 1 };
    expect(faultsOf('order.new_buy', buy({ products: [same] }))).toEqual([]);
    expect(faultsOf('order.delete_product', drop({ limitEndDate: 1 }))).toEqual([]);
  });
});

describe('strict matching', () => {
  test('needs what is matched, each reports its own', () => {
    expect(faultsOf('order.delete_product', drop({ strictMatchWhenDelete: true, limitEndDate: 5 }))).toEqual([
      'orderList[0].assets[0].products[0].limitStartDate rule.strict_match',
      'orderList[0].assets[0].products[0].limitConcurrent rule.strict_match',
    ]);
  });

  test('has what it needs, or is off', () => {
    const whole = { strictMatchWhenDelete: true, limitStartDate: 1, limitEndDate: 5, limitConcurrent: 0 };
    expect(faultsOf('order.delete_product', drop(whole))).toEqual([]);
    expect(faultsOf('order.delete_product', drop({ strictMatchWhenDelete: false }))).toEqual([]);
  });

  test('means nothing on a new purchase', () => {
    const { limitStartDate: _, ...open } = PRODUCT;
    expect(faultsOf('order.new_buy', buy({ products: [{ ...open, strictMatchWhenDelete: true }] }))).toEqual(
      [],
    );
  });
});

describe('the original order of a delete order', () => {
  const { srcLicenseOrderId: _, ...nameless } = DELETE_ASSET;
  const { srcLicenseOrderId: __, ...namelessProduct } = DELETE_PRODUCT;
  const bold = { allowDeleteFromAllOrders: true };

  test('is needed unless the job allows to do without', () => {
    const fault = ['orderList[0].srcLicenseOrderId rule.source_order'];
    expect(faultsOf('order.delete_asset', nameless)).toEqual(fault);
    expect(faultsOf('order.delete_product', namelessProduct)).toEqual(fault);
    expect(faultsOf('order.delete_asset', { ...nameless, srcLicenseOrderId: ' ' })).toEqual(fault);
    expect(faultsOf('order.delete_asset', nameless, bold)).toEqual([]);
  });

  test.each(['cloud_account', 'cloud_customer', 'cloud_personal'])('is mandatory for %s', (licenseType) => {
    const fault = ['orderList[0].srcLicenseOrderId rule.cloud_source_order'];
    expect(faultsOf('order.delete_asset', { ...nameless, licenseType }, bold)).toEqual(fault);
    expect(faultsOf('order.delete_product', { ...namelessProduct, licenseType })).toEqual(fault);
    expect(faultsOf('order.delete_asset', { ...DELETE_ASSET, licenseType })).toEqual([]);
  });

  test('does not apply to a new purchase', () => {
    expect(faultsOf('order.new_buy', { ...NEW_BUY, licenseType: 'cloud_account' })).toEqual([]);
  });
});

describe('lists and text that hold nothing', () => {
  test('empty lists', () => {
    expect(faultsOf('order.new_buy', { ...NEW_BUY, assets: [] })).toEqual([
      'orderList[0].assets rule.empty_list',
    ]);
    expect(faultsOf('order.delete_asset', { ...DELETE_ASSET, assets: [{ assetNos: [] }] })).toEqual([
      'orderList[0].assets[0].assetNos rule.empty_list',
    ]);
    expect(faultsOf('order.delete_product', drop({}, { products: [] }))).toEqual([
      'orderList[0].assets[0].products rule.empty_list',
    ]);
  });

  test('blank asset numbers', () => {
    expect(faultsOf('order.delete_asset', { ...DELETE_ASSET, assets: [{ assetNos: ['1', ' '] }] })).toEqual([
      'orderList[0].assets[0].assetNos[1] rule.blank_element',
    ]);
  });

  test('blank required text, in the order and in its envelope; blank optional text passes', () => {
    expect(faultsOf('order.new_buy', { ...NEW_BUY, adminName: '' })).toEqual([
      'orderList[0].adminName rule.blank',
    ]);
    expect(faultsOf('order.new_buy', NEW_BUY, CAREFUL, { ...ENVELOPE, channelOrderId: ' ' })).toEqual([
      'channelOrderId rule.blank',
    ]);
    expect(faultsOf('order.new_buy', { ...NEW_BUY, srcLicenseOrderId: '' })).toEqual([]);
  });
});

test('every fault of an order is found in one go', () => {
  const bad = { ...NEW_BUY, address: ' ', assets: [{ assetNos: [''], limitStartDate: 9, limitEndDate: 1 }] };
  expect(faultsOf('order.new_buy', bad)).toHaveLength(4);
});
