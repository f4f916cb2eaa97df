import { message } from '../../../errors/message.js';
import { isObject, type Json, type JsonObject, member } from '../../../model/json.js';
import type { Operation, OperationName, ReplyReading, WireRequest } from '../../../model/operation.js';
import type { ItemOutcome } from '../../../model/outcome.js';
import { composeRequest } from '../shared/compose.js';
import { isPossibleId } from '../shared/possible-ids.js';
import { readByName } from '../shared/read-by-name.js';
import { columnsOf } from '../shared/records.js';
import { sentKeys } from '../shared/reply-keys.js';
import { returnedFields } from '../shared/returned-fields.js';
import { assetNumbers, isGiven, textOf } from '../shared/rule-report.js';
import { orderRules } from './rules.js';
import { ORDER_SHAPES, type OrderType } from './shape.js';
import { BATCH_ORDER_ENDPOINT } from './wire.js';

const RESULT_COLUMNS = ['customerId'];

/** What the three order types have in common; they differ in shape, in rules and in what they revoke. */
export function orderOperation(
  type: OrderType,
  own: Pick<Operation, 'purpose' | 'revokes' | 'wayBack' | 'verifyBy'>,
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
    // A customer's orders build on each other, and so do those of a lock.
    touches: (body) => [...customersOf(body), ...assetNumbers(body).map((it) => `asset ${it}`)],
    gives: {
      ids: ({ licenseOrderId }) => (licenseOrderId === undefined ? [] : [`order ${licenseOrderId}`]),
      // A revocation may be confirmed with the id of the order that it changed.
      acrossRuns: type === 'new_buy',
    },
    resultColumns: RESULT_COLUMNS,
    returns: returnedFields({ endpoint, resultColumns: ['licenseOrderId', ...RESULT_COLUMNS] }),
    rules: (content, settings) => orderRules(type, content, settings),
    compose: (envelope, bodies, context) => {
      // The mapped one, else the batch's own.
      const mapped = member(envelope, 'channelOrderId');
      const channelOrderId = mapped !== undefined && isGiven(mapped) ? mapped : context.channelOrderId;
      const request = { ...envelope, channelOrderId, orderList: inSequence(bodies) };
      return composeRequest(endpoint, shape, request, context);
    },
    read: readOrders,
  };
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

/** §2.4: orders by the `sequence` that was sent. Taken asynchronously, their outcome is still open (§4.5.1). */
function readOrders(reply: Json, sent: WireRequest): ReplyReading {
  const status = sent.body?.syncMode === 'async' ? 'accepted' : 'succeeded';
  const orders = sentOrders(sent);
  return readByName(reply, {
    endpoint: BATCH_ORDER_ENDPOINT,
    names: [...orders.keys()],
    nameField: 'sequence',
    keys: (sequence) => sentKeys(BATCH_ORDER_ENDPOINT, sent, orders.get(sequence)),
    outcome: (element) => orderOutcome(element, status),
    foreign: (sequence) => message('operation.foreign_sequence', { sequence }),
  });
}

/** An order without an id can't be followed up, so it doesn't count as confirmed. */
function orderOutcome(element: JsonObject, status: 'accepted' | 'succeeded'): ItemOutcome {
  const licenseOrderId = textOf(element, 'licenseOrderId').trim();
  if (!isPossibleId(licenseOrderId)) {
    const params = { field: 'licenseOrderId', value: licenseOrderId };
    return { status: 'unknown', code: '0', message: message('operation.impossible_id', params) };
  }
  const columns = columnsOf(element, RESULT_COLUMNS);
  return {
    status,
    licenseOrderId,
    code: '0',
    columns: Object.fromEntries(Object.entries(columns).filter(([, id]) => isPossibleId(id))),
  };
}

/** The orders of a request by their sequence. */
function sentOrders(sent: WireRequest): ReadonlyMap<string, JsonObject> {
  const orders = sent.body?.orderList;
  if (!Array.isArray(orders)) return new Map();
  return new Map(orders.map((it: Json) => (isObject(it) ? [String(it.sequence), it] : ['', {}])));
}

/**
 * The customer of an order, by all that names one: a map may give every row the same id, and then the names tell who is
 * meant.
 */
function customersOf(order: Json): readonly string[] {
  const named = CUSTOMER.map((field) => textOf(order, field));
  return named.some((it) => it !== '') ? [`customer ${JSON.stringify(named)}`] : [];
}

const CUSTOMER = ['customerId', 'crmCustomerId', 'channelCustomerId', 'customerName'];
