import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/model/json.js';
import type { AssetQuestion } from '../../src/model/operation.js';
import { operationNamed } from '../../src/platform/operations/catalogue.js';
import {
  attemptSpans,
  type NamedThing,
  type Verification,
} from '../../src/run/resolve/created-by-attempt.js';
import { type ItemFacts, judgeAssets, judgeCustomer } from '../../src/run/resolve/judge-records.js';
import { questionOf } from '../../src/run/resolve/verify-items.js';

const SENT = Date.UTC(2026, 10, 21, 8, 0, 0);
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const ENDED = SENT + 30 * SECOND;
const NOW = SENT + 30 * MINUTE;

const order = (change: JsonObject = {}): Json => ({
  licenseType: 'cloud_account',
  enterpriseGlobalId: 'E1',
  assets: [{ assetNos: ['A1'] }, { assetNos: ['A2', 'A1'] }],
  ...change,
});
const question = (revokes: boolean): AssetQuestion => ({
  kind: 'assets',
  enterpriseGlobalId: 'E1',
  numbers: ['A1', 'A2'],
  revokes,
});
const asset = (assetNum: string, createTime?: Json, updateTime: Json = ENDED): JsonObject => ({
  assetNum,
  updateTime,
  ...(createTime === undefined ? {} : { createTime }),
});

const OTHER = { run: 'r-other', row: 9, status: 'succeeded' };
const SEEN = { run: 'r-list', at: SENT - MINUTE };

type Known = Partial<Pick<NamedThing, 'others' | 'seenBefore' | 'missedBefore'>>;

interface Case {
  readonly unit?: 'seconds';
  readonly attempts?: ItemFacts['attempts'];
  readonly known?: Readonly<Record<string, Known>>;
}

function facts({ unit, attempts = [{ from: SENT, to: ENDED }], known = {} }: Case): ItemFacts {
  return {
    attempts,
    unit: unit ?? 'milliseconds',
    timezone: 'Asia/Shanghai',
    evidence: { thing: (_, name, createTime) => ({ name, createTime, others: [], ...known[name] }) },
    now: NOW,
  };
}

const said = (found: Verification): string => (found.kind === 'resolved' ? 'succeeded' : found.reason.code);

