import type { AllowedValue, Field } from '../../../model/field.js';
import type { Endpoint } from '../../../model/operation.js';
import {
  ASSET_NUMBER,
  DURATION,
  END_TIME,
  FREE_IDENTIFIER,
  fieldTable,
  IDENTIFIER,
  KEY,
  NOT_NEGATIVE,
  ORDER_SERVICE,
  TIME,
  TRIAL_END,
  within,
} from '../../wire/field-table.js';

const { must, may } = fieldTable('§2.3');

const TRIAL: readonly AllowedValue[] = [
  { value: 0, meaning: 'not a trial', zh: '非试用' },
  { value: 1, meaning: 'trial', zh: '试用' },
];

/** Element of `productFeatures`. */
const FEATURE_FIELDS: readonly Field[] = [
  must('featureCode', 'String', 'Code of the feature', IDENTIFIER),
  must('featureName', 'String', 'Name of the feature'),
  must('featureValue', 'String', 'What the feature is set to'),
  must('featureValueType', 'String', 'Kind of the value; the platform lists no kinds'),
  must('trial', 'Integer', 'Whether the feature is on trial', { values: TRIAL }),
  must('trialEndDate', 'Date', 'When the trial of the feature ends', TRIAL_END),
];

/** Element of an asset's `products` and of a package's `licenseOrderProductList`. */
export const PRODUCT_FIELDS: readonly Field[] = [
  must('crmProductId', 'String', 'Id of the product instance in the CRM', IDENTIFIER),
  must('parentCrmProductId', 'String', 'Id of its parent (the asset instance) in the CRM', IDENTIFIER),
  must('productUri', 'String', 'Which product: a gmsPid or an appKey', IDENTIFIER),
  must('productName', 'String', 'Name of the product'),
  may('gmsPid', 'String', 'Product identifier of the gmsPid kind', IDENTIFIER),
  may('appKey', 'String', 'Product identifier of the appKey kind', IDENTIFIER),
  must('productType', 'String', 'Kind of product; the platform lists no kinds'),
  may('limitStartDate', 'Long', 'When the product becomes valid', TIME),
  may('limitEndDate', 'Long', 'When the product expires', END_TIME),
  must('limitConcurrent', 'Integer', 'How many nodes may use it at once', NOT_NEGATIVE),
  must('limitTimeDuration', 'Long', 'Usage time that may be accumulated', NOT_NEGATIVE),
  must(
    'strictMatchWhenDelete',
    'Boolean',
    'When deleting: true matches time range and node count exactly, false only the product (the default)',
  ),
  must('trial', 'Integer', 'Whether the product is on trial', { values: TRIAL }),
  must('trialEndDate', 'Integer', 'When the trial ends', TRIAL_END),
  may('passwords', 'String array', 'Passwords of the licences inside the lock', FREE_IDENTIFIER),
  must('timeUnit', 'String', 'Unit of the time bought; the platform lists no units'),
  must('timeUnitQuantity', 'Integer', 'How many of those units', NOT_NEGATIVE),
  must(
    'timeDurationExpression',
    'String',
    'Time bought as years-months-days; a length is better than a date',
    DURATION,
  ),
  may(
    'srcLicenseOrderId',
    'String',
    'Original licence order, only where a new purchase moves the product over from another order',
    IDENTIFIER,
  ),
  within(must('productFeatures', 'object array', 'Features of the product'), () => FEATURE_FIELDS),
];

/** Element of `merchandises` and of `children`. */
export const MERCHANDISE_FIELDS: readonly Field[] = [
  must('crmProductId', 'String', 'Id of the package instance in the CRM', IDENTIFIER),
  must('parentCrmProductId', 'String', 'Id of the parent package instance in the CRM', IDENTIFIER),
  must('merchandiseNum', 'String', 'Number of the package', IDENTIFIER),
  must('merchandiseName', 'String', 'Name of the package'),
  must('parentMerchandiseNum', 'String', 'Number of the parent package', IDENTIFIER),
  must('timeDurationExpression', 'String', 'Time bought with the package', { form: 'time' }),
  within(
    may('children', 'object array', 'Packages inside this one, of the same form'),
    () => MERCHANDISE_FIELDS,
  ),
  within(
    must('licenseOrderProductList', 'object array', 'Products that the package holds'),
    () => PRODUCT_FIELDS,
  ),
];

/** Values of `licenseType` (§2.3). */
export const LICENSE_TYPES = [
  {
    value: 'normal_unrecover_usbkey',
    meaning: 'standalone lock that cannot be recovered',
    zh: '单机锁（不可回收）',
  },
  {
    value: 'normal_recover_usbkey',
    meaning: 'standalone lock that can be recovered',
    zh: '单机锁（可回收）',
  },
  {
    value: 'normal_unrecover_lan_usbkey',
    meaning: 'network lock that cannot be recovered',
    zh: '网络锁（不可回收）',
  },
  {
    value: 'normal_recover_lan_usbkey',
    meaning: 'network lock that can be recovered',
    zh: '网络锁（可回收）',
  },
  { value: 'identity_usbkey', meaning: 'identity lock for one machine', zh: '单机身份锁' },
  { value: 'identity_lan_usbkey', meaning: 'identity lock for the network', zh: '网络身份锁' },
  { value: 'softkey', meaning: 'certificate for one machine', zh: '单机证书' },
  { value: 'lan_softkey', meaning: 'certificate for the network', zh: '网络证书' },
  { value: 'product_entity', meaning: 'product entity', zh: '产品实体' },
  { value: 'cloud_account', meaning: 'cloud account', zh: '云账号' },
  { value: 'cloud_customer', meaning: 'cloud authorization of an enterprise account', zh: '企业云账号授权' },
  { value: 'cloud_personal', meaning: 'cloud authorization of a personal account', zh: '个人云账号授权' },
  { value: 'lk_product_usbkey', meaning: 'product lock', zh: '产品锁' },
  { value: 'lk_auth_usbkey', meaning: 'login lock', zh: '登录锁' },
] as const satisfies readonly AllowedValue[];

