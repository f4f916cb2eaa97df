import { expect, test } from 'vitest';
import type { Json } from '../../../src/model/json.js';
import { operationNamed } from '../../../src/platform/operations/catalogue.js';

const lock = operationNamed('asset.lock');

const read = (reply: Json, ...locks: string[]) =>
  lock.read(reply, lock.compose({ operatorIdentity: 'ops' }, locks, { channelOrderId: '' }), locks.length);

test('each lock has its own result', () => {
  const reply = [
    { assetNum: '4', status: 4 },
    { assetNum: '1', status: 1 },
    { assetNum: '3', status: 3 },
    { assetNum: '2', status: 2 },
    { assetNum: '9', status: 9 },
  ];
  const { outcomes } = read(reply, '1', '2', '3', '4', '9');
  expect(outcomes.map((it) => [it?.status, it?.code, it?.columns?.assetStatus])).toEqual([
    ['succeeded', '1', '1'],
    ['rejected', '2', '2'],
    ['rejected', '3', '3'],
    ['rejected', '4', '4'],
    ['failed', '9', '9'],
  ]);
  expect(outcomes.map((it) => (typeof it?.message === 'object' ? it.message.code : it?.message))).toEqual([
    undefined,
    'operation.lock_missing',
    'operation.lock_failure',
    'operation.lock_wrong_type',
    'operation.lock_other',
  ]);
});

test('a lock that is missing, contradictory or without a readable result has no outcome', () => {
  const reply = [
    { assetNum: '1', status: 1 },
    { assetNum: '1', status: 2 },
    { assetNum: '2', status: '1' },
    { assetNum: '4', status: 1 },
  ];
  const { outcomes, warnings } = read(reply, '1', '2', '3', '4');
  expect(outcomes.map((it) => it?.status)).toEqual([undefined, undefined, undefined, 'succeeded']);
  expect(warnings.map((it) => it.code).sort()).toEqual([
    'operation.contradiction',
    'operation.unreadable_result',
  ]);
});

test('numbers are text: 007 is not 7', () => {
  const { outcomes, warnings } = read([{ assetNum: '7', status: 1 }], '007');
  expect(outcomes).toEqual([undefined]);
  expect(warnings).toEqual([{ code: 'operation.foreign_lock', params: { lock: '7' } }]);
});

test('unlocking reads the same legend', () => {
  const unlock = operationNamed('asset.unlock');
  const sent = unlock.compose({ operatorIdentity: 'ops' }, ['1'], { channelOrderId: '' });
  expect(unlock.read([{ assetNum: '1', status: 4 }], sent, 1).outcomes[0]?.status).toBe('rejected');
});

test('no list is malformed', () => {
  expect(read({ assetNum: '1', status: 1 }, '1').malformed).toContain('data');
});