describe('what can be looked up', () => {
  const looked = (name: Parameters<typeof operationNamed>[0], body: Json) =>
    questionOf(operationNamed(name), { body });

  it('is cloud orders by their asset numbers, and bindings by their customer', () => {
    expect(looked('order.new_buy', order())).toEqual(question(false));
    expect(looked('order.delete_asset', order({ licenseType: 'cloud_personal' }))).toEqual(question(true));
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
  const both = (a: Json | undefined, b: Json | undefined = a) => [asset('A1', a), asset('A2', b)];
  const CASES: [string, string, readonly JsonObject[], Case?][] = [
    ['all made while it was under way', 'succeeded', both(SENT, ENDED)],
    ['beside assets of others', 'succeeded', [...both(SENT), asset('A9', 1)]],
    ['times beyond doubles’ ease', 'succeeded', both(BigInt(SENT))],
    ['times as text', 'succeeded', both(String(SENT))],
    ['the platform’s clock five minutes behind', 'succeeded', both(SENT - 5 * MINUTE)],
    ['the platform’s clock five minutes ahead', 'succeeded', both(ENDED + 5 * MINUTE)],
    ['made just before', 'resolve.assets_made_elsewhen', both(SENT - 5 * MINUTE - 1)],
    ['made just after', 'resolve.assets_made_elsewhen', both(ENDED + 5 * MINUTE + 1)],
    ['one of them older', 'resolve.assets_made_elsewhen', both(SENT, SENT - 86_400_000)],
    ['an old one that was changed since', 'resolve.assets_made_elsewhen', both(Date.UTC(2024, 0, 1))],
    [
      'one that is listed twice, once older',
      'resolve.assets_made_elsewhen',
      [...both(SENT), asset('A1', SENT - 86_400_000)],
    ],
    ['seconds, as the connection says', 'succeeded', both(SENT / SECOND), { unit: 'seconds' }],
    ['seconds, where the connection says milliseconds', 'resolve.assets_other_unit', both(SENT / SECOND)],
    ['milliseconds, where it says seconds', 'resolve.assets_other_unit', both(SENT), { unit: 'seconds' }],
    ['a time in words', 'resolve.assets_other_unit', both('2026-11-21 16:00:00')],
    ['no time', 'resolve.assets_time_untold', both(undefined)],
    ['a time that is null', 'resolve.assets_time_untold', both(SENT, null)],
    ['a time that is 0', 'resolve.assets_time_untold', both(SENT, 0)],
    ['none there', 'resolve.assets_absent', [asset('A9', SENT)]],
    ['nothing there', 'resolve.assets_absent', []],
    ['some there', 'resolve.assets_partly', [asset('A2', SENT)]],
    [
      'another item names one',
      'resolve.assets_named_too',
      both(SENT),
      { known: { A2: { others: [OTHER] } } },
    ],
    [
      'one was seen before',
      'resolve.assets_there_before',
      both(SENT),
      { known: { A1: { seenBefore: SEEN } } },
    ],
    [
      'made in the second attempt',
      'succeeded',
      both(SENT + 3_600_000),
      {
        attempts: [
          { from: SENT, to: ENDED },
          { from: SENT + 3_600_000, to: ENDED + 3_600_000 },
        ],
      },
    ],
    [
      'made between two attempts',
      'resolve.assets_made_elsewhen',
      both(SENT + 1_800_000),
      {
        attempts: [
          { from: SENT, to: ENDED },
          { from: SENT + 3_600_000, to: ENDED + 3_600_000 },
        ],
      },
    ],
    [
      'made by one attempt and another',
      'resolve.assets_made_elsewhen',
      both(SENT, SENT + 3_600_000),
      {
        attempts: [
          { from: SENT, to: ENDED },
          { from: SENT + 3_600_000, to: ENDED + 3_600_000 },
        ],
      },
    ],
    ['no attempt that left', 'resolve.assets_made_elsewhen', both(SENT), { attempts: [] }],
  ];

  it.each<(typeof CASES)[number]>(CASES)('%s: %s', (_, expected, records, change = {}) => {
    expect(said(judgeAssets(question(false), records, facts(change)))).toBe(expected);
  });

  it('says who else names an asset, and when it was made', () => {
    const named = judgeAssets(question(false), both(SENT), facts({ known: { A1: { others: [OTHER] } } }));
    expect(named).toMatchObject({ seen: true, reason: { params: { asset: 'A1', run: 'r-other', row: 9 } } });
    const old = judgeAssets(question(false), both(SENT, Date.UTC(2024, 0, 1)), facts({}));
    expect(old).toMatchObject({
      reason: {
        params: {
          asset: 'A2',
          made: '2024-01-01 08:00:00 Asia/Shanghai',
          from: '2026-11-21 16:00:00 Asia/Shanghai',
        },
      },
    });
  });
});

describe('when an attempt was in progress', () => {
  const span = (endedAt: number | undefined, event: string | undefined) =>
    attemptSpans(
      {
        attempts: [
          { startedAt: SENT, ...(endedAt === undefined ? {} : { endedAt }), ...(event ? { event } : {}) },
        ],
      },
      30 * SECOND,
    )[0]?.to;

  it('is reported by its end, or by its time limit where its process died or it is open', () => {
    expect(span(SENT + 7, 'reset')).toBe(SENT + 7);
    expect(span(SENT + 31 * SECOND, 'timeout')).toBe(SENT + 31 * SECOND);
    // Found dead a day later.
    expect(span(SENT + 86_400_000, 'died')).toBe(SENT + 30 * SECOND);
    expect(span(SENT + 2 * SECOND, 'died')).toBe(SENT + 2 * SECOND);
    expect(span(undefined, undefined)).toBe(SENT + 30 * SECOND);
  });
});

describe('a revocation that was left unknown', () => {
  it.each([
    ['gone', [asset('A9', SENT)], 0],
    ['still there', [asset('A1', 1), asset('A2', 2)], 2],
    ['gone in part', [asset('A1', 1)], 1],
  ] as const)('stays so, whether its assets are %s: others revoke too', (_, records, found) => {
    expect(judgeAssets(question(true), records, facts({}))).toMatchObject({
      kind: 'left',
      reason: { code: 'resolve.assets_of_revocation', params: { found, count: 2 } },
    });
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
  const known = (it: Known): Case => ({ known: { '007': it } });
  const CASES: [string, string, readonly JsonObject[], Case?][] = [
    ['there, but nobody knows since when', 'resolve.customer_time_untold', [record]],
    ['there, and not before it was sent', 'succeeded', [record], known({ missedBefore: SEEN })],
    ['there before', 'resolve.customer_there_before', [record], known({ seenBefore: SEEN })],
    [
      'named by another item',
      'resolve.customer_named_too',
      [record],
      known({ others: [OTHER], missedBefore: SEEN }),
    ],
    ['made while it was under way', 'succeeded', [{ ...record, createTime: SENT }]],
    [
      'made long before',
      'resolve.customer_made_elsewhen',
      [{ ...record, createTime: 1_700_000_000_000 }],
      known({ missedBefore: SEEN }),
    ],
    ['made in another unit', 'resolve.customer_other_unit', [{ ...record, createTime: SENT / SECOND }]],
    ['of another number', 'resolve.customer_absent', [{ ...record, channelCustomerId: '07' }]],
    [
      'of another channel',
      'resolve.customer_absent',
      [{ ...record, channelCode: '../support/endpoints.js' }],
    ],
    [
      'bound elsewhere',
      'resolve.customer_elsewhere',
      [{ ...record, enterpriseName: '二建' }],
      known({ missedBefore: SEEN }),
    ],
    ['not there', 'resolve.customer_absent', []],
  ];

  it.each<(typeof CASES)[number]>(CASES)('%s: %s', (_, expected, records, change = {}) => {
    expect(said(judgeCustomer(customer, records, facts(change)))).toBe(expected);
  });

  it('brings the ids of the customer that it made', () => {
    expect(judgeCustomer(customer, [record], facts(known({ missedBefore: SEEN })))).toMatchObject({
      columns: { customerId: 'C5', isDefault: 'TRUE' },
    });
  });
});
