import type { ShapeProblem } from '../../../model/field.js';
import type { Json, JsonObject } from '../../../model/json.js';
import type { AssetContent, OrderContent, ProductContent } from '../../simulated/order-book.js';
import {
  type Call,
  type Effect,
  type SimulatedDecision,
  type Simulation,
  textOf,
} from '../../simulated/simulation.js';
import type { Asset, Product, State } from '../../simulated/state.js';
import { nextCustomerId } from '../enterprise/enterprise.sandbox.js';
import { BATCH_ORDER_ENDPOINT } from './order.endpoint.js';
import {
  belongsToOrder,
  deletionObstacle,
  matchesProduct,
  orderContent,
  orderProblems,
} from './order.sandbox-rules.js';

interface OrdersEffect extends Effect {
  readonly kind: 'orders';
  readonly channelCode: string;
  readonly channelOrderId: string;
  readonly orders: readonly OrderContent[];
}

/** The interface's own examples of delete orders omit these (§2.3, last point); not enforced there. */
const LEFT_OUT_ON_DELETE = new Set(['customerId', 'crmCustomerId', 'passwordMobile', 'address']);
/** Required fields of a product of a delete_product order. */
const NAMED_ON_DELETE = new Set(['crmProductId', 'productUri']);

/** Delete orders have a shorter form (§2.3, shapes of the three order types). */
function lenient(problem: ShapeProblem, body: JsonObject): boolean {
  if (problem.problem !== 'missing') return false;
  const match = /^orderList\[(\d+)\]\.(.*)$/.exec(problem.path);
  if (!match) return false;
  const order = (body.orderList as readonly JsonObject[])[Number(match[1])];
  const rest = match[2]!;
  if (order?.orderType !== 'delete_asset' && order?.orderType !== 'delete_product') return false;
  if (LEFT_OUT_ON_DELETE.has(rest)) return true;
  const product = /^assets\[\d+\]\.(products|merchandises)\[\d+\]\.(.*)$/.exec(rest);
  if (!product) return false;
  return order.orderType === 'delete_asset' || !NAMED_ON_DELETE.has(product[2]!);
}

/** All orders of the request are executed, or none. */
function decide(state: State, { body }: Call): SimulatedDecision<OrdersEffect> {
  const orders = (body.orderList as readonly JsonObject[]).map(orderContent);
  const problems = orderProblems(orders);
  if (problems.length > 0) return { kind: 'invalid', problems };
  for (const [index, order] of orders.entries()) {
    if (order.orderType === 'new_buy') continue;
    const obstacle = deletionObstacle(state, order, `orderList[${index}]`);
    if (obstacle) return obstacle;
  }
  return {
    kind: 'effect',
    effect: {
      kind: 'orders',
      channelCode: textOf(body, 'channelCode'),
      channelOrderId: textOf(body, 'channelOrderId'),
      orders,
    },
  };
}

/** An unknown customer is created with the data of the order. */
function customerIdOf(state: State, channelCode: string, order: OrderContent): string {
  const known =
    state.customers.get(order.customerId) ??
    state.crmCustomers(order.crmCustomerId)[0] ??
    state.channelCustomers(channelCode, order.channelCustomerId)[0] ??
    firstAsset(state, order);
  if (order.customerId && known?.customerId === order.customerId) return order.customerId;
  if (!order.customerId && known) return known.customerId;
  const customerId = order.customerId || nextCustomerId(state);
  state.addCustomer({
    customerId,
    crmCustomerId: order.crmCustomerId,
    channelCode,
    channelCustomerId: order.channelCustomerId,
    enterpriseGlobalId: order.enterpriseGlobalId,
    isDefault: known === undefined,
    name: order.customerName,
    branchName: order.branchName,
    address: order.address,
  });
  return customerId;
}

function firstAsset(state: State, order: OrderContent): Asset | undefined {
  return state.assets.get(order.assets[0]?.assetNos[0] ?? '');
}

/** Shared by all assets without any, as most have none. */
const NO_EXTENDS: AssetContent['extends'] = [];

interface OrderExecution {
  readonly order: OrderContent;
  readonly licenseOrderId: string;
  readonly customerId: string;
  readonly at: number;
}

/** Member by member, as a spread would create a separate hidden class for every product. */
function boughtProduct(content: ProductContent, licenseOrderId: string): Product {
  const { productUri, crmProductId, limitStartDate, limitEndDate, limitConcurrent } = content;
  return { productUri, crmProductId, licenseOrderId, limitStartDate, limitEndDate, limitConcurrent };
}

