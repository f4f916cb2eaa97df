import { expect, test } from 'vitest';
import { faultsOf } from './samples.js';

const CAREFUL = { allowDeleteFromAllOrders: false };

test('locks: blank numbers and a blank operator', () => {
  expect(faultsOf('asset.lock', '8100000001', CAREFUL, { operatorIdentity: 'ops' })).toEqual([]);
  expect(faultsOf('asset.unlock', ' ', CAREFUL, { operatorIdentity: '' })).toEqual([
    'assetNums[0] rule.blank_element',
    'operatorIdentity rule.blank',
  ]);
});

test.each(['.', '..', '\ud800x'])('asset list: %j would call another address', (enterpriseGlobalId) => {
  expect(faultsOf('asset.list', { enterpriseGlobalId }, CAREFUL, {})).toEqual([
    'enterpriseGlobalId rule.path_segment',
  ]);
});

test('asset list: dots and slashes inside an id, and characters outside the basic plane, are fine', () => {
  for (const enterpriseGlobalId of ['a..b', '../x', '...', '𠮷田'])
    expect(faultsOf('asset.list', { enterpriseGlobalId }, CAREFUL, {})).toEqual([]);
});

test.each([
  ['enterprise.bind', 'enterpriseName'],
  ['enterprise.create', 'crmCustomerId'],
  ['enterprise.query', 'channelCode'],
  ['enterprise.update', 'customerName'],
  ['activity.participate', 'identity'],
] as const)('%s: blank %s', (name, field) => {
  expect(faultsOf(name, { [field]: '  ' }, CAREFUL, {})).toEqual([`${field} rule.blank`]);
  expect(faultsOf(name, { [field]: 'x' }, CAREFUL, {})).toEqual([]);
});
