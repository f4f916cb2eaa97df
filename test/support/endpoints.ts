import { ACTIVITY_ENDPOINT } from '../../src/platform/operations/activity-participate/wire.js';
import { LIST_ENDPOINT } from '../../src/platform/operations/asset-list/wire.js';
import { NUMBERS_ENDPOINT } from '../../src/platform/operations/asset-numbers/wire.js';
import { BIND_ENDPOINT } from '../../src/platform/operations/enterprise-bind/wire.js';
import { CREATE_ENDPOINT } from '../../src/platform/operations/enterprise-create/wire.js';
import { QUERY_ENDPOINT } from '../../src/platform/operations/enterprise-query/wire.js';
import { UPDATE_ENDPOINT } from '../../src/platform/operations/enterprise-update/wire.js';
import { LOCK_ENDPOINT, UNLOCK_ENDPOINT } from '../../src/platform/operations/lock/wire.js';
import { BATCH_ORDER_ENDPOINT } from '../../src/platform/operations/order/wire.js';

/** The endpoints of §4.2, in its order, by the names that the sandbox counts them under. */
export const ENDPOINTS = {
  bind: BIND_ENDPOINT,
  create: CREATE_ENDPOINT,
  query: QUERY_ENDPOINT,
  update: UPDATE_ENDPOINT,
  batchOrder: BATCH_ORDER_ENDPOINT,
  lock: LOCK_ENDPOINT,
  unlock: UNLOCK_ENDPOINT,
  assetList: LIST_ENDPOINT,
  assetNumbers: NUMBERS_ENDPOINT,
  activity: ACTIVITY_ENDPOINT,
};

export type EndpointName = keyof typeof ENDPOINTS;
