import type { EndpointName } from '../../platform/wire/endpoints.js';
import type { State } from '../state/state.js';
import { decideClaim } from './activity.js';
import { decideList, decideNumbers } from './assets.js';
import type { Call, Decision } from './decision.js';
import { decideBind, decideCreate, decideQuery, decideUpdate } from './enterprise.js';
import { decideLock } from './locks.js';
import { decideOrders } from './orders.js';

/** What each endpoint makes of a request whose shape has been checked. Changes nothing. */
export const DECIDE: Readonly<Record<EndpointName, (state: State, call: Call) => Decision>> = {
  bind: decideBind,
  create: decideCreate,
  query: decideQuery,
  update: decideUpdate,
  batchOrder: decideOrders,
  lock: decideLock('lock'),
  unlock: decideLock('unlock'),
  assetList: decideList,
  assetNumbers: decideNumbers,
  activity: decideClaim,
};
