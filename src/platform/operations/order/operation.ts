import type { Json } from '../../../model/json.js';
import type { Operation, OperationName } from '../../../model/operation.js';
import { composeOrders } from './compose.js';
import { readOrders } from './read.js';
import { orderRules } from './rules.js';
import { ORDER_SHAPES, type OrderType } from './shape.js';
import { BATCH_ORDER_ENDPOINT } from './wire.js';

/** What the three order types have in common; they differ in shape, in rules and in what they revoke. */
export function orderOperation(
  type: OrderType,
  own: Pick<Operation, 'purpose' | 'revokes' | 'wayBack' | 'lookup'>,
): Operation {
  const endpoint = BATCH_ORDER_ENDPOINT;
  const shape = ORDER_SHAPES[type];
  return {
    name: `order.${type}` satisfies OperationName,
    ...own,
    endpoint,
    repeatable: false,
    shape,
    place: { kind: 'array', field: 'orderList' },
    envelope: ['channelCode', 'channelOrderId', 'syncMode'],
    batch: { size: 1, fixed: false },
    key: 'order',
    subject: undefined,
    resultColumns: ['customerId'],
    rules: (content, settings) => orderRules(type, content, settings),
    compose: (envelope, bodies, context) => composeOrders(endpoint, shape, envelope, bodies, context),
    read: (reply: Json, sent) => readOrders(reply, sent),
  };
}
