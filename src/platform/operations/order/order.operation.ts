import { type Code, message } from '../../../errors/message.js';
import type { ItemOutcome, ItemStatus } from '../../../model/item.js';
import { isObject, type Json, type JsonObject, member } from '../../../model/json.js';
import type {
  ItemContent,
  Operation,
  OperationName,
  ReplyReading,
  ReversalItem,
  VerifyQuestion,
  WireRequest,
} from '../../../model/operation.js';
import { plainText } from '../../../util/text.js';
import { isPossibleId, readByName, returnedFields } from '../shared/reading.js';
import { columnsOf } from '../shared/records.js';
import { sentKeys } from '../shared/reply-keys.js';
import { assetNumbers, hasValue, objectElements, textOf } from '../shared/rule-report.js';
import { composeRequest } from '../shared/single-operation.js';
import { BATCH_ORDER_ENDPOINT, CLOUD_LICENSE_TYPES } from './order.endpoint.js';
import { ORDER_SHAPES, type OrderType, orderRules } from './order.shape.js';

/**
 * Outcomes that can be reverted. The revocation of an order that is only `accepted` has the same `syncMode`, so the
 * platform processes it after the order. It names the licence order, so it changes nothing else if the purchase fails.
 */
const REVERTIBLE: ReadonlySet<ItemStatus> = new Set(['succeeded', 'accepted']);

/**
 * The order that revokes a purchase: all its assets, by the licence order that it became (§4.5.3), so that assets of
 * other orders stay. It gets a new order number when it is sent.
 */
export function revertPurchase(sent: ItemContent, outcome: ItemOutcome): ReversalItem {
  return revertBy('delete_asset', sent, outcome, (body) => [{ assetNos: [...assetNumbers(body)] }]);
}

/**
 * The order that revokes an extension of an existing lock: only its products are revoked, including those of packages.
 * The interface does not specify what the platform does with an asset without products (§4.5).
 */
export function revertExtension(sent: ItemContent, outcome: ItemOutcome): ReversalItem {
  return revertBy('delete_product', sent, outcome, (body) =>
    objectElements(body, 'assets', '').map(({ value }) => ({
      assetNos: member(value, 'assetNos') ?? [],
      products: productsOf(value).map((it) => fieldsOf(it, REVOKED_PRODUCT)),
    })),
  );
}

const REVOKED_PRODUCT = ['crmProductId', 'productUri', 'limitStartDate', 'limitEndDate', 'limitConcurrent'];

function revertBy(
  type: 'delete_asset' | 'delete_product',
  { envelope, body }: ItemContent,
  outcome: ItemOutcome,
  assetsOf: (body: JsonObject) => readonly Json[],
): ReversalItem {
  if (!REVERTIBLE.has(outcome.status) || !isObject(body)) return notRevertible('way_back.not_done');
  const { licenseOrderId } = outcome;
  if (!hasValue(licenseOrderId)) return notRevertible('way_back.no_order_id');
  if (transfersAnything(body)) return notRevertible('way_back.moved');
  if (assetNumbers(body).length === 0) return notRevertible('way_back.no_assets');
  const assets = [...assetsOf(body)];
  const order = { ...ofRevocations(type, body), srcLicenseOrderId: licenseOrderId!, assets };
  const { channelOrderId: _, ...otherFields } = envelope;
  return { kind: 'item', content: { envelope: otherFields, body: order } };
}

function notRevertible(code: Extract<Code, `way_back.${string}`>): ReversalItem {
  return { kind: 'none', reason: message(code) };
}

/** True if the order transfers an asset or a product from elsewhere: a revocation would not return it. */
function transfersAnything(order: JsonObject): boolean {
  return objectElements(order, 'assets', '').some(
    ({ value }) =>
      member(value, 'transferedAssetNum') === true ||
      productsOf(value).some((it) => hasValue(member(it, 'srcLicenseOrderId'))),
  );
}

/** Products of an asset, and of its packages at any depth. */
function productsOf(asset: JsonObject): readonly JsonObject[] {
  const packages = (owner: JsonObject, name: string): readonly JsonObject[] =>
    objectElements(owner, name, '').flatMap(({ value }) => [
      ...objectElements(value, 'licenseOrderProductList', '').map((it) => it.value),
      ...packages(value, 'children'),
    ]);
  return [...objectElements(asset, 'products', '').map((it) => it.value), ...packages(asset, 'merchandises')];
}

/** The fields of a revocation that name the customer: the same as in the purchase. */
function ofRevocations(type: 'delete_asset' | 'delete_product', order: JsonObject): JsonObject {
  const fields = ORDER_SHAPES[type].find((it) => it.name === 'orderList')?.fields ?? [];
  const same = fields.filter((it) => !it.generated && it.default === undefined && it.name !== 'assets');
  return fieldsOf(
    order,
    same.map((it) => it.name),
  );
}

