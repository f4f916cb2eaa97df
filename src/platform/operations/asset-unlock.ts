import { lockOperation } from './lock-operation.js';

export const ASSET_UNLOCK = lockOperation('unlock', 'Enables physical locks');
