import { expect, test } from 'vitest';
import type { Field } from '../../../src/model/field.js';
import { OPERATION_NAMES } from '../../../src/model/operation.js';
import { ENDPOINTS, type EndpointName } from '../../support/endpoints.js';

/** `name!` is required, `name` optional; members follow in brackets by their own table. */
function written(fields: readonly Field[]): string[] {
  return fields.map((it) => `${it.name}${it.required ? '!' : ''} ${it.type}${it.in ? ` in ${it.in}` : ''}`);
}

function members(fields: readonly Field[] | undefined, name: string): readonly Field[] {
  const field = fields?.find((it) => it.name === name);
  if (!field?.fields) throw new Error(`no members under ${name}`);
  return field.fields;
}

function replyFields(name: EndpointName): readonly Field[] {
  const { reply } = ENDPOINTS[name];
  return reply.kind === 'object' || reply.kind === 'object array' ? reply.fields : [];
}

const order = members(ENDPOINTS.batchOrder.request, 'orderList');
const asset = members(order, 'assets');
const product = members(asset, 'products');
const merchandise = members(asset, 'merchandises');

test('every endpoint of §4.2 with its number, method and path', () => {
  const lines = Object.values(ENDPOINTS).map((it) => `${it.number} ${it.method} ${it.path}`);
  expect(lines).toEqual([
    '1 POST /order/api/order/v1/enterprise/user/bind',
    '2 POST /order/api/order/v1/enterprise/user/create',
    '3 GET /order/api/order/v1/enterprise/user/query',
    '4 POST /order/api/order/v1/enterprise/user/update',
    '5 POST /order/api/order/v1/licenseOrder/batchOrder',
    '6 POST /order/api/order/v1/asset/lock',
    '7 POST /order/api/order/v1/asset/unlock',
    '8 GET /order/api/order/v1/asset/{enterpriseGlobalId}/list',
    '9 POST /order/api/order/v1/shellnums',
    '10 POST /activity/services/activity',
  ]);
  expect(OPERATION_NAMES).toHaveLength(12);
});

test('only the batch order takes an appKey, only endpoint 10 is the activity service', () => {
  const names = Object.keys(ENDPOINTS) as EndpointName[];
  expect(names.filter((it) => ENDPOINTS[it].needsAppKey)).toEqual(['batchOrder']);
  expect(names.filter((it) => ENDPOINTS[it].service === 'activity')).toEqual(['activity']);
});

test.each<[EndpointName, string[]]>([
  [
    'bind',
    [
      'channelCode! String',
      'channelCustomerId! String',
      'customerName! String',
      'branchName! String',
      'enterpriseName! String',
      'passwordMobile! String',
    ],
  ],
  ['create', ['crmCustomerId! String', 'customerName! String', 'branchName! String', 'address String']],
  [
    'query',
    [
      'channelCode! String in query',
      'channelCustomerId! String in query',
      'defaultCustomer! String in query',
    ],
  ],
  ['update', ['crmCustomerId! String', 'customerName! String', 'branchName! String', 'address String']],
  [
    'batchOrder',
    ['channelCode! String', 'channelOrderId! String', 'syncMode! String', 'orderList! object array'],
  ],
  ['lock', ['assetNums! String array', 'operatorIdentity! String']],
  ['unlock', ['assetNums! String array', 'operatorIdentity! String']],
  ['assetList', ['enterpriseGlobalId! String in path', 'extendCode String in query']],
  ['assetNumbers', ['size! Integer']],
  ['activity', ['identity! String', 'activityLabel! String', 'source! String', 'branch! String']],
])('request of %s', (name, fields) => {
  expect(written(ENDPOINTS[name].request)).toEqual(fields);
});

test('order item, §2.3', () => {
  expect(written(order)).toEqual([
    'sequence! Integer',
    'customerId! String',
    'crmCustomerId! String',
    'customerName! String',
    'channelCustomerId! String',
    'adminName! String',
    'adminAccount! String',
    'adminEmail! String',
    'adminCellNumber! String',
    'passwordMobile! String',
    'address! String',
    'customerType! String',
    'branchCode! String',
    'branchName! String',
    'enterpriseGlobalId! String',
    'srcLicenseOrderId String',
    'licenseType! String',
    'orderType! String',
    'assets! object array',
  ]);
});

test('asset item and its extensions, §2.3', () => {
  expect(written(asset)).toEqual([
    'assetNos! String array',
    'assetExtendList object array',
    'limitStartDate Long',
    'limitEndDate Long',
    'borrowedUsbKey Boolean',
    'transferedAssetNum Boolean',
    'products object array',
    'merchandises object array',
  ]);
  expect(written(members(asset, 'assetExtendList'))).toEqual(['extendCode String', 'extendValue String']);
});

test('product and feature items, §2.3', () => {
  expect(written(product)).toEqual([
    'crmProductId! String',
    'parentCrmProductId! String',
    'productUri! String',
    'productName! String',
    'gmsPid String',
    'appKey String',
    'productType! String',
    'limitStartDate Long',
    'limitEndDate Long',
    'limitConcurrent! Integer',
    'limitTimeDuration! Long',
    'strictMatchWhenDelete! Boolean',
    'trial! Integer',
    'trialEndDate! Integer',
    'passwords String array',
    'timeUnit! String',
    'timeUnitQuantity! Integer',
    'timeDurationExpression! String',
    'srcLicenseOrderId String',
    'productFeatures! object array',
  ]);
  expect(written(members(product, 'productFeatures'))).toEqual([
    'featureCode! String',
    'featureName! String',
    'featureValue! String',
    'featureValueType! String',
    'trial! Integer',
    'trialEndDate! Date',
  ]);
});

