import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/model/json.js';
import type { OperationName } from '../../../src/model/operation.js';
import { judge, type Verdict } from '../../../src/platform/client/verdict.js';
import { operationNamed } from '../../../src/platform/operations/catalogue.js';
import { CONTEXT, ENVELOPE, NEW_BUY } from '../operations/samples.js';

/*
 * Replies that must not be believed, for every operation: about something else, with values that no reply can have, and
 * contradictory ones. `word` is what the item becomes.
 */

const BIND = {
  channelCode: 'CH',
  channelCustomerId: '007',
  customerName: 'N',
  branchName: 'B',
  enterpriseName: '一',
  passwordMobile: '13800000001',
};
const QUERY = { channelCode: 'CH', channelCustomerId: '007', defaultCustomer: 'N' };
const CREATE = { crmCustomerId: 'CRM-1', customerName: 'N', branchName: 'B' };
const ACTIVITY = { identity: 'a@example.com', activityLabel: 'ACT', source: 's', branch: 'b' };
const RECORD = {
  customerId: 'C-1',
  channelCode: 'CH',
  channelCustomerId: '007',
  enterpriseGlobalId: 'E-1',
  enterpriseName: '一',
  isDefault: true,
};
const ORDER = { ...NEW_BUY, sequence: 1 };
const RESULT = { sequence: 1, licenseOrderId: 'LO-1', customerId: 'L-1' };
const LOCKS = { assetNums: ['A1'], operatorIdentity: 'me' };

function verdictOf(
  name: OperationName,
  body: Json,
  text: string,
  status = 200,
  lastAttempt = false,
): Verdict {
  const operation = operationNamed(name);
  const [envelope, item] =
    operation.place.kind === 'strings'
      ? [{ operatorIdentity: 'me' }, 'A1']
      : [operation.place.kind === 'array' ? ENVELOPE : {}, body];
  const sent = operation.compose(envelope, [item], CONTEXT);
  const options = { retryCode500: 'retry', lastAttempt } as const;
  return judge(operation, sent, 1, { kind: 'reply', httpStatus: status, text }, options);
}

/** `unknown`, `retry(failed)`, `again`; with the message's code. */
function word(it: Verdict): string {
  if (it.kind === 'retry') return `retry(${it.otherwise.status})`;
  if (it.kind === 'stop') return `stop(${it.outcome.status})`;
  return it.outcomes[0]?.status ?? 'again';
}

function code(it: Verdict): string | undefined {
  const outcome = it.kind === 'settled' ? it.outcomes[0] : it.kind === 'retry' ? it.otherwise : it.outcome;
  return typeof outcome?.message === 'object' ? outcome.message.code : undefined;
}

const enveloped = (data: Json, code: Json = 0): string =>
  JSON.stringify({ code, message: 'm', ...(data === undefined ? {} : { data }) });

