import { REVOKING } from '../order/words.js';
import type { OperationWords } from '../shared/words.js';

export const DELETE_ASSET_WORDS: OperationWords = {
  purpose: '撤销资产',
  examples: { srcLicenseOrderId: ['LO-SEED-0001', 'LO-SEED-0002'] },
  task: 'revoke',
  clues: REVOKING,
  essential: ['assetNos'],
};
