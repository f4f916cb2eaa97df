import { describe, expect, test } from 'vitest';
import { type Message, render } from '../../../src/errors/message.js';
import type { Json, JsonObject } from '../../../src/model/json.js';
import type { OperationName } from '../../../src/model/operation.js';
import { operationNamed } from '../../../src/platform/operations/catalogue.js';

const GET = { method: 'GET', path: '/', query: {} } as const;

const read = (name: OperationName, reply: Json, body: Record<string, Json> = {}) =>
  operationNamed(name).read(reply, { method: 'POST', path: '/', query: {}, body }, 1);

const CUSTOMER = {
  customerId: 'C-1',
  channelCode: 'CH',
  channelCustomerId: '007',
  enterpriseGlobalId: 'E-1',
  enterpriseName: '宏图',
  isDefault: true,
};

test('bind gives the customer’s ids', () => {
  expect(read('enterprise.bind', CUSTOMER).outcomes).toEqual([
    {
      status: 'succeeded',
      code: '0',
      columns: { customerId: 'C-1', enterpriseGlobalId: 'E-1', enterpriseName: '宏图', isDefault: 'TRUE' },
    },
  ]);
});

test.each<[OperationName, Json]>([
  ['enterprise.bind', null],
  ['enterprise.bind', [CUSTOMER]],
  ['enterprise.bind', { ...CUSTOMER, customerId: 5 }],
  ['enterprise.bind', {}],
  ['enterprise.create', { defaultType: true }],
  ['enterprise.create', { enterpriseGlobalId: 'E', members: {} }],
  ['enterprise.query', CUSTOMER],
  ['enterprise.query', [null]],
  ['asset.list', [{ assetNum: '1' }]],
  ['asset.list', 'none'],
  ['asset.numbers', [8000000001]],
  ['asset.numbers', null],
  ['activity.participate', {}],
  ['activity.participate', { resultCode: 0 }],
  ['activity.participate', { resultCode: '0000', detail: { products: 'all' } }],
])('%s: %j is malformed', (name, reply) => {
  const reading = read(name, reply);
  expect(reading.malformed).toMatch(/^(data|result)/);
  expect(reading.outcomes).toEqual([undefined]);
});

test('create counts the members and lists them', () => {
  const members: JsonObject[] = [
    { memberGlobalId: 'M-1', memberIdentity: 'a@example.com' },
    { memberGlobalId: 'M-2' },
  ];
  expect(
    read('enterprise.create', { enterpriseGlobalId: 'E', defaultType: false, members }).outcomes[0],
  ).toEqual({
    status: 'succeeded',
    code: '0',
    columns: { enterpriseGlobalId: 'E', defaultType: 'FALSE', memberCount: '2' },
    records: members,
  });
  expect(read('enterprise.create', { enterpriseGlobalId: 'E', members: null }).outcomes[0]?.columns).toEqual({
    enterpriseGlobalId: 'E',
    memberCount: '0',
  });
});

test('query shows the ids of an only record, else just how many there are', () => {
  const query = (reply: Json) => operationNamed('enterprise.query').read(reply, GET, 1).outcomes[0];
  expect(query([])).toMatchObject({ status: 'succeeded', columns: { recordCount: '0' }, records: [] });
  expect(query([CUSTOMER])?.columns).toMatchObject({ recordCount: '1', customerId: 'C-1' });
  expect(query([CUSTOMER, CUSTOMER])?.columns).toEqual({ recordCount: '2' });
  expect(query([CUSTOMER, CUSTOMER])?.records).toHaveLength(2);
});

test('update needs no data', () => {
  for (const reply of [null, {}, 'anything'])
    expect(read('enterprise.update', reply).outcomes).toEqual([{ status: 'succeeded', code: '0' }]);
});

test('asset list keeps the records as they came, numbers digit for digit', () => {
  const record = {
    id: 'A',
    createTime: 9223372036854775807n,
    assetLimits: null,
    assignStatus: { updateTime: null },
  };
  const outcome = operationNamed('asset.list').read([record], GET, 1).outcomes[0];
  expect(outcome?.records).toEqual([record]);
  expect(outcome?.columns).toEqual({ recordCount: '1' });
});

test('asset numbers are records; another count than asked for is said', () => {
  const full = read('asset.numbers', ['8000000001', '8000000002'], { size: 2 }).outcomes[0];
  expect(full?.records).toEqual([{ assetNumber: '8000000001' }, { assetNumber: '8000000002' }]);
  expect(full?.message).toBeUndefined();
  const more = read('asset.numbers', ['8000000001', '8000000002'], { size: 1 }).outcomes[0];
  expect(more).toMatchObject({
    status: 'succeeded',
    message: { code: 'operation.numbers_differ', params: { asked: 1, got: 2 } },
  });
});

test('asset numbers, fewer than asked for: whether the others were allocated is not known', () => {
  const reply = ['8000000001'];
  const { outcomes } = read('asset.numbers', reply, { size: 2 });
  expect(outcomes[0]).toMatchObject({
    status: 'unknown',
    columns: { recordCount: String(reply.length) },
    records: reply.map((assetNumber) => ({ assetNumber })),
    message: { code: 'operation.numbers_missing', params: { asked: 2, got: 1 } },
  });
});

describe('activity', () => {
  const outcome = (reply: Json) => read('activity.participate', reply).outcomes[0];
  const text = (reply: Json) => render(outcome(reply)?.message as Message);

  test('0000 brings products', () => {
    const products = [{ activityId: 'A', productUri: 'P', activateType: '0' }];
    expect(outcome({ resultCode: '0000', resultMessage: 'ok', detail: { products } })).toEqual({
      status: 'succeeded',
      code: '0000',
      columns: { recordCount: '1' },
      records: products,
    });
    expect(outcome({ resultCode: '0000' })?.columns).toEqual({ recordCount: '0' });
  });

  test.each(['1001', '1002', '1004', '2001', '3001', '3002', '7777'])(
    '%s is a refusal with its text',
    (code) => {
      const reply = { resultCode: code, resultMessage: 'because of rule X' };
      expect(outcome(reply)).toMatchObject({ status: 'rejected', code });
      expect(text(reply)).toContain('because of rule X');
      expect(text({ resultCode: code })).toContain('—');
    },
  );

  test('3002 reports the reasons of the units that refused', () => {
    const unit = {
      id: 'U-1',
      name: 'Unit A',
      participateResult: false,
      errorCode: 14005,
      errorMessage: 'claimed too often',
    };
    const willing = {
      id: 'U-2',
      name: 'Unit B',
      participateResult: true,
      errorCode: 0,
      errorMessage: 'fine',
    };
    const nameless = { id: 'U-3', participateResult: false, errorMessage: 'not yet' };
    const reply = {
      resultCode: '3002',
      resultMessage: 'no',
      activityDtoList: [{ id: 'A', name: 'Spring', engineSubActivityDtos: [unit, willing, nameless] }, null],
    };
    expect(text(reply)).toContain('Spring / Unit A: 14005 claimed too often; Spring / U-3: not yet');
    expect(text(reply)).not.toContain('Unit B');
  });

  test('a refusal stands however its explanation looks', () => {
    const reply = { resultCode: '3002', resultMessage: { deep: 1 }, activityDtoList: 'none' };
    expect(outcome(reply)).toMatchObject({ status: 'rejected', code: '3002' });
  });
});
