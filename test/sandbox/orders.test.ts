import { describe, expect, it } from 'vitest';
import { checkReply } from '../../src/platform/wire/check.js';
import { seedCloudAsset, seedDeletable, seedEnterpriseId } from '../../src/sandbox/seed.js';
import type { Sandbox } from '../../src/sandbox/serve.js';
import { ENDPOINTS } from '../support/endpoints.js';
import { batch, call, deletion, newBuy, PATHS, product, started } from './support.js';

const order = (sandbox: Sandbox, orders: readonly object[], channelOrderId?: string) =>
  call(sandbox, PATHS.batchOrder, batch(orders, channelOrderId));

const assetNums = async (sandbox: Sandbox, enterprise: string): Promise<string[]> =>
  (await call(sandbox, PATHS.list(enterprise))).json.data.map((it: { assetNum: string }) => it.assetNum);

describe('new_buy', () => {
  it('creates the assets of every order', async () => {
    const sandbox = await started();
    const { json } = await order(sandbox, [newBuy('007'), newBuy('008', { sequence: 2 })]);
    expect(json).toMatchObject({ code: 0, message: 'success' });
    expect(checkReply(ENDPOINTS.batchOrder.reply, json.data)).toEqual([]);
    expect(json.data.map((it: { sequence: number }) => it.sequence)).toEqual([1, 2]);
    expect(new Set(json.data.map((it: { licenseOrderId: string }) => it.licenseOrderId)).size).toBe(2);
    expect(json.data[0].customerId).toBe('C-77');
    expect(await assetNums(sandbox, 'ENT-X77')).toEqual(['007', '008']);
    expect(sandbox.stats()).toMatchObject({ orders: 2, duplicates: 0, byType: { new_buy: 2 } });
  });

  it('executes a repeated order again, and counts it', async () => {
    const sandbox = await started();
    const first = await order(sandbox, [newBuy('1')]);
    const { sequence, ...rest } = newBuy('1');
    const again = await order(sandbox, [{ ...rest, sequence }]);
    expect(again.json.data[0].licenseOrderId).not.toBe(first.json.data[0].licenseOrderId);
    await order(sandbox, [newBuy('2')]);
    await order(sandbox, [newBuy('2')], 'SO-2');
    expect(sandbox.stats()).toMatchObject({ orders: 4, duplicates: 1, repeatedContents: 2 });
  });

  it('takes packages alone, at any depth, and their products can be deleted', async () => {
    const sandbox = await started();
    const merchandise = (more: object = {}) => ({
      crmProductId: 'm',
      parentCrmProductId: '',
      merchandiseNum: 'M1',
      merchandiseName: '套餐',
      parentMerchandiseNum: '',
      timeDurationExpression: '1-0-0',
      children: null,
      licenseOrderProductList: [],
      ...more,
    });
    const inner = merchandise({ licenseOrderProductList: [product('deep')] });
    const merchandises = [merchandise({ children: [inner] })];
    expect(
      (await order(sandbox, [newBuy('', { assets: [{ assetNos: ['5'], merchandises }] })])).json.code,
    ).toBe(0);
    expect(
      (await order(sandbox, [newBuy('', { assets: [{ assetNos: ['6'], merchandises: [merchandise()] }] })]))
        .json.code,
    ).toBe(0);
    const gone = deletion('delete_product', [
      { assetNos: ['5'], products: [{ crmProductId: 'x', productUri: 'deep' }] },
    ]);
    expect((await order(sandbox, [gone])).json.code).toBe(0);
    expect(sandbox.stats().effects.productsRevoked).toBe(1);
  });

  it('accepts async orders like sync ones', async () => {
    const sandbox = await started();
    const sent = batch([newBuy('9')]);
    const { json } = await call(sandbox, PATHS.batchOrder, {
      ...sent,
      body: { ...sent.body, syncMode: 'async' },
    });
    expect(json.data).toHaveLength(1);
  });

  it.each([
    ['no products', newBuy('', { assets: [{ assetNos: ['1'] }] }), 'orderList[0].assets[0].products'],
    [
      'no asset numbers',
      newBuy('', { assets: [{ assetNos: [], products: [product()] }] }),
      'assetNos must not be',
    ],
    ['no assets', newBuy('', { assets: [] }), 'orderList[0].assets must not be empty'],
    [
      'an unknown licence type',
      newBuy('1', { licenseType: 'usb' }),
      'orderList[0].licenseType must be one of',
    ],
    ['a missing field', newBuy('1', { crmCustomerId: null }), 'orderList[0].crmCustomerId is required'],
    ['a number as text', newBuy('1', { sequence: '1' }), 'orderList[0].sequence must be of type Integer'],
    ['a field nobody knows', newBuy('1', { srcLicenceOrderId: 'x' }), 'srcLicenceOrderId is not a field'],
    [
      'an incomplete product',
      newBuy('', { assets: [{ assetNos: ['1'], products: [{ productUri: 'x' }] }] }),
      'crmProductId is required',
    ],
  ])('refuses %s with 13004 and its path, and does nothing', async (_, bad, reported) => {
    const sandbox = await started();
    const { status, json } = await order(sandbox, [newBuy('ok', { sequence: 7 }), bad]);
    expect(status).toBe(200);
    expect(json.code).toBe('13004');
    expect(json.message).toContain(reported.replace('orderList[0]', 'orderList[1]'));
    expect(sandbox.stats().orders).toBe(0);
  });

  it('refuses an empty order list and a sequence used twice', async () => {
    const sandbox = await started();
    expect((await order(sandbox, [])).json).toMatchObject({
      code: '13004',
      message: 'orderList must not be empty',
    });
    const twice = await order(sandbox, [newBuy('1'), newBuy('2')]);
    expect(twice.json.message).toContain('orderList[1].sequence 1 is used twice');
  });
});