describe('a reply that repeats a key of the request', () => {
  const same = <T extends JsonObject>(
    name: OperationName,
    body: JsonObject,
    data: (change: object) => T,
  ) => ({
    name,
    body,
    data,
  });
  const bind = same('enterprise.bind', BIND, (change) => ({ ...RECORD, ...change }));
  const order = same('order.new_buy', ORDER, (change) => ({ ...RESULT, ...change }));
  const create = same('enterprise.create', CREATE, (change) => ({ enterpriseGlobalId: 'E-1', ...change }));
  const lock = same('asset.lock', LOCKS, (change) => ({ assetNum: 'A1', status: 1, ...change }));

  it.each([
    [bind, {}, 'succeeded', undefined],
    [bind, { channelCustomerId: '009' }, 'unknown', 'operation.other_key'],
    [bind, { channelCode: 'CH2' }, 'unknown', 'operation.other_key'],
    [bind, { channelCustomerId: null }, 'unknown', 'operation.no_key'],
    [bind, { channelCode: undefined }, 'unknown', 'operation.no_key'],
    // What is no difference, and what is one.
    [bind, { channelCustomerId: ' 007 ' }, 'succeeded', undefined],
    [bind, { channelCode: 'ch' }, 'unknown', 'operation.other_key'],
    [bind, { channelCustomerId: '7' }, 'unknown', 'operation.other_key'],
    [bind, { channelCustomerId: 7 }, 'unknown', 'operation.other_key'],
    [bind, { channelCustomerId: '0 07' }, 'unknown', 'operation.other_key'],
    [bind, { channelCustomerId: {} }, 'unknown', 'operation.other_key'],
    [bind, { enterpriseName: '二' }, 'succeeded', 'operation.other_value'],
    [order, { customerId: 'L-2' }, 'succeeded', 'operation.other_value'],
    [order, { customerId: undefined }, 'succeeded', undefined],
    [order, { sequence: 2 }, 'unknown', 'platform.missing_in_reply'],
    [order, { sequence: undefined }, 'unknown', 'platform.missing_in_reply'],
    [order, { channelCustomerId: 'CC-2' }, 'unknown', 'operation.other_key'],
    [order, { channelOrderId: 'SO-2' }, 'unknown', 'operation.other_key'],
    [order, { channelOrderId: 'SO-1' }, 'succeeded', undefined],
    [create, { crmCustomerId: 'CRM-2' }, 'unknown', 'operation.other_key'],
    [create, { crmCustomerId: 'CRM-1' }, 'succeeded', undefined],
    [lock, { assetNum: 'A2' }, 'again', undefined],
    [lock, { assetNum: ' A1' }, 'succeeded', undefined],
  ])('$0.name with %j is %s', ({ name, body, data }, change, expected, message) => {
    const isList = name.startsWith('order') || name.startsWith('asset');
    const record = data(change);
    const verdict = verdictOf(name, body, enveloped(isList ? [record] : record));
    expect([word(verdict), code(verdict)]).toEqual([expected, message]);
  });

  it.each(['0', '000'])('that is %s is what was sent: the customer is bound', (zero) => {
    const same = enveloped({ ...RECORD, channelCustomerId: zero });
    expect(word(verdictOf('enterprise.bind', { ...BIND, channelCustomerId: zero }, same))).toBe('succeeded');
  });

  it('of a number in place of a text goes by its digits', () => {
    const data = enveloped({ ...RECORD, channelCustomerId: 4711 });
    expect(word(verdictOf('enterprise.bind', { ...BIND, channelCustomerId: '4711' }, data))).toBe(
      'succeeded',
    );
  });

  it.each(['0000', '3002'])('activity %s about another participant is unknown', (resultCode) => {
    const text = JSON.stringify({ resultCode, resultMessage: 'm', identity: 'b@example.com' });
    expect(word(verdictOf('activity.participate', ACTIVITY, text))).toBe('unknown');
  });

  it('an update of another customer has failed, after its retries', () => {
    const text = enveloped({ crmCustomerId: 'CRM-2' });
    expect(word(verdictOf('enterprise.update', CREATE, text))).toBe('retry(failed)');
    expect(word(verdictOf('enterprise.update', CREATE, enveloped({ crmCustomerId: 'CRM-1' })))).toBe(
      'succeeded',
    );
  });

  it.each([
    ['the own one among others', [{ ...RECORD, channelCustomerId: '0071' }, RECORD], 1],
    ['without a key', [{ customerId: 'C-9' }], 0],
    ['of another channel', [{ ...RECORD, channelCode: 'X' }], 0],
    ['none', [], 0],
  ])('a query takes no record of another customer: %s', (_, data, count) => {
    const verdict = verdictOf('enterprise.query', QUERY, enveloped(data));
    if (verdict.kind !== 'settled') throw new Error('not settled');
    expect(verdict.outcomes[0]).toMatchObject({
      status: 'succeeded',
      columns: { recordCount: String(count) },
    });
    expect(verdict.outcomes[0]?.records).toEqual(count === 0 ? [] : [RECORD]);
    expect(verdict.noMatch !== undefined).toBe(data.length > 0 && count === 0);
  });

  it('a list of assets of another enterprise is no match', () => {
    const verdict = verdictOf(
      'asset.list',
      { enterpriseGlobalId: 'E/1' },
      enveloped([{ id: 'A', enterpriseGlobalId: 'E/2' }]),
    );
    expect(verdict).toMatchObject({ noMatch: { code: 'operation.only_other_records' } });
    const own = enveloped([{ id: 'A', enterpriseGlobalId: 'E/1' }]);
    expect(verdictOf('asset.list', { enterpriseGlobalId: 'E/1' }, own)).not.toHaveProperty('noMatch');
  });
});

