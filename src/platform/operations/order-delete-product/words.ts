import { REVOKING } from '../order/words.js';
import type { OperationWords } from '../shared/words.js';

export const DELETE_PRODUCT_WORDS: OperationWords = {
  purpose: '撤销产品',
  examples: {
    srcLicenseOrderId: ['LO-SEED-0001', 'LO-SEED-0002'],
    crmProductId: ['CRMP-0001-1', 'CRMP-0002-1'],
    limitConcurrent: 5,
  },
  task: 'revoke',
  clues: REVOKING,
  essential: ['productUri', 'crmProductId'],
};
