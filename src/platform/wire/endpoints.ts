import type { Endpoint } from '../../model/operation.js';
import { ACTIVITY_FIELDS, ACTIVITY_RESULT_FIELDS } from './activity-fields.js';
import {
  LIST_FIELDS,
  LOCK_FIELDS,
  LOCK_RESULT_FIELDS,
  NUMBERS_FIELDS,
  VIRTUAL_ASSET_FIELDS,
} from './asset-fields.js';
import {
  BIND_FIELDS,
  CREATE_FIELDS,
  ENTERPRISE_CREATION_FIELDS,
  ENTERPRISE_CUSTOMER_FIELDS,
  QUERY_FIELDS,
  UPDATE_FIELDS,
} from './enterprise-fields.js';
import { BATCH_ORDER_FIELDS, ORDER_RESULT_FIELDS } from './order-fields.js';

export type EndpointName =
  | 'bind'
  | 'create'
  | 'query'
  | 'update'
  | 'batchOrder'
  | 'lock'
  | 'unlock'
  | 'assetList'
  | 'assetNumbers'
  | 'activity';

const ORDER_SERVICE = '/order/api/order/v1';

/** The ten endpoints of §4.2, by the names this program gives them. */
export const ENDPOINTS: Readonly<Record<EndpointName, Endpoint>> = {
  bind: {
    number: 1,
    method: 'POST',
    path: `${ORDER_SERVICE}/enterprise/user/bind`,
    purpose: 'Creates an authorized customer and binds it to an enterprise main account',
    section: '§4.3',
    service: 'order',
    request: BIND_FIELDS,
    needsAppKey: false,
    reply: { kind: 'object', fields: ENTERPRISE_CUSTOMER_FIELDS },
  },
  create: {
    number: 2,
    method: 'POST',
    path: `${ORDER_SERVICE}/enterprise/user/create`,
    purpose: 'Creates an enterprise main account with its customers, administrator and cloud employees',
    section: '§4.4',
    service: 'order',
    request: CREATE_FIELDS,
    needsAppKey: false,
    reply: { kind: 'object', fields: ENTERPRISE_CREATION_FIELDS },
  },
  query: {
    number: 3,
    method: 'GET',
    path: `${ORDER_SERVICE}/enterprise/user/query`,
    purpose: 'Finds enterprise main accounts by channel code and channel customer number',
    section: '§4.5',
    service: 'order',
    request: QUERY_FIELDS,
    needsAppKey: false,
    reply: { kind: 'object array', fields: ENTERPRISE_CUSTOMER_FIELDS },
  },
  update: {
    number: 4,
    method: 'POST',
    path: `${ORDER_SERVICE}/enterprise/user/update`,
    purpose: 'Changes name and address of the enterprise customer that belongs to a CRM customer',
    section: '§4.5',
    service: 'order',
    request: UPDATE_FIELDS,
    needsAppKey: false,
    reply: { kind: 'none' },
  },
  batchOrder: {
    number: 5,
    method: 'POST',
    path: `${ORDER_SERVICE}/licenseOrder/batchOrder`,
    purpose: 'Creates licence orders, several in one call',
    section: '§4.5',
    service: 'order',
    request: BATCH_ORDER_FIELDS,
    needsAppKey: true,
    reply: { kind: 'object array', fields: ORDER_RESULT_FIELDS },
  },
  lock: {
    number: 6,
    method: 'POST',
    path: `${ORDER_SERVICE}/asset/lock`,
    purpose: 'Disables physical locks, many in one call',
    section: '§4.6',
    service: 'order',
    request: LOCK_FIELDS,
    needsAppKey: false,
    reply: { kind: 'object array', fields: LOCK_RESULT_FIELDS },
  },
  unlock: {
    number: 7,
    method: 'POST',
    path: `${ORDER_SERVICE}/asset/unlock`,
    purpose: 'Enables physical locks, many in one call',
    section: '§4.6',
    service: 'order',
    request: LOCK_FIELDS,
    needsAppKey: false,
    reply: { kind: 'object array', fields: LOCK_RESULT_FIELDS },
  },
  assetList: {
    number: 8,
    method: 'GET',
    path: `${ORDER_SERVICE}/asset/{enterpriseGlobalId}/list`,
    purpose: "Lists the assets of an enterprise's cloud account authorizations",
    section: '§4.7',
    service: 'order',
    request: LIST_FIELDS,
    needsAppKey: false,
    reply: { kind: 'object array', fields: VIRTUAL_ASSET_FIELDS },
  },
  assetNumbers: {
    number: 9,
    method: 'POST',
    path: `${ORDER_SERVICE}/shellnums`,
    purpose: 'Obtains the digits of new asset numbers',
    section: '§4.8',
    service: 'order',
    request: NUMBERS_FIELDS,
    needsAppKey: false,
    reply: { kind: 'string array' },
  },
  activity: {
    number: 10,
    method: 'POST',
    path: '/activity/services/activity',
    purpose: 'Takes part in an activity and claims its products',
    section: '§4.9',
    service: 'activity',
    request: ACTIVITY_FIELDS,
    needsAppKey: false,
    reply: { kind: 'object', fields: ACTIVITY_RESULT_FIELDS },
  },
};
