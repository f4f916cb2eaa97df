import { message } from '../../../errors/message.js';
import { isObject, member } from '../../../model/json.js';
import { orderOperation } from '../order/operation.js';
import { orderQuestion } from '../order/verify-question.js';
import { elements } from '../shared/rule-report.js';

export const ORDER_DELETE_ASSET = orderOperation('delete_asset', {
  purpose: 'Revokes assets with all that they hold',
  verifyBy: (body) => orderQuestion(body, true),
  wayBack: { kind: 'none', reason: message('way_back.revoked') },
  revokes: (body) => {
    if (!isObject(body)) return 0;
    return elements(body, 'assets', '').reduce((sum, { value }) => {
      const numbers = member(value, 'assetNos');
      return sum + (Array.isArray(numbers) ? numbers.length : 0);
    }, 0);
  },
});
