import { lockOperation } from '../lock/operation.js';
import { LOCK_ENDPOINT } from '../lock/wire.js';

export const ASSET_LOCK = lockOperation({
  name: 'asset.lock',
  purpose: 'Disables physical locks',
  back: 'asset.unlock',
  endpoint: LOCK_ENDPOINT,
});
