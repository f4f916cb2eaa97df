import type { AllowedValue, Field } from '../../../model/field.js';
import type { Endpoint } from '../../../model/operation.js';
import {
  ASSET_NUMBER,
  END_TIME,
  FREE_IDENTIFIER,
  fieldTable,
  IDENTIFIER,
  KEY,
  NOT_NEGATIVE,
  ORDER_SERVICE,
  TIME,
  within,
} from '../../wire/field-table.js';
import { LICENSE_TYPES } from './wire-license-types.js';
import { MERCHANDISE_FIELDS, PRODUCT_FIELDS } from './wire-products.js';

const { must, may } = fieldTable('§2.3');

const SYNC_MODES: readonly AllowedValue[] = [
  { value: 'sync', meaning: 'the reply brings the outcome' },
  { value: 'async', meaning: 'the reply only says that the order was taken' },
];

export const CUSTOMER_TYPES: readonly AllowedValue[] = [
  { value: 'personal', meaning: 'an individual' },
  { value: 'company', meaning: 'an enterprise' },
];

export const ORDER_TYPES: readonly AllowedValue[] = [
  { value: 'new_buy', meaning: 'new purchase' },
  { value: 'delete_asset', meaning: 'revoke assets' },
  { value: 'delete_product', meaning: 'revoke products' },
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
  must('syncMode', 'String', 'Whether the reply waits for the outcome', { values: SYNC_MODES }),
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