describe('delete orders', () => {
  it('revokes an asset in the short form', async () => {
    const sandbox = await started();
    const { assetNum, licenseOrderId } = seedDeletable(3);
    const { json } = await order(sandbox, [
      deletion('delete_asset', [{ assetNos: [assetNum] }], { srcLicenseOrderId: licenseOrderId }),
    ]);
    expect(json.data[0].customerId).toBe('CU-0003');
    expect(await assetNums(sandbox, seedEnterpriseId(3))).not.toContain(assetNum);
    expect(sandbox.stats().effects).toMatchObject({ assetsRevoked: 1, productsRevoked: 2 });
  });

  it('takes only what came with the source order, and the asset once it is empty', async () => {
    const sandbox = await started();
    const bought = (await order(sandbox, [newBuy('70')])).json.data[0].licenseOrderId;
    const added = (await order(sandbox, [newBuy('70')], 'SO-2')).json.data[0].licenseOrderId;
    const remove = (srcLicenseOrderId: string) =>
      order(sandbox, [deletion('delete_asset', [{ assetNos: ['70'] }], { srcLicenseOrderId })]);
    expect((await remove(bought)).json.code).toBe(0);
    expect(await assetNums(sandbox, 'ENT-X77')).toEqual(['70']);
    expect((await remove('LO-SEED-0001')).json).toMatchObject({ code: '20003' });
    expect((await remove(added)).json.code).toBe(0);
    expect(await assetNums(sandbox, 'ENT-X77')).toEqual([]);
  });

  it('takes an asset it has never seen as an order without effect', async () => {
    const sandbox = await started();
    const { json } = await order(sandbox, [deletion('delete_asset', [{ assetNos: ['never'] }])]);
    expect(json.code).toBe(0);
    expect(sandbox.stats()).toMatchObject({ orders: 1, effects: { assetsRevoked: 0 } });
  });

  it('deletes products by id, or strictly by time range and nodes', async () => {
    const sandbox = await started();
    await order(sandbox, [
      newBuy('80', { assets: [{ assetNos: ['80'], products: [product('a'), product('b')] }] }),
    ]);
    const remove = (named: object) =>
      order(sandbox, [
        deletion('delete_product', [{ assetNos: ['80'], products: [{ crmProductId: 'c', ...named }] }]),
      ]);
    const { limitStartDate, limitEndDate, limitConcurrent } = product();
    const strict = { strictMatchWhenDelete: true, limitStartDate, limitEndDate, limitConcurrent };
    const wrong = await remove({ productUri: 'a', ...strict, limitConcurrent: 4 });
    expect(wrong.status).toBe(299);
    expect(wrong.json).toMatchObject({ code: '20002', message: expect.stringContaining('time range') });
    const vague = await remove({ productUri: 'a', ...strict, limitEndDate: null });
    expect(vague.json).toMatchObject({
      code: '13004',
      message: expect.stringContaining('limitEndDate is needed'),
    });
    expect((await remove({ productUri: 'a', ...strict })).json.code).toBe(0);
    expect(
      (await remove({ productUri: 'b', strictMatchWhenDelete: false, limitConcurrent: 9 })).json.code,
    ).toBe(0);
    expect((await remove({ productUri: 'b' })).json.code).toBe('20002');
    expect(sandbox.stats().effects.productsRevoked).toBe(2);
  });

  it('is refused whole when one order cannot be executed', async () => {
    const sandbox = await started();
    const { assetNum } = seedDeletable(5);
    const products = [{ crmProductId: 'x', productUri: 'not there' }];
    const { status } = await order(sandbox, [
      newBuy('90'),
      deletion('delete_product', [{ assetNos: [assetNum], products }], { sequence: 2 }),
    ]);
    expect(status).toBe(299);
    expect(sandbox.stats()).toMatchObject({ orders: 0, effects: { assetsCreated: 0 } });
  });

  it('needs the source order for cloud authorizations', async () => {
    const sandbox = await started();
    const { assetNum, licenseType, licenseOrderId } = seedCloudAsset(1, 1);
    const remove = (more: object) =>
      order(sandbox, [deletion('delete_asset', [{ assetNos: [assetNum] }], { licenseType, ...more })]);
    expect((await remove({})).json).toMatchObject({
      code: '13004',
      message: expect.stringContaining('orderList[0].srcLicenseOrderId is mandatory'),
    });
    expect((await remove({ srcLicenseOrderId: licenseOrderId })).json.code).toBe(0);
  });

  it('needs products unless whole assets go', async () => {
    const sandbox = await started();
    const { json } = await order(sandbox, [deletion('delete_product', [{ assetNos: ['1'], products: [] }])]);
    expect(json).toMatchObject({
      code: '13004',
      message: expect.stringContaining('products may be empty only'),
    });
  });
});
