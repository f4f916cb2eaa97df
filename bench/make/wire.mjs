// Orders whose cells hold what goes over the wire, so that programs that convert nothing can send them too.
import { Day } from './values.mjs';
import { wideRows } from './wide.mjs';

export const WIRE_HEADERS = [
  'channelOrderId',
  'customerId',
  'crmCustomerId',
  'customerName',
  'channelCustomerId',
  'adminName',
  'adminAccount',
  'adminEmail',
  'adminCellNumber',
  'passwordMobile',
  'address',
  'customerType',
  'branchCode',
  'branchName',
  'enterpriseGlobalId',
  'licenseType',
  'assetNo',
  'crmProductId',
  'parentCrmProductId',
  'productUri',
  'productName',
  'limitStartDate',
  'limitEndDate',
  'limitConcurrent',
  'timeUnitQuantity',
];
/** Places of the same in a wide row. */
const FROM = [0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 21, 22, 23, 24, 26, 27, 28, 32];
const NUMBERS = new Set(['limitStartDate', 'limitEndDate', 'limitConcurrent', 'timeUnitQuantity']);
const WORDS = new Map([
  ['企业', 'company'],
  ['个人', 'personal'],
  ['单机锁(可回收)', 'normal_recover_usbkey'],
  ['网络锁(可回收)', 'normal_recover_lan_usbkey'],
  ['单机锁(不可回收)', 'normal_unrecover_usbkey'],
  ['云账号', 'cloud_account'],
  ['企业云授权', 'cloud_customer'],
]);

export function* wireRows(count) {
  for (const row of wideRows(count)) {
    yield FROM.map((at) => {
      const value = row[at];
      if (value instanceof Day) return Date.parse(`${value.iso}T00:00:00+08:00`);
      return WORDS.get(value) ?? value;
    });
  }
}

/** Text of the request for one row; a value is anything that `JSON.stringify` takes. */
function body(it) {
  const { channelOrderId, assetNo, crmProductId, parentCrmProductId, productUri, productName } = it;
  const { limitStartDate, limitEndDate, limitConcurrent, timeUnitQuantity, ...order } = it;
  for (const name of ['channelOrderId', 'assetNo', 'crmProductId', 'parentCrmProductId']) delete order[name];
  for (const name of ['productUri', 'productName']) delete order[name];
  const product = {
    crmProductId,
    parentCrmProductId,
    productUri,
    productName,
    productType: 'software',
    limitStartDate,
    limitEndDate,
    limitConcurrent,
    limitTimeDuration: 0,
    strictMatchWhenDelete: false,
    trial: 0,
    trialEndDate: 0,
    timeUnit: 'month',
    timeUnitQuantity,
    timeDurationExpression: '1-0-0',
    productFeatures: [],
  };
  const assets = [{ assetNos: [assetNo], products: [product] }];
  const orderList = [{ sequence: 1, ...order, orderType: 'new_buy', assets }];
  return JSON.stringify({ channelCode: 'CH01', channelOrderId, syncMode: 'sync', orderList });
}

export function* wireBodies(count) {
  for (const row of wireRows(count)) {
    yield body(Object.fromEntries(WIRE_HEADERS.map((name, index) => [name, row[index]])));
  }
}

/** The request with `{{column}}` in place of its values, as Postman's collections have it. */
export function wireTemplate() {
  const marked = WIRE_HEADERS.map((name) => [name, NUMBERS.has(name) ? `#{{${name}}}#` : `{{${name}}}`]);
  return body(Object.fromEntries(marked)).replaceAll('"#', '').replaceAll('#"', '');
}

/** The job file's map of these columns. */
export const WIRE_MAP = `  channelCode: { value: CH01 }
  channelOrderId: channelOrderId
  syncMode: { value: sync }
  orderList:
    each: [channelOrderId]
${WIRE_HEADERS.slice(1, 16)
  .map((name) => `    ${name}: ${name}\n`)
  .join('')}    assets:
      each: [assetNo]
      assetNos: assetNo
      products:
        crmProductId: crmProductId
        parentCrmProductId: parentCrmProductId
        productUri: productUri
        productName: productName
        productType: { value: software }
        limitStartDate: limitStartDate
        limitEndDate: limitEndDate
        limitConcurrent: limitConcurrent
        limitTimeDuration: { value: 0 }
        trial: { value: 0 }
        trialEndDate: { value: 0 }
        timeUnit: { value: month }
        timeUnitQuantity: timeUnitQuantity
        timeDurationExpression: { value: 1-0-0 }
`;