/** The cloud authorizations; a delete order for them must name its original order (§4.5.3). */
export const CLOUD_LICENSE_TYPES: ReadonlySet<string> = new Set([
  'cloud_account',
  'cloud_customer',
  'cloud_personal',
]);

const SYNC_MODES: readonly AllowedValue[] = [
  { value: 'sync', meaning: 'synchronous', zh: '同步' },
  { value: 'async', meaning: 'asynchronous', zh: '异步' },
];

export const CUSTOMER_TYPES: readonly AllowedValue[] = [
  { value: 'personal', meaning: 'individual', zh: '个人' },
  { value: 'company', meaning: 'enterprise', zh: '企业' },
];

export const ORDER_TYPES: readonly AllowedValue[] = [
  { value: 'new_buy', meaning: 'new purchase', zh: '新购' },
  { value: 'delete_asset', meaning: 'revoke assets', zh: '撤销资产' },
  { value: 'delete_product', meaning: 'revoke products', zh: '撤销产品' },
];

/** Element of `assetExtendList`. */
const ASSET_EXTENSION_FIELDS: readonly Field[] = [
  may('extendCode', 'String', 'Code of the extension', IDENTIFIER),
  may('extendValue', 'String', 'Value of the extension'),
];

/** Element of `assets`. */
export const ORDER_ASSET_FIELDS: readonly Field[] = [
  must('assetNos', 'String array', 'Asset numbers', ASSET_NUMBER),
  within(
    may('assetExtendList', 'object array', 'Extension attributes of the asset'),
    () => ASSET_EXTENSION_FIELDS,
  ),
  may('limitStartDate', 'Long', 'Start of the time the asset is limited to', TIME),
  may('limitEndDate', 'Long', 'End of the time the asset is limited to', END_TIME),
  may('borrowedUsbKey', 'Boolean', 'The lock is lent'),
  may('transferedAssetNum', 'Boolean', 'The asset number was transferred'),
  within(
    may('products', 'object array', 'Products; only delete_asset orders may do without'),
    () => PRODUCT_FIELDS,
  ),
  within(may('merchandises', 'object array', 'Product packages'), () => MERCHANDISE_FIELDS),
];

/** Element of `orderList`. */
export const ORDER_FIELDS: readonly Field[] = [
  must('sequence', 'Integer', 'Number of the order within its request', NOT_NEGATIVE),
  must('customerId', 'String', 'Id of the customer on the licence platform', { ...IDENTIFIER, echo: 'warn' }),
  must('crmCustomerId', 'String', 'Number of the customer in the CRM', KEY),
  must('customerName', 'String', 'Name of the customer at the channel'),
  must('channelCustomerId', 'String', 'Number of the customer at the channel', KEY),
  must('adminName', 'String', 'Name of the administrator'),
  must('adminAccount', 'String', 'Account of the administrator', IDENTIFIER),
  must('adminEmail', 'String', 'E-mail of the administrator', FREE_IDENTIFIER),
  must('adminCellNumber', 'String', 'Mobile number of the administrator', { ...IDENTIFIER, phone: true }),
  must('passwordMobile', 'String', 'Mobile number of the buyer', { ...IDENTIFIER, phone: true }),
  must('address', 'String', 'Address of the customer'),
  must('customerType', 'String', 'Individual or enterprise', { values: CUSTOMER_TYPES }),
  must('branchCode', 'String', 'Code of the branch', IDENTIFIER),
  must('branchName', 'String', 'Name of the branch'),
  must('enterpriseGlobalId', 'String', 'Global id of the enterprise main account', KEY),
  may(
    'srcLicenseOrderId',
    'String',
    'Original licence order, whose products a delete order removes (§4.5.3)',
    IDENTIFIER,
  ),
  must('licenseType', 'String', 'Kind of licence', { values: LICENSE_TYPES }),
  must('orderType', 'String', 'What the order does', { values: ORDER_TYPES }),
  within(must('assets', 'object array', 'The assets that the order is for'), () => ORDER_ASSET_FIELDS),
];

/** Body of the batch order. */
export const BATCH_ORDER_FIELDS: readonly Field[] = [
  must('channelCode', 'String', 'Code of the sales channel', KEY),
  must('channelOrderId', 'String', "The customer's order number", KEY),
  must(
    'syncMode',
    'String',
    'Whether the reply waits for the outcome (synchronous) or only confirms receipt (asynchronous)',
    { values: SYNC_MODES },
  ),
  within(must('orderList', 'object array', 'The orders'), () => ORDER_FIELDS),
];

const reply = fieldTable('§2.4');

/** One element of the batch order's reply. */
const ORDER_RESULT_FIELDS: readonly Field[] = [
  reply.must('sequence', 'Integer', 'Number of the order, as it was sent'),
  reply.must('licenseOrderId', 'String', 'Id of the licence order', IDENTIFIER),
  reply.may('customerId', 'String', 'Id of the customer on the licence platform', IDENTIFIER),
];

export const BATCH_ORDER_ENDPOINT: Endpoint = {
  number: 5,
  method: 'POST',
  path: `${ORDER_SERVICE}/licenseOrder/batchOrder`,
  purpose: 'Creates licence orders, several in one call',
  section: '§4.5',
  service: 'order',
  request: BATCH_ORDER_FIELDS,
  needsAppKey: true,
  reply: { kind: 'object array', fields: ORDER_RESULT_FIELDS },
};
