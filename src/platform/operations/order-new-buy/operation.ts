import { message } from '../../../errors/message.js';
import { orderLookup } from '../order/lookup.js';
import { orderOperation } from '../order/operation.js';
import { undoPurchase } from './undo-purchase.js';

export const ORDER_NEW_BUY = orderOperation('new_buy', {
  purpose: 'Orders new licences: products and packages for assets',
  lookup: (body) => orderLookup(body, false),
  wayBack: {
    kind: 'operation',
    operation: 'order.delete_asset',
    caution: message('way_back.purchase'),
    undo: undoPurchase,
  },
});
