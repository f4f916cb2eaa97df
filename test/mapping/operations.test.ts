import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/model/operation.js';
import { ACTIVITY_PARTICIPATE } from '../../src/platform/operations/activity/activity.operation.js';
import { ASSET_LOCK } from '../../src/platform/operations/asset/asset.operation.js';
import { ORDER_DELETE_ASSET, ORDER_NEW_BUY } from '../../src/platform/operations/order/order.operation.js';
import { checkShape } from '../../src/platform/wire/check.js';
import {
  bodies,
  compile,
  faultTexts,
  type Given,
  lookupOf,
  mapAll,
  NO_JOINS,
  row,
} from '../support/mapping.js';

/** Header and cell of an ordinary order; the headers are field names, so that no map is needed. */
const ORDER: Readonly<Record<string, Given>> = {
  channelCode: 'CH',
  syncMode: 'sync',
  customerId: 'C1',
  crmCustomerId: '000123',
  customerName: '北京某某科技有限公司',
  channelCustomerId: 'CC1',
  adminName: '李雷',
  adminAccount: 'lilei',
  adminEmail: 'lilei@example.com',
  adminCellNumber: ['number', '13800138000'],
  passwordMobile: ['number', '13800138000'],
  address: '北京市海淀区',
  customerType: 'company',
  branchCode: ['number', '0012', '12'],
  branchName: '北京',
  enterpriseGlobalId: 'E1',
  licenseType: 'normal_recover_usbkey',
  assetNos: 'A1',
};

const PRODUCT: Readonly<Record<string, Given>> = {
  'assets.products.crmProductId': 'P1',
  'assets.products.parentCrmProductId': 'PP1',
  'assets.products.productUri': 'uri',
  'assets.products.productName': '产品',
  productType: 'software',
  'assets.products.limitStartDate': ['date', '2026-01-01', '46023'],
  'assets.products.limitEndDate': ['date', '2026-12-31', '46387'],
  'assets.products.limitConcurrent': ['number', '5'],
  'assets.products.limitTimeDuration': '0',
  'assets.products.trial': '0',
  'assets.products.trialEndDate': ['date', '2026-12-31', '46387'],
  'assets.products.timeUnit': 'year',
  'assets.products.timeUnitQuantity': '1',
  'assets.products.timeDurationExpression': '1-0-0',
};

function mapOne(operation: Operation, cells: Readonly<Record<string, Given>>) {
  const mapping = compile({ operation, headers: Object.keys(cells) });
  return mapping.map([row(2, Object.values(cells))], NO_JOINS);
}

