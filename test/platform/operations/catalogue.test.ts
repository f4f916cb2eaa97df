import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/json.js';
import { OPERATION_NAMES } from '../../../src/model/operation.js';
import {
  ALL_OPERATIONS,
  OPERATIONS,
  operationNamed,
  RESULT_NAMES,
} from '../../../src/platform/operations/catalogue.js';
import { SIMULATIONS } from '../../../src/platform/operations/simulations.js';
import { DELETE_ASSET, DELETE_PRODUCT } from './samples.js';

test('every operation of the contract is there under its own name, at its endpoint', () => {
  const lines = OPERATION_NAMES.map(
    (name) => `${operationNamed(name).name} ${OPERATIONS[name].endpoint.number}`,
  );
  expect(lines).toEqual([
    'enterprise.bind 1',
    'enterprise.create 2',
    'enterprise.query 3',
    'enterprise.update 4',
    'order.new_buy 5',
    'order.delete_asset 5',
    'order.delete_product 5',
    'asset.lock 6',
    'asset.unlock 7',
    'asset.list 8',
    'asset.numbers 9',
    'activity.participate 10',
  ]);
  expect(ALL_OPERATIONS.map((it) => it.name)).toEqual(OPERATION_NAMES);
});

test('the sandbox simulates the endpoint of each', () => {
  const simulated = new Set(SIMULATIONS.map(({ endpoint }) => endpoint.path));
  expect(OPERATION_NAMES.filter((name) => !simulated.has(OPERATIONS[name].endpoint.path))).toEqual([]);
});

test('exactly these may be sent again when their outcome is uncertain (contract section 5)', () => {
  expect(OPERATION_NAMES.filter((name) => OPERATIONS[name].repeatable)).toEqual([
    'enterprise.query',
    'enterprise.update',
    'asset.lock',
    'asset.unlock',
    'asset.list',
  ]);
});

test('keys (contract section 4)', () => {
  const keys = Object.fromEntries(OPERATION_NAMES.map((name) => [name, OPERATIONS[name].key]));
  expect(keys).toEqual({
    'enterprise.bind': ['channelCode', 'channelCustomerId'],
    'enterprise.create': ['crmCustomerId'],
    'enterprise.query': undefined,
    'enterprise.update': undefined,
    'order.new_buy': 'order',
    'order.delete_asset': 'order',
    'order.delete_product': 'order',
    'asset.lock': undefined,
    'asset.unlock': undefined,
    'asset.list': undefined,
    'asset.numbers': undefined,
    'activity.participate': ['identity', 'activityLabel'],
  });
});

test('batches, envelopes and merging', () => {
  const of = (name: keyof typeof OPERATIONS) => {
    const { batch, envelope, subject, place } = OPERATIONS[name];
    return { ...batch, envelope, subject, place: place.kind };
  };
  expect(of('order.delete_asset')).toEqual({
    size: 1,
    fixed: false,
    envelope: ['channelCode', 'channelOrderId', 'syncMode'],
    subject: undefined,
    place: 'array',
  });
  expect(of('asset.unlock')).toEqual({
    size: 100,
    fixed: false,
    envelope: ['operatorIdentity'],
    subject: 'assetNums',
    place: 'strings',
  });
  expect(of('asset.numbers')).toEqual({
    size: 1,
    fixed: true,
    envelope: [],
    subject: undefined,
    place: 'single',
  });
});

test('only delete orders revoke, counted in assets and in products', () => {
  expect(OPERATION_NAMES.filter((name) => OPERATIONS[name].revokes)).toEqual([
    'order.delete_asset',
    'order.delete_product',
  ]);
  expect(OPERATIONS['order.delete_asset'].revokes?.(DELETE_ASSET)).toBe(3);
  expect(OPERATIONS['order.delete_product'].revokes?.(DELETE_PRODUCT)).toBe(1);
  const three: JsonObject = { assets: [{ products: [{}, {}] }, { products: [{}] }, { assetNos: [] }] };
  expect(OPERATIONS['order.delete_product'].revokes?.(three)).toBe(3);
});

test('result columns, and the names that are set aside in a result workbook', () => {
  expect(OPERATIONS['order.new_buy'].resultColumns).toEqual(['customerId']);
  expect(OPERATIONS['asset.lock'].resultColumns).toEqual(['assetStatus']);
  expect(OPERATIONS['asset.list'].resultColumns).toEqual(['recordCount']);
  expect(RESULT_NAMES.slice(0, 5)).toEqual(['row', 'status', 'licenseOrderId', 'code', 'message']);
  expect(RESULT_NAMES.slice(-2)).toEqual(['attempts', 'run']);
  expect(new Set(RESULT_NAMES).size).toBe(RESULT_NAMES.length);
  for (const name of OPERATION_NAMES)
    for (const column of OPERATIONS[name].resultColumns) expect(RESULT_NAMES).toContain(column);
});

test('record columns are paths', () => {
  expect(OPERATIONS['asset.numbers'].recordColumns).toEqual(['assetNumber']);
  expect(OPERATIONS['asset.list'].recordColumns).toContain('assignStatus.assignMemberId');
  expect(OPERATIONS['asset.list'].recordColumns).toContain('assetExtends.extendCode');
  expect(OPERATIONS['asset.list'].recordColumns).not.toContain('assignStatus');
  expect(OPERATIONS['order.new_buy'].recordColumns).toBeUndefined();
});