describe('values that no reply can have', () => {
  const NONE = [
    '',
    ' ',
    'null',
    'NULL',
    'undefined',
    '0',
    0,
    'NaN',
    '[object Object]',
    '\u200b',
    '\ufeff0',
    'LO\u0000-1',
  ];

  it.each(NONE)('a licenseOrderId %j leaves the order unknown', (licenseOrderId) => {
    const verdict = verdictOf('order.new_buy', ORDER, enveloped([{ ...RESULT, licenseOrderId }]));
    expect([word(verdict), code(verdict)]).toEqual(['unknown', 'operation.impossible_id']);
    expect(verdict).not.toHaveProperty('outcomes.0.licenseOrderId');
  });

  it.each(NONE)('a customerId %j leaves the binding unknown, and a lookup without a reply', (customerId) => {
    expect(word(verdictOf('enterprise.bind', BIND, enveloped({ ...RECORD, customerId })))).toBe('unknown');
    const enterpriseGlobalId = customerId;
    expect(word(verdictOf('enterprise.bind', BIND, enveloped({ ...RECORD, enterpriseGlobalId })))).toBe(
      'unknown',
    );
    expect(word(verdictOf('enterprise.create', CREATE, enveloped({ enterpriseGlobalId })))).toBe('unknown');
    expect(word(verdictOf('enterprise.query', QUERY, enveloped([{ ...RECORD, customerId }])))).toBe(
      'retry(failed)',
    );
  });

  it('an optional id that can be none is not in the records that lookups and later steps read', () => {
    const verdict = verdictOf(
      'enterprise.query',
      QUERY,
      enveloped([{ ...RECORD, enterpriseGlobalId: 'null' }]),
    );
    const { enterpriseGlobalId: _, ...rest } = RECORD;
    expect(verdict).toMatchObject({ outcomes: [{ records: [rest] }] });
    expect(JSON.stringify(verdict)).not.toContain('null');
  });

  it.each([
    ['another length', ['860000001']],
    ['another region', ['7600000001']],
    ['letters', ['860000000A']],
    ['blank', ['']],
    ['null as text', ['null']],
    ['a good one and a bad one', ['8600000001', '0']],
    ['one twice', ['8600000001', '8600000001']],
    ['one twice beside enough others', ['8600000001', '8600000002', '8600000001']],
  ])('asset numbers: %s', (_, data) => {
    const verdict = verdictOf('asset.numbers', { size: 2 }, enveloped(data));
    expect(word(verdict)).toBe('unknown');
    expect(verdict).not.toHaveProperty('outcomes.0.records');
  });
});