test('merchandise items contain themselves, to any depth', () => {
  expect(written(merchandise)).toEqual([
    'crmProductId! String',
    'parentCrmProductId! String',
    'merchandiseNum! String',
    'merchandiseName! String',
    'parentMerchandiseNum! String',
    'timeDurationExpression! String',
    'children object array',
    'licenseOrderProductList! object array',
  ]);
  expect(members(members(merchandise, 'children'), 'children')).toBe(merchandise);
  expect(members(merchandise, 'licenseOrderProductList')).toBe(product);
});

test('points in time are marked, lengths of time are not', () => {
  const dates = (fields: readonly Field[]) => fields.filter((it) => it.date).map((it) => it.name);
  expect(dates(asset)).toEqual(['limitStartDate', 'limitEndDate']);
  expect(dates(product)).toEqual(['limitStartDate', 'limitEndDate', 'trialEndDate']);
  expect(dates(members(product, 'productFeatures'))).toEqual(['trialEndDate']);
  expect(dates(replyFields('assetList'))).toEqual([
    'createTime',
    'updateTime',
    'limitStartTime',
    'limitEndTime',
  ]);
});

test('closed lists of values', () => {
  const values = (fields: readonly Field[], name: string) =>
    fields.find((it) => it.name === name)?.values?.map((it) => it.value);
  expect(values(order, 'licenseType')).toEqual([
    'normal_unrecover_usbkey',
    'normal_recover_usbkey',
    'normal_unrecover_lan_usbkey',
    'normal_recover_lan_usbkey',
    'identity_usbkey',
    'identity_lan_usbkey',
    'softkey',
    'lan_softkey',
    'product_entity',
    'cloud_account',
    'cloud_customer',
    'cloud_personal',
    'lk_product_usbkey',
    'lk_auth_usbkey',
  ]);
  expect(values(order, 'orderType')).toEqual(['new_buy', 'delete_asset', 'delete_product']);
  expect(values(order, 'customerType')).toEqual(['personal', 'company']);
  expect(values(product, 'trial')).toEqual([0, 1]);
  expect(values(ENDPOINTS.query.request, 'defaultCustomer')).toEqual(['Y', 'N']);
  expect(values(ENDPOINTS.batchOrder.request, 'syncMode')).toEqual(['sync', 'async']);
  expect(values(replyFields('lock'), 'status')).toEqual([1, 2, 3, 4]);
  expect(values(replyFields('activity'), 'resultCode')).toEqual([
    '0000',
    '1001',
    '1002',
    '1004',
    '2001',
    '3001',
    '3002',
  ]);
});

test('replies, §2.1, §2.2, §2.4 to §2.7', () => {
  const names = (fields: readonly Field[]) => fields.map((it) => it.name).join(' ');
  const customer = 'customerId channelCode channelCustomerId enterpriseGlobalId enterpriseName isDefault';
  expect(names(replyFields('bind'))).toBe(customer);
  expect(names(replyFields('query'))).toBe(customer);
  expect(names(replyFields('create'))).toBe('enterpriseGlobalId defaultType members');
  expect(names(members(replyFields('create'), 'members'))).toBe('memberGlobalId memberIdentity');
  expect(written(replyFields('batchOrder'))).toEqual([
    'sequence! Integer',
    'licenseOrderId! String',
    'customerId String',
  ]);
  expect(written(replyFields('unlock'))).toEqual(['assetNum! String', 'status! Integer']);
  expect(names(replyFields('assetList'))).toBe(
    'id licenseType assetNum grantable customerId keyShellNumber keyChipType locked freezing createTime ' +
      'updateTime limitStartTime limitEndTime assignStatus assetLimits assetExtends borrowedUsbKey',
  );
  expect(names(members(replyFields('assetList'), 'assignStatus'))).toBe(
    'id assignStatus assignMemberId createTime updateTime',
  );
  expect(names(replyFields('activity'))).toBe('resultCode resultMessage detail activityDtoList');
  expect(names(members(members(replyFields('activity'), 'detail'), 'products'))).toBe(
    'activityId subActivityId productUri limitStartDate limitEndDate activateType',
  );
  const refused = members(replyFields('activity'), 'activityDtoList');
  expect(names(refused)).toBe('id name participateResult engineSubActivityDtos');
  expect(names(members(refused, 'engineSubActivityDtos'))).toBe(
    'id name participateResult errorCode errorMessage',
  );
  expect(ENDPOINTS.update.reply.kind).toBe('none');
  expect(ENDPOINTS.assetNumbers.reply.kind).toBe('string array');
});

test('every field has a meaning and a section', () => {
  const seen = new Set<readonly Field[]>();
  const visit = (fields: readonly Field[]): void => {
    if (seen.has(fields)) return;
    seen.add(fields);
    for (const field of fields) {
      expect(field.meaning.length, field.name).toBeGreaterThan(5);
      expect(field.section, field.name).toMatch(/^§[24]\.\d$/);
      if (field.type === 'object array') expect(field.fields, field.name).toBeDefined();
      if (field.fields) visit(field.fields);
    }
  };
  for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
    visit(ENDPOINTS[name].request);
    visit(replyFields(name));
  }
  expect(seen.size).toBeGreaterThan(20);
});
