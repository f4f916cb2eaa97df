import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/model/json.js';
import { operationNamed } from '../../src/platform/operations/index.js';
import { judgeAssets } from '../../src/run/verify/assets.js';
import { judgeCustomer } from '../../src/run/verify/customer.js';
import { type AssetLookup, lookupOf } from '../../src/run/verify/lookup.js';

const SENT = Date.UTC(2026, 10, 21, 8, 0, 0);
const MINUTE = 60_000;
const LATER = { firstAttemptAt: SENT, lastAttemptAt: SENT + MINUTE, now: SENT + 30 * MINUTE };
const SOON = { ...LATER, now: SENT + 5 * MINUTE };

const order = (change: JsonObject = {}): Json => ({
  licenseType: 'cloud_account',
  enterpriseGlobalId: 'E1',
  assets: [{ assetNos: ['A1'] }, { assetNos: ['A2', 'A1'] }],
  ...change,
});
const lookup = (revokes: boolean): AssetLookup => ({
  kind: 'assets',
  enterpriseGlobalId: 'E1',
  numbers: ['A1', 'A2'],
  revokes,
});
const asset = (assetNum: string, updateTime: Json, createTime: Json = 0): JsonObject => ({
  assetNum,
  createTime,
  updateTime,
});

function judged(
  revokes: boolean,
  records: readonly JsonObject[],
  timing = LATER,
  change: { readonly unit?: 'seconds'; readonly shared?: readonly string[] } = {},
): string {
  const { unit = 'milliseconds', shared = [] } = change;
  const found = judgeAssets(lookup(revokes), { records, unit, shared: new Set(shared) }, timing);
  return found.kind === 'settled' ? found.status : found.reason.code;
}

describe('what can be looked up', () => {
  const looked = (name: Parameters<typeof operationNamed>[0], body: Json) =>
    lookupOf(operationNamed(name), { body });

  it('is cloud orders by their asset numbers, and bindings by their customer', () => {
    expect(looked('order.new_buy', order())).toEqual(lookup(false));
    expect(looked('order.delete_asset', order({ licenseType: 'cloud_personal' }))).toEqual(lookup(true));
    const body = { channelCode: 'CH', channelCustomerId: '007', customerName: 'x' };
    expect(looked('enterprise.bind', body)).toEqual({
      kind: 'customer',
      channelCode: 'CH',
      channelCustomerId: '007',
      enterpriseName: '',
    });
  });

  it.each([
    ['order.new_buy', order({ licenseType: 'softkey' }), 'resolve.no_lookup_for_type'],
    ['order.new_buy', order({ enterpriseGlobalId: '' }), 'resolve.nothing_to_look_up'],
    ['order.new_buy', order({ assets: [{ assetNos: [] }] }), 'resolve.nothing_to_look_up'],
    ['order.delete_product', order(), 'resolve.no_lookup'],
    ['enterprise.create', {}, 'resolve.no_lookup'],
    ['activity.participate', {}, 'resolve.no_lookup'],
    ['asset.numbers', { size: 1 }, 'resolve.no_lookup'],
  ] as const)('%s is left to a person where it is not (%#)', (name, body, code) => {
    expect(looked(name, body as Json)).toMatchObject({ kind: 'none', reason: { code } });
  });
});

describe('a purchase that was left unknown', () => {
  it('succeeded when its assets are there and were made or changed since', () => {
    expect(judged(false, [asset('A1', SENT + 1), asset('A2', 1), asset('A9', 1)])).toBe('succeeded');
    expect(judged(false, [asset('A1', null, BigInt(SENT)), asset('A2', 1)])).toBe('succeeded');
  });

  it('allows the platform’s clock to be five minutes behind, and no more', () => {
    expect(judged(false, [asset('A1', SENT - 5 * MINUTE), asset('A2', 1)])).toBe('succeeded');
    expect(judged(false, [asset('A1', SENT - 5 * MINUTE - 1), asset('A2', 1)])).toBe(
      'resolve.assets_untouched',
    );
  });

  it('reads the platform’s times in the connection’s unit', () => {
    const records = [asset('A1', SENT / 1000), asset('A2', 1)];
    expect(judged(false, records, LATER, { unit: 'seconds' })).toBe('succeeded');
    expect(judged(false, records)).toBe('resolve.assets_untouched');
  });

  it('failed when none is there, once the last attempt is ten minutes old', () => {
    expect(judged(false, [asset('A9', SENT)])).toBe('failed');
    expect(judged(false, [], SOON)).toBe('resolve.too_recent');
    expect(judged(false, [], { ...LATER, now: LATER.lastAttemptAt + 10 * MINUTE })).toBe('failed');
    expect(judged(false, [], { ...LATER, now: LATER.lastAttemptAt + 10 * MINUTE - 1 })).toBe(
      'resolve.too_recent',
    );
  });

  it('stays unknown when only some are there', () => {
    expect(judged(false, [asset('A2', SENT)])).toBe('resolve.assets_partly');
  });

  it('stays unknown when another order of the run may have changed the assets', () => {
    const records = [asset('A1', SENT), asset('A2', 1)];
    expect(judged(false, records, LATER, { shared: ['A1', 'A2'] })).toBe('resolve.assets_shared');
    expect(judged(false, records, LATER, { shared: ['A1'] })).toBe('resolve.assets_untouched');
    expect(judged(false, records, LATER, { shared: ['A2'] })).toBe('succeeded');
  });
});

describe('a revocation that was left unknown', () => {
  it('succeeded when all assets are gone, at once', () => {
    expect(judged(true, [asset('A9', SENT)], SOON)).toBe('succeeded');
  });

  it('failed when all are still there as they were, once the last attempt is ten minutes old', () => {
    const records = [asset('A1', 1), asset('A2', 2)];
    expect(judged(true, records)).toBe('failed');
    expect(judged(true, records, SOON)).toBe('resolve.too_recent');
  });

  it('stays unknown when some are gone, or some were changed since', () => {
    expect(judged(true, [asset('A1', 1)])).toBe('resolve.assets_partly');
    expect(judged(true, [asset('A1', 1), asset('A2', SENT)])).toBe('resolve.assets_touched');
  });
});

describe('a binding that was left unknown', () => {
  const customer = {
    kind: 'customer',
    channelCode: 'CH',
    channelCustomerId: '007',
    enterpriseName: '一建',
  } as const;
  const record = { channelCustomerId: '007', customerId: 'C5', isDefault: true, enterpriseName: null };

  it('succeeded when the customer is there, with what the platform says of it', () => {
    expect(judgeCustomer(customer, [{ channelCustomerId: '07' }, record], SOON)).toMatchObject({
      status: 'succeeded',
      columns: { customerId: 'C5', isDefault: 'TRUE' },
    });
  });

  it('failed when it is not, once the last attempt is ten minutes old', () => {
    expect(judgeCustomer(customer, [{ channelCustomerId: '07' }], LATER)).toMatchObject({ status: 'failed' });
    expect(judgeCustomer(customer, [], SOON)).toMatchObject({ kind: 'left' });
  });

  it('stays unknown when the customer is bound to other main accounts only', () => {
    const bound = (...names: string[]) => names.map((enterpriseName) => ({ ...record, enterpriseName }));
    expect(judgeCustomer(customer, bound('二建', '三建'), LATER)).toMatchObject({
      kind: 'left',
      reason: { code: 'resolve.customer_elsewhere', params: { enterprises: '二建, 三建' } },
    });
    expect(judgeCustomer(customer, bound('二建', '一建'), LATER)).toMatchObject({ status: 'succeeded' });
  });
});