describe('a reply that conflicts with itself', () => {
  const PROOFS: readonly [OperationName, JsonObject, Json][] = [
    ['order.new_buy', ORDER, [RESULT]],
    ['order.delete_asset', ORDER, [RESULT]],
    ['enterprise.bind', BIND, RECORD],
    ['enterprise.create', CREATE, { enterpriseGlobalId: 'E-1' }],
    ['asset.numbers', { size: 1 }, ['8600000001']],
  ];

  it.each(PROOFS)('%s: refused by a code, with what only a success returns', (name, body, data) => {
    for (const refusal of ['E-1', '500', '13004'])
      expect([refusal, word(verdictOf(name, body, enveloped(data, refusal)))]).toEqual([refusal, 'unknown']);
    expect(word(verdictOf(name, body, enveloped(data, 'E-1'), 299))).toBe('unknown');
  });

  it.each(PROOFS)('%s: refused by its status, with proof of success', (name, body, data) => {
    const texts = [
      enveloped(data),
      enveloped(data, 'E-1'),
      enveloped(undefined as never),
      enveloped(data, '0'),
    ];
    for (const text of texts) {
      for (const status of [400, 404, 409, 422, 429]) {
        expect([status, word(verdictOf(name, body, text, status))]).toEqual([status, 'unknown']);
      }
      for (const status of [401, 403]) {
        expect([status, word(verdictOf(name, body, text, status))]).toEqual([status, 'stop(unknown)']);
      }
    }
  });

  it('a refusal without proof stays one', () => {
    for (const data of [null, [], [{ ...RESULT, sequence: 9 }], [{ ...RESULT, licenseOrderId: null }]])
      expect(word(verdictOf('order.new_buy', ORDER, enveloped(data, 'E-1')))).toBe('rejected');
    expect(word(verdictOf('enterprise.bind', BIND, enveloped({}, 'E-1')))).toBe('rejected');
    expect(word(verdictOf('asset.numbers', { size: 1 }, enveloped([], 'E-1')))).toBe('rejected');
  });

  it('an activity that was refused and returned products is unknown', () => {
    const text = (products: Json) => JSON.stringify({ resultCode: '2001', detail: { products } });
    expect(word(verdictOf('activity.participate', ACTIVITY, text([{ productUri: 'P' }])))).toBe('unknown');
    expect(word(verdictOf('activity.participate', ACTIVITY, text([])))).toBe('rejected');
  });

  it('repeatable operations go by their status, or fail after their retries', () => {
    const done = enveloped([{ assetNum: 'A1', status: 1 }]);
    expect(word(verdictOf('asset.lock', LOCKS, done, 429))).toBe('retry(not_sent)');
    expect(word(verdictOf('asset.lock', LOCKS, done, 401))).toBe('stop(not_sent)');
    expect(word(verdictOf('asset.lock', LOCKS, done, 400))).toBe('retry(failed)');
    const failed = verdictOf('asset.lock', LOCKS, done, 400, true);
    expect([word(failed), code(failed)]).toEqual(['failed', 'platform.refused_and_done_repeatable']);
  });

  it.each([
    ['the code', '{"code":"E-1","code":0,"data":[%]}'],
    ['the code, escaped', '{"code":"E-1","c\\u006fde":0,"data":[%]}'],
    ['the data', '{"code":0,"data":[],"data":[%]}'],
    ['an id', '{"code":0,"data":[{"sequence":1,"licenseOrderId":"LO-1","licenseOrderId":"LO-2"}]}'],
    ['deep within', '{"code":0,"data":[%],"x":[{"y":{"z":1,"z":{"z":1}}}]}'],
    ['a long number', '{"code":0,"data":[%],"x":12345678901234567890,"x":12345678901234567891}'],
    ['__proto__', '{"code":0,"data":[%],"__proto__":1,"__proto__":2}'],
  ])('a member twice with different values: %s', (_, text) => {
    const reply = text.replace('%', JSON.stringify(RESULT));
    const verdict = verdictOf('order.new_buy', ORDER, reply);
    expect([word(verdict), code(verdict)]).toEqual(['unknown', 'platform.conflicting_member']);
    for (const status of [299, 404, 429])
      expect(word(verdictOf('order.new_buy', ORDER, reply, status))).toBe('unknown');
    expect(word(verdictOf('order.new_buy', ORDER, reply, 401))).toBe('stop(unknown)');
    expect(word(verdictOf('enterprise.query', QUERY, reply))).toBe('retry(failed)');
  });

  it('a member twice with one value is no conflict, nor are colons and quotes in texts', () => {
    const text = `{"code":0,"code":0,"data":[${JSON.stringify(RESULT)}],"message":"a: \\"b\\": {","x":{"y":[1]},"x":{"y":[1]}}`;
    expect(word(verdictOf('order.new_buy', ORDER, text))).toBe('succeeded');
  });
});
