import { ACTIVITY_ENDPOINT } from '../../src/platform/operations/activity/activity.endpoint.js';
import {
  LIST_ENDPOINT,
  LOCK_ENDPOINT,
  NUMBERS_ENDPOINT,
  UNLOCK_ENDPOINT,
} from '../../src/platform/operations/asset/asset.endpoint.js';
import {
  BIND_ENDPOINT,
  CREATE_ENDPOINT,
  QUERY_ENDPOINT,
  UPDATE_ENDPOINT,
} from '../../src/platform/operations/enterprise/enterprise.endpoint.js';
import { BATCH_ORDER_ENDPOINT } from '../../src/platform/operations/order/order.endpoint.js';

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
