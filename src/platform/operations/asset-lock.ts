import { lockOperation } from './lock-operation.js';

export const ASSET_LOCK = lockOperation('lock', 'Disables physical locks');
