import type { Field } from '../../../model/field.js';
import { isObject, type Json, type JsonObject, member } from '../../../model/json.js';
import type { ComposeContext, Endpoint, WireRequest } from '../../../model/operation.js';
import { composeRequest } from '../shared/compose.js';
import { isGiven } from '../shared/rule-report.js';

/** One batch order request. `channelOrderId` is the mapped one, else the batch's own. */
export function composeOrders(
  endpoint: Endpoint,
  shape: readonly Field[],
  envelope: JsonObject,
  bodies: readonly Json[],
  context: ComposeContext,
): WireRequest {
  const mapped = member(envelope, 'channelOrderId');
  const channelOrderId = mapped !== undefined && isGiven(mapped) ? mapped : context.channelOrderId;
  return composeRequest(
    endpoint,
    shape,
    { ...envelope, channelOrderId, orderList: inSequence(bodies) },
    context,
  );
}

/**
 * Gives every order a number of its own within the request: the reply is matched by it, and two orders under one
 * number could never be told apart again. Orders without one, and repeats of one, get the lowest free number.
 */
function inSequence(bodies: readonly Json[]): readonly JsonObject[] {
  const orders = bodies.map((it) => (isObject(it) ? it : {}));
  const taken = new Set<string>();
  const kept = orders.map((order) => {
    const mapped = member(order, 'sequence');
    const own = mapped !== undefined && !taken.has(String(mapped));
    if (own) taken.add(String(mapped));
    return own;
  });
  let next = 1;
  return orders.map((order, index) => {
    if (kept[index]) return order;
    while (taken.has(String(next))) next += 1;
    taken.add(String(next));
    return { ...order, sequence: next };
  });
}
