import type { Json, JsonObject } from '../../model/json.js';
import type { AssetContent, EffectOf, OrderContent, ProductContent } from '../state/effect.js';
import type { Asset, Product, State } from '../state/state.js';
import { type Call, type Decision, textOf } from './decision.js';
import { nextCustomerId } from './enterprise.js';
import { orderContent } from './order-content.js';
import { deletionObstacle, holdsOf, meant, orderProblems } from './order-rules.js';

/** Endpoint 5 (§4.5): all orders of the request are carried out, or none. */
export function decideOrders(state: State, { body }: Call): Decision {
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

/** A customer unknown so far is taken as the order gives it. */
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

/** One for all, as most assets have none. */
const NO_EXTENDS: AssetContent['extends'] = [];

interface Carrying {
  readonly order: OrderContent;
  readonly licenseOrderId: string;
  readonly customerId: string;
  readonly at: number;
}

/** Member by member, as a spread would give every product a hidden class of its own. */
function boughtProduct(content: ProductContent, licenseOrderId: string): Product {
  const { productUri, crmProductId, limitStartDate, limitEndDate, limitConcurrent } = content;
  return { productUri, crmProductId, licenseOrderId, limitStartDate, limitEndDate, limitConcurrent };
}

function buy(state: State, assetNum: string, entry: AssetContent, carrying: Carrying): void {
  const { order, licenseOrderId, customerId, at } = carrying;
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
    state.counts.assetsCreated += 1;
  } else if (entry.transferred) {
    state.moveAsset(asset, customerId, order.enterpriseGlobalId);
  }
  if (entry.limitStartDate !== undefined) asset.limitStart = entry.limitStartDate;
  if (entry.limitEndDate !== undefined) asset.limitEnd = entry.limitEndDate;
  const added = entry.products.map((it) => boughtProduct(it, licenseOrderId));
  asset.products = asset.products.length === 0 ? added : [...asset.products, ...added];
  asset.updatedAt = at;
}

function keepProducts(state: State, asset: Asset, kept: readonly Product[], at: number): void {
  state.counts.productsRevoked += asset.products.length - kept.length;
  asset.products = kept;
  asset.updatedAt = at;
}

/** Without a source order the asset goes; with one, what came with that order, and the asset once it is empty. */
function deleteAsset(state: State, asset: Asset, { order, at }: Carrying): void {
  const source = order.srcLicenseOrderId;
  if (!holdsOf(asset, source)) return;
  const kept = source ? asset.products.filter((it) => it.licenseOrderId !== source) : [];
  keepProducts(state, asset, kept, at);
  if (kept.length > 0) return;
  state.revokeAsset(asset);
  state.counts.assetsRevoked += 1;
}

function deleteProducts(state: State, asset: Asset, entry: AssetContent, { order, at }: Carrying): void {
  const kept = asset.products.filter(
    (has) => !entry.products.some((it) => meant(it, has, order.srcLicenseOrderId)),
  );
  keepProducts(state, asset, kept, at);
}

function carryOut(state: State, carrying: Carrying): void {
  for (const entry of carrying.order.assets) {
    for (const assetNum of entry.assetNos) {
      const asset = state.assets.get(assetNum);
      if (carrying.order.orderType === 'new_buy') buy(state, assetNum, entry, carrying);
      else if (asset && carrying.order.orderType === 'delete_asset') deleteAsset(state, asset, carrying);
      else if (asset) deleteProducts(state, asset, entry, carrying);
    }
  }
}

/** Carried out as often as it is sent: nothing in the interface says that a repeated order number is noticed. */
export function applyOrders(state: State, effect: EffectOf<'orders'>, at: number): Json {
  return effect.orders.map((order) => {
    const { licenseOrderId } = state.orders.add(effect.channelCode, effect.channelOrderId, order);
    const customerId = customerIdOf(state, effect.channelCode, order);
    carryOut(state, { order, licenseOrderId, customerId, at });
    return { sequence: order.sequence, licenseOrderId, customerId };
  });
}
