import { expect, test } from 'vitest';
import type { Json } from '../../../src/model/json.js';
import { operationNamed } from '../../../src/platform/operations/catalogue.js';
import { sentOrders } from './samples.js';

const read = (reply: Json, ...sequences: number[]) =>
  operationNamed('order.new_buy').read(reply, sentOrders('sync', ...sequences), sequences.length);

const result = (sequence: number, licenseOrderId: Json = `LO-${sequence}`) => ({
  sequence,
  licenseOrderId,
  customerId: 'L-1',
});

test('orders are matched by sequence, not by place', () => {
  const { outcomes, warnings } = read([result(9), result(4)], 4, 9);
  expect(outcomes).toEqual([
    { status: 'succeeded', licenseOrderId: 'LO-4', code: '0', columns: { customerId: 'L-1' } },
    { status: 'succeeded', licenseOrderId: 'LO-9', code: '0', columns: { customerId: 'L-1' } },
  ]);
  expect(warnings).toEqual([]);
});

test('taken asynchronously they are only accepted', () => {
  const reading = operationNamed('order.delete_asset').read([result(1)], sentOrders('async', 1), 1);
  expect(reading.outcomes[0]).toMatchObject({ status: 'accepted', licenseOrderId: 'LO-1' });
});

test('an order that is missing has no outcome; the others stand', () => {
  const { outcomes } = read([result(2)], 1, 2);
  expect(outcomes[0]).toBeUndefined();
  expect(outcomes[1]?.status).toBe('succeeded');
});

test('said twice alike counts once', () => {
  const { outcomes, warnings } = read([result(1), { ...result(1) }], 1);
  expect(outcomes[0]?.licenseOrderId).toBe('LO-1');
  expect(warnings).toEqual([]);
});

test('said twice differently counts not at all, whatever follows', () => {
  const { outcomes, warnings } = read([result(1), result(1, 'LO-other'), result(1), result(2)], 1, 2);
  expect(outcomes[0]).toBeUndefined();
  expect(outcomes[1]?.status).toBe('succeeded');
  expect(warnings.map((it) => it.code)).toEqual(['operation.contradiction']);
});

test('an order that was not asked for is a warning', () => {
  const { outcomes, warnings } = read([result(1), result(7)], 1);
  expect(outcomes[0]?.status).toBe('succeeded');
  expect(warnings).toEqual([{ code: 'operation.foreign_sequence', params: { sequence: '7' } }]);
});

test.each<[string, Json]>([
  ['no id', { sequence: 1 }],
  ['null id', result(1, null)],
  ['a number as id', result(1, 77)],
  ['a text as sequence', { sequence: '1', licenseOrderId: 'LO' }],
  ['no sequence', { licenseOrderId: 'LO' }],
  ['no object', 'LO-1'],
  ['nothing', null],
])('a result with %s confirms nothing', (_, element) => {
  expect(read([element, result(2)], 1, 2).outcomes).toEqual([
    undefined,
    expect.objectContaining({ status: 'succeeded' }),
  ]);
});

test('an unreadable second result of an order spoils the first', () => {
  expect(read([result(1), result(1, 5)], 1).outcomes).toEqual([undefined]);
});

test('an empty list confirms nothing, and is not malformed', () => {
  expect(read([], 1, 2)).toEqual({ outcomes: [undefined, undefined], warnings: [] });
});

test.each<[Json]>([[null], [{}], ['text'], [5]])('%j instead of a list is malformed', (reply) => {
  const reading = read(reply, 1, 2);
  expect(reading.outcomes).toEqual([undefined, undefined]);
  expect(reading.malformed).toContain('data');
});

test('sequences too large for a double are distinguished exactly', () => {
  const body = { orderList: [{ sequence: 9007199254740993n }, { sequence: 1 }], syncMode: 'sync' };
  const sent = { method: 'POST', path: '/', query: {}, body } as const;
  const reply = [{ sequence: 9007199254740992n, licenseOrderId: 'LO' }];
  expect(operationNamed('order.new_buy').read(reply, sent, 2).outcomes).toEqual([undefined, undefined]);
});

test('warnings of a reply gone wrong throughout are bounded', () => {
  const flood = Array.from({ length: 5000 }, (_, index) => result(index + 10));
  const { outcomes, warnings } = read([...flood, result(1)], 1);
  expect(outcomes[0]?.status).toBe('succeeded');
  expect(warnings.length).toBeLessThanOrEqual(20);
});
