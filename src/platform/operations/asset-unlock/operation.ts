import { lockOperation } from '../lock/operation.js';
import { UNLOCK_ENDPOINT } from '../lock/wire.js';

export const ASSET_UNLOCK = lockOperation({
  name: 'asset.unlock',
  purpose: 'Enables physical locks',
  back: 'asset.lock',
  endpoint: UNLOCK_ENDPOINT,
});