describe('rows become the requests of real operations', () => {
  it('order.new_buy from headers alone', () => {
    const cells = Object.fromEntries(
      Object.entries({ ...ORDER, ...PRODUCT }).map(([name, cell]) => [
        // Package contents have products as well, so their bare names are no names.
        name === 'productType' ? 'assets.products.productType' : name,
        cell,
      ]),
    );
    const group = mapOne(ORDER_NEW_BUY, cells);
    expect(faultTexts(group)).toEqual([]);
    const [body] = bodies([group]);
    expect(body).toMatchObject({
      crmCustomerId: '000123',
      adminCellNumber: '13800138000',
      branchCode: '0012',
      orderType: 'new_buy',
      assets: [
        {
          assetNos: ['A1'],
          products: [
            {
              limitStartDate: Date.parse('2025-12-31T16:00:00Z'),
              limitConcurrent: 5,
              strictMatchWhenDelete: false,
              trialEndDate: Date.parse('2026-12-31T15:59:59.999Z'),
              productFeatures: [],
            },
          ],
        },
      ],
    });
    const list = ORDER_NEW_BUY.shape.find((it) => it.name === 'orderList')?.fields ?? [];
    const problems = checkShape(list, { sequence: 1, ...(body as object) }, { unknown: 'report' });
    expect(problems).toEqual([]);
  });

  it('a broken rule is reported at its cell', () => {
    const { customerId: _customerId, ...some } = ORDER;
    const group = mapOne(ORDER_DELETE_ASSET, {
      ...some,
      licenseType: 'cloud_account',
      srcLicenseOrderId: undefined,
    });
    expect(faultTexts(group)).toHaveLength(1);
    expect(faultTexts(group)[0]).toMatch(/^Orders!R2 orderList\.srcLicenseOrderId: /);
    const nothing = mapOne(ORDER_NEW_BUY, ORDER);
    expect(faultTexts(nothing)).toHaveLength(1);
    expect(faultTexts(nothing)[0]).toMatch(/^Orders!2 orderList\.assets\.products: /);
  });

  it('a mapped orderType must agree', () => {
    const { customerId: _customerId, ...some } = ORDER;
    const cells = { ...some, srcLicenseOrderId: 'LO1' };
    expect(faultTexts(mapOne(ORDER_DELETE_ASSET, { ...cells, orderType: 'delete_asset' }))).toEqual([]);
    expect(faultTexts(mapOne(ORDER_DELETE_ASSET, { ...cells, orderType: undefined }))).toEqual([]);
    expect(faultTexts(mapOne(ORDER_DELETE_ASSET, { ...cells, orderType: 'new_buy' }))[0]).toMatch(
      /^Orders!S2 orderList\.orderType: /,
    );
  });

  it('packages within packages, from sheets of their own', () => {
    const headers = Object.keys(ORDER);
    const own = Object.fromEntries(
      headers.filter((it) => !['channelCode', 'syncMode', 'assetNos'].includes(it)).map((it) => [it, it]),
    );
    const merchandise = {
      crmProductId: 'Id',
      parentCrmProductId: { value: '-' },
      merchandiseNum: 'Id',
      merchandiseName: { template: 'Package {Id}' },
      parentMerchandiseNum: { value: '-' },
      timeDurationExpression: { value: '1-0-0' },
    };
    const productLeaves = Object.fromEntries(
      Object.entries(PRODUCT).map(([name, cell]) => {
        const text = typeof cell === 'string' ? cell : (cell?.[1] ?? '');
        return [name.replace('assets.products.', ''), { value: text }];
      }),
    );
    const product = { ...productLeaves, crmProductId: { template: 'P-{Id}' } };
    const mapping = compile({
      operation: ORDER_NEW_BUY,
      headers,
      joined: { Packages: ['assetNos', 'Id'], Contents: ['Id', 'Child'] },
      map: {
        channelCode: 'channelCode',
        syncMode: 'syncMode',
        orderList: {
          ...own,
          assets: {
            assetNos: 'assetNos',
            merchandises: {
              each: { sheet: 'Packages', on: ['assetNos'] },
              ...merchandise,
              children: {
                each: { sheet: 'Contents', on: ['Id'] },
                ...merchandise,
                crmProductId: 'Child',
                licenseOrderProductList: product,
              },
            },
          },
        },
      },
    });
    const lookup = lookupOf(mapping, {
      Packages: [row(2, ['A1', 'K1'], 'Packages')],
      Contents: [row(2, ['K1', 'K1a'], 'Contents'), row(3, ['K1', 'K1b'], 'Contents')],
    });
    const group = mapping.map([row(2, Object.values(ORDER))], lookup);
    expect(bodies([group])).toMatchObject([
      {
        assets: [
          {
            merchandises: [
              {
                crmProductId: 'K1',
                children: [
                  { crmProductId: 'K1a', licenseOrderProductList: [{ crmProductId: 'P-K1' }] },
                  { crmProductId: 'K1b', licenseOrderProductList: [{ crmProductId: 'P-K1' }] },
                ],
              },
            ],
          },
        ],
      },
    ]);
  });

  it('asset.lock and activity.participate', () => {
    const locks = mapOne(ASSET_LOCK, { assetNums: '0001、0002', operatorIdentity: 'ops@example.com' });
    expect(bodies([locks])).toEqual(['0001', '0002']);
    const cells = {
      identity: ['number', '13800138000'] as const,
      activityLabel: 'spring',
      source: 'a',
      branch: 'b',
    };
    const mapping = compile({ operation: ACTIVITY_PARTICIPATE, headers: Object.keys(cells) });
    const [one, same, other] = mapAll(mapping, [
      row(2, Object.values(cells)),
      row(3, ['13800138000', 'spring', 'other source', 'b']),
      row(4, ['13800138000', 'autumn', 'a', 'b']),
    ]).map((it) => (it.kind === 'items' ? it.items[0] : undefined));
    expect(same?.key).toBe(one?.key);
    expect(same?.content).not.toBe(one?.content);
    expect(other?.key).not.toBe(one?.key);
  });
});
