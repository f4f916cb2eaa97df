import { message } from '../../../errors/message.js';
import { orderOperation } from '../order/operation.js';
import { orderQuestion } from '../order/verify-question.js';
import { undoPurchase } from './undo-purchase.js';

export const ORDER_NEW_BUY = orderOperation('new_buy', {
  purpose: 'Orders new licences: products and packages for assets',
  verifyBy: (body) => orderQuestion(body, false),
  wayBack: {
    kind: 'operation',
    operation: 'order.delete_asset',
    caution: message('way_back.purchase'),
    undo: undoPurchase,
  },
});