function fieldsOf(owner: JsonObject, names: readonly string[]): JsonObject {
  const picked: Record<string, Json> = {};
  for (const name of names) {
    const value = member(owner, name);
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

const RESULT_COLUMNS = ['customerId'];

/** The common part of the three order types; they differ in shape, rules and revocation. */
export function orderOperation(
  type: OrderType,
  specific: Pick<Operation, 'purpose' | 'revokes' | 'reversal' | 'verifyBy'>,
): Operation {
  const endpoint = BATCH_ORDER_ENDPOINT;
  const shape = ORDER_SHAPES[type];
  return {
    name: `order.${type}` satisfies OperationName,
    ...specific,
    endpoint,
    repeatable: false,
    shape,
    place: { kind: 'array', field: 'orderList' },
    envelope: ['channelCode', 'channelOrderId', 'syncMode'],
    batch: { size: 1, fixed: false },
    key: 'order',
    subject: undefined,
    // A customer's orders depend on each other, and so do those of a lock.
    touches: (body) => [...customersOf(body), ...assetNumbers(body).map((it) => `asset ${it}`)],
    gives: {
      ids: ({ licenseOrderId }) => (licenseOrderId === undefined ? [] : [`order ${licenseOrderId}`]),
      // A revocation may be confirmed with the id of the order that it changed.
      acrossRuns: type === 'new_buy',
    },
    namesAssets: [],
    resultColumns: RESULT_COLUMNS,
    returns: returnedFields({ endpoint, resultColumns: ['licenseOrderId', ...RESULT_COLUMNS] }),
    rules: (content, settings) => orderRules(type, content, settings),
    compose: (envelope, bodies, context) => {
      // The mapped number, otherwise the batch's.
      const mapped = member(envelope, 'channelOrderId');
      const channelOrderId = mapped !== undefined && hasValue(mapped) ? mapped : context.channelOrderId;
      const request = { ...envelope, channelOrderId, orderList: inSequence(bodies) };
      return composeRequest(endpoint, shape, request, context);
    },
    read: readOrders,
  };
}

/**
 * Gives every order a unique number within the request: the reply is matched by it, and two orders with the same number
 * could not be distinguished. Orders without one, and repeats of one, get the lowest free number.
 */
function inSequence(bodies: readonly Json[]): readonly JsonObject[] {
  const orders = bodies.map((it) => (isObject(it) ? it : {}));
  const used = new Set<string>();
  const keepsNumber = orders.map((order) => {
    const mapped = member(order, 'sequence');
    const isUnique = mapped !== undefined && !used.has(String(mapped));
    if (isUnique) used.add(String(mapped));
    return isUnique;
  });
  let next = 1;
  return orders.map((order, index) => {
    if (keepsNumber[index]) return order;
    while (used.has(String(next))) next += 1;
    used.add(String(next));
    return { ...order, sequence: next };
  });
}

/** §2.4: orders by the `sequence` that was sent. The outcome of asynchronous orders is still open (§4.5.1). */
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

/** An order without an id cannot be followed up, so it is not treated as confirmed. */
function orderOutcome(element: JsonObject, status: 'accepted' | 'succeeded'): ItemOutcome {
  const licenseOrderId = textOf(element, 'licenseOrderId').trim();
  if (!isPossibleId(licenseOrderId)) {
    const params = { field: 'licenseOrderId', value: plainText(licenseOrderId, 100) };
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

function sentOrders(sent: WireRequest): ReadonlyMap<string, JsonObject> {
  const orders = sent.body?.orderList;
  if (!Array.isArray(orders)) return new Map();
  return new Map(orders.map((it: Json) => (isObject(it) ? [String(it.sequence), it] : ['', {}])));
}

/**
 * The customer of an order, by all fields that name one: a map may give every row the same id, and then only the names
 * distinguish customers.
 */
function customersOf(order: Json): readonly string[] {
  const named = CUSTOMER.map((field) => textOf(order, field));
  return named.some((it) => it !== '') ? [`customer ${JSON.stringify(named)}`] : [];
}

const CUSTOMER = ['customerId', 'crmCustomerId', 'channelCustomerId', 'customerName'];

/** Orders of cloud licence types, by the asset list of their enterprise, which shows no others (§4.7). */
function orderQuestion(body: Json, revokes: boolean): VerifyQuestion {
  const type = textOf(body, 'licenseType');
  if (!CLOUD_LICENSE_TYPES.has(type)) {
    return { kind: 'none', reason: message('resolve.no_lookup_for_type', { type }) };
  }
  const enterpriseGlobalId = textOf(body, 'enterpriseGlobalId');
  const numbers = assetNumbers(body);
  if (enterpriseGlobalId === '' || numbers.length === 0) {
    return { kind: 'none', reason: message('resolve.nothing_to_look_up') };
  }
  return { kind: 'assets', enterpriseGlobalId, numbers, revokes };
}

export const ORDER_DELETE_ASSET = orderOperation('delete_asset', {
  purpose: 'Revokes assets with all that they hold',
  verifyBy: (body) => orderQuestion(body, true),
  reversal: { kind: 'none', reason: message('way_back.revoked') },
  revokes: (body) => {
    if (!isObject(body)) return 0;
    return objectElements(body, 'assets', '').reduce((sum, { value }) => {
      const numbers = member(value, 'assetNos');
      return sum + (Array.isArray(numbers) ? numbers.length : 0);
    }, 0);
  },
});

export const ORDER_DELETE_PRODUCT = orderOperation('delete_product', {
  purpose: 'Revokes single products of assets',
  reversal: { kind: 'none', reason: message('way_back.revoked') },
  revokes: (body) => {
    if (!isObject(body)) return 0;
    return objectElements(body, 'assets', '').reduce(
      (sum, { value, path }) => sum + objectElements(value, 'products', path).length,
      0,
    );
  },
});

export const ORDER_NEW_BUY = orderOperation('new_buy', {
  purpose: 'Orders new licences: products and packages for assets',
  verifyBy: (body) => orderQuestion(body, false),
  reversal: {
    kind: 'operation',
    operation: 'order.delete_asset',
    caution: message('way_back.purchase'),
    undo: revertPurchase,
    ofExtension: { operation: 'order.delete_product', undo: revertExtension },
  },
});
