import { message } from '../../../errors/message.js';
import { isObject } from '../../../model/json.js';
import { orderOperation } from '../order/operation.js';
import { elements } from '../shared/rule-report.js';

export const ORDER_DELETE_PRODUCT = orderOperation('delete_product', {
  purpose: 'Revokes single products of assets',
  wayBack: { kind: 'none', reason: message('way_back.revoked') },
  revokes: (body) => {
    if (!isObject(body)) return 0;
    return elements(body, 'assets', '').reduce(
      (sum, { value, path }) => sum + elements(value, 'products', path).length,
      0,
    );
  },
});
