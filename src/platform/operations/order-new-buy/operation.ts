import { orderOperation } from '../order/operation.js';

export const ORDER_NEW_BUY = orderOperation('new_buy', {
  purpose: 'Orders new licences: products and packages for assets',
});