function addPurchase(state: State, assetNum: string, entry: AssetContent, execution: OrderExecution): void {
  const { order, licenseOrderId, customerId, at } = execution;
  let asset = state.assets.get(assetNum);
  if (!asset) {
    asset = {
      assetNum,
      licenseType: order.licenseType,
      licenseOrderId,
      createdAt: at,
      customerId,
      enterpriseGlobalId: order.enterpriseGlobalId,
      updatedAt: at,
      locked: false,
      freezing: false,
      borrowed: entry.borrowed,
      extends: entry.extends.length > 0 ? entry.extends : NO_EXTENDS,
      products: [],
    };
    state.addAsset(asset);
    state.count('assetsCreated');
  } else if (entry.transferred) {
    state.moveAsset(asset, customerId, order.enterpriseGlobalId);
  }
  if (entry.limitStartDate !== undefined) asset.limitStart = entry.limitStartDate;
  if (entry.limitEndDate !== undefined) asset.limitEnd = entry.limitEndDate;
  const added = entry.products.map((it) => boughtProduct(it, licenseOrderId));
  asset.products = asset.products.length === 0 ? added : [...asset.products, ...added];
  asset.updatedAt = at;
}

function setProducts(state: State, asset: Asset, remaining: readonly Product[], at: number): void {
  state.count('productsRevoked', asset.products.length - remaining.length);
  asset.products = remaining;
  asset.updatedAt = at;
}

/** Without a source order, removes the asset; with one, the products of that order, and the asset once it is empty. */
function deleteAsset(state: State, asset: Asset, { order, at }: OrderExecution): void {
  const source = order.srcLicenseOrderId;
  if (!belongsToOrder(asset, source)) return;
  const remaining = source ? asset.products.filter((it) => it.licenseOrderId !== source) : [];
  setProducts(state, asset, remaining, at);
  if (remaining.length > 0) return;
  state.revokeAsset(asset);
  state.count('assetsRevoked');
}

function deleteProducts(
  state: State,
  asset: Asset,
  entry: AssetContent,
  { order, at }: OrderExecution,
): void {
  const remaining = asset.products.filter(
    (has) => !entry.products.some((it) => matchesProduct(it, has, order.srcLicenseOrderId)),
  );
  setProducts(state, asset, remaining, at);
}

function applyToAssets(state: State, execution: OrderExecution): void {
  for (const entry of execution.order.assets) {
    for (const assetNum of entry.assetNos) {
      const asset = state.assets.get(assetNum);
      if (execution.order.orderType === 'new_buy') addPurchase(state, assetNum, entry, execution);
      else if (asset && execution.order.orderType === 'delete_asset') deleteAsset(state, asset, execution);
      else if (asset) deleteProducts(state, asset, entry, execution);
    }
  }
}

/** Executed as often as it is sent: the interface does not say that a repeated order number is detected. */
function apply(state: State, effect: OrdersEffect, at: number): Json {
  return effect.orders.map((order) => {
    const { licenseOrderId } = state.orders.add(effect.channelCode, effect.channelOrderId, order);
    const customerId = customerIdOf(state, effect.channelCode, order);
    applyToAssets(state, { order, licenseOrderId, customerId, at });
    return { sequence: order.sequence, licenseOrderId, customerId };
  });
}

/** One endpoint for the three order types (§4.5). */
export const ORDER_SIMULATION: Simulation<OrdersEffect> = {
  name: 'batchOrder',
  endpoint: BATCH_ORDER_ENDPOINT,
  effect: 'orders',
  counts: ['assetsCreated', 'assetsRevoked', 'productsRevoked'],
  choices: [
    {
      section: '§2.3',
      text: 'Delete orders need neither customerId, crmCustomerId, passwordMobile and address, nor any product field beyond crmProductId and productUri (and what strict matching compares).',
    },
    {
      section: '§2.8',
      text: 'Any text will do as productType, timeUnit and featureValueType.',
    },
    {
      section: '§4.5',
      text: 'A batch order is executed completely or not at all. A repeated channelOrderId is executed again, and counted as a duplicate where sequence and content agree too.',
    },
    {
      section: '§4.5.1',
      text: 'async orders are executed at once, and the reply is that of sync.',
    },
    {
      section: '§4.5.2',
      text: 'Customers that the sandbox does not know are taken as the order gives them. A known asset keeps its owner unless transferedAssetNum is true, and gains the products.',
    },
    {
      section: '§4.5.3',
      text: 'A delete order for an asset number that the sandbox has never seen is executed without effect. With a srcLicenseOrderId that has nothing on a known asset it is refused with 20003; without one, everything named goes, from whichever order it came.',
    },
    {
      section: '§4.5.5',
      text: 'The product mnemonic is productUri. Strict matching compares limitStartDate, limitEndDate and limitConcurrent and needs all three. A product that a known asset does not have is refused with 20002.',
    },
  ],
  lenient,
  decide,
  apply,
};
