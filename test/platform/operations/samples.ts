import type { JsonObject } from '../../../src/model/json.js';
import type { OperationName, WireRequest } from '../../../src/model/operation.js';
import { operationNamed } from '../../../src/platform/operations/catalogue.js';

/** Settings and contexts that most tests need. */
export const CAREFUL = { allowDeleteFromAllOrders: false };
export const CONTEXT = { appKey: 'app-1', channelOrderId: 'LS-run-1' };
export const ENVELOPE: JsonObject = { channelCode: 'CH01', channelOrderId: 'SO-1', syncMode: 'sync' };

export const PRODUCT: JsonObject = {
  crmProductId: 'PI-1',
  parentCrmProductId: 'SO-1',
  productUri: 'P-1',
  productName: '云计价平台',
  productType: 'software',
  limitStartDate: 1_767_225_600_000,
  limitEndDate: 1_798_761_600_000,
  limitConcurrent: 1,
  limitTimeDuration: 0,
  trial: 0,
  trialEndDate: 0,
  timeUnit: 'month',
  timeUnitQuantity: 12,
  timeDurationExpression: '1-0-0',
};

export const PACKAGE: JsonObject = {
  crmProductId: 'M-1',
  parentCrmProductId: 'SO-1',
  merchandiseNum: 'PK-1',
  merchandiseName: '套餐',
  parentMerchandiseNum: 'PK-0',
  timeDurationExpression: 'one year',
  licenseOrderProductList: [PRODUCT],
};

const CUSTOMER: JsonObject = {
  customerName: '北京宏图',
  channelCustomerId: 'CC-1',
  adminName: '王芳',
  adminAccount: 'admin1',
  adminEmail: 'a@example.com',
  adminCellNumber: '13800000001',
  customerType: 'company',
  branchCode: '0011',
  branchName: '北京',
  enterpriseGlobalId: 'E-1',
  licenseType: 'normal_recover_usbkey',
};

export const NEW_BUY: JsonObject = {
  ...CUSTOMER,
  customerId: 'L-1',
  crmCustomerId: 'CRM-1',
  passwordMobile: '13800000001',
  address: '北京市人民路1号',
  assets: [{ assetNos: ['007'], products: [PRODUCT] }],
};

export const DELETE_ASSET: JsonObject = {
  ...CUSTOMER,
  srcLicenseOrderId: 'LO-1',
  assets: [{ assetNos: ['007', '008'] }, { assetNos: ['009'] }],
};

export const DELETE_PRODUCT: JsonObject = {
  ...CUSTOMER,
  srcLicenseOrderId: 'LO-1',
  assets: [{ assetNos: ['007'], products: [{ crmProductId: 'PI-1', productUri: 'P-1' }] }],
};

/** A request of orders with these sequences. */
export function sentOrders(syncMode: string, ...sequences: number[]): WireRequest {
  return operationNamed('order.new_buy').compose(
    { ...ENVELOPE, syncMode },
    sequences.map((sequence) => ({ ...NEW_BUY, sequence })),
    CONTEXT,
  );
}

/** The faults of one item, as `path code`. */
export function faultsOf(
  name: OperationName,
  body: JsonObject | string,
  settings = CAREFUL,
  envelope: JsonObject = ENVELOPE,
): string[] {
  const rules = operationNamed(name).rules({ envelope, body }, settings);
  return rules.map((it) => `${it.path} ${it.message.code}`);
}
