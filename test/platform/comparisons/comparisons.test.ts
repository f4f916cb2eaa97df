import { describe, expect, it } from 'vitest';
import { RECONCILED } from '../../../src/model/comparison.js';
import type { Field } from '../../../src/model/field.js';
import { COMPARISONS, comparisonNamed, operationNamed } from '../../../src/platform/operations/catalogue.js';
import { ENDPOINTS } from '../../support/endpoints.js';

const asset = comparisonNamed('asset');
const enterprise = comparisonNamed('enterprise');
const ids = (names: readonly { readonly id: string }[]) => names.map(({ id }) => id);

function walk(fields: readonly Field[]): readonly Field[] {
  return fields.flatMap((field) => [field, ...walk(field.fields ?? [])]);
}

describe('what can be compared', () => {
  it('is all that a job may name', () => {
    expect(COMPARISONS.map(({ name }) => name)).toEqual(RECONCILED);
  });

  it.each(COMPARISONS.map((it) => [it.name, it] as const))('%s is read by a harmless operation', (_, it) => {
    const inquiry = operationNamed(it.inquiry);
    expect(inquiry).toMatchObject({ repeatable: true, place: { kind: 'single' } });
    const reply = inquiry.endpoint.reply;
    const named = reply.kind === 'object array' ? reply.fields.map(({ name }) => name) : [];
    const records = it.record.map(({ name }) => name);
    // Next to them, what the request says of every record of its reply.
    const asked = records.filter((name) => !named.includes(name));
    expect(records).toEqual([...asked, ...named]);
    expect(it.key.map(({ name }) => name)).toEqual(expect.arrayContaining(asked));
  });

  it.each(COMPARISONS.map((it) => [it.name, it] as const))('%s asserts no field by itself', (_, it) => {
    expect(walk(it.record).filter(({ required }) => required)).toEqual([]);
    expect(walk(it.record).filter(({ section }) => !/^§[24]\./.test(section))).toEqual([]);
  });

  it('holds numbers of assets to what orders and locks hold them to', () => {
    expect(asset.key.find(({ name }) => name === 'assetNum')).toMatchObject({ unbroken: true });
  });

  it('leaves the wire tables as they are', () => {
    const { reply } = ENDPOINTS.assetList;
    expect(reply.kind === 'object array' && reply.fields[0]).toMatchObject({ name: 'id', required: true });
  });

  it.each([
    ['asset', ['enterpriseGlobalId', 'assetNum'], ['extendCode']],
    ['enterprise', ['channelCode', 'channelCustomerId'], ['defaultCustomer']],
  ] as const)('the key of %s', (name, must, may) => {
    const { key } = comparisonNamed(name);
    const named = (required: boolean) => key.filter((it) => it.required === required).map((it) => it.name);
    expect(named(true)).toEqual(must);
    expect(named(false)).toEqual(may);
  });

  it('reads the times of an asset from dates', () => {
    const times = asset.record.filter(({ date }) => date).map(({ name, type }) => `${name}: ${type}`);
    expect(times).toEqual([
      'createTime: Long',
      'updateTime: Long',
      'limitStartTime: Long',
      'limitEndTime: Long',
    ]);
  });
});

describe('assets', () => {
  it('are asked for by enterprise and extension; rows of one enterprise ask alike', () => {
    const request = asset.request({ enterpriseGlobalId: 'ENT-1', assetNum: ['A'] });
    expect(request).toEqual({ enterpriseGlobalId: 'ENT-1' });
    expect(asset.request({ assetNum: ['B'], enterpriseGlobalId: 'ENT-1' })).toEqual(request);
    expect(asset.request({ enterpriseGlobalId: 'ENT-1', assetNum: ['A'], extendCode: 'gxxp' })).toEqual({
      enterpriseGlobalId: 'ENT-1',
      extendCode: 'gxxp',
    });
  });

  it('are sent as the inquiry sends them', () => {
    const fields = asset.request({ enterpriseGlobalId: 'ENT/1', assetNum: ['A'], extendCode: 'gxxp' });
    const sent = operationNamed(asset.inquiry).compose({}, [fields], { channelOrderId: '' });
    expect(sent).toMatchObject({
      method: 'GET',
      path: '/order/api/order/v1/asset/ENT%2F1/list',
      query: { extendCode: 'gxxp' },
    });
  });

  it('of one row are as many as it has numbers, each once', () => {
    const names = asset.names({ enterpriseGlobalId: 'ENT-1', assetNum: ['A', ' B ', 'A', ''] });
    expect(names.map(({ label }) => label)).toEqual(['A', 'B']);
    expect(new Set(ids(names)).size).toBe(2);
  });

  it('are found in the reply whatever their numbers are sent as', () => {
    const key = { enterpriseGlobalId: 'ENT-1', assetNum: ['8000000001', '90071992547409930'] };
    const request = asset.request(key);
    const records = [{ assetNum: 8000000001 }, { assetNum: 90071992547409930n }];
    expect(records.map((it) => asset.nameOf(it, request))).toEqual(asset.names(key));
    expect(asset.nameOf({ assetNum: ' 8000000001 ' }, request)).toEqual(asset.names(key)[0]);
  });

  it('of two enterprises never share a name, however their parts are cut', () => {
    const one = asset.names({ enterpriseGlobalId: 'E', assetNum: ['1","2'] });
    const other = asset.names({ enterpriseGlobalId: 'E","1', assetNum: ['2'] });
    const third = asset.names({ enterpriseGlobalId: 'F', assetNum: ['2'] });
    expect(new Set(ids([...one, ...other, ...third])).size).toBe(3);
  });

  it.each([[{}], [{ assetNum: null }], [{ assetNum: ' ' }], [{ assetNum: { a: 1 } }]])(
    '%j has no name',
    (record) => {
      expect(asset.nameOf(record, { enterpriseGlobalId: 'ENT-1' })).toBeUndefined();
    },
  );
});

describe('enterprises', () => {
  const key = { channelCode: 'CH', channelCustomerId: '0012' };

  it('are asked for with all their customers unless the key says otherwise', () => {
    expect(enterprise.request(key)).toEqual({ ...key, defaultCustomer: 'N' });
    expect(enterprise.request({ ...key, defaultCustomer: 'Y' })).toEqual({ ...key, defaultCustomer: 'Y' });
    expect(
      enterprise.key.find(({ name }) => name === 'defaultCustomer')?.values?.map((it) => it.value),
    ).toEqual(['Y', 'N']);
  });

  it('are named by channel and customer, labelled by the customer', () => {
    const [name, ...others] = enterprise.names(key);
    expect(others).toEqual([]);
    expect(name?.label).toBe('0012');
    expect(enterprise.names({ ...key, defaultCustomer: 'Y' })).toEqual([name]);
    expect(enterprise.nameOf({ ...key, customerId: 'CU-1' }, {})).toEqual(name);
  });

  it('count as those of the request where the reply does not say who they are', () => {
    const request = enterprise.request(key);
    const [name] = enterprise.names(key);
    expect(enterprise.nameOf({ customerId: 'CU-1' }, request)).toEqual(name);
    expect(
      enterprise.nameOf({ customerId: 'CU-1', channelCode: '', channelCustomerId: null }, request),
    ).toEqual(name);
    expect(enterprise.nameOf({ channelCode: 'OTHER' }, request)).not.toEqual(name);
    expect(enterprise.nameOf({ channelCustomerId: '12' }, request)?.label).toBe('12');
  });
});
