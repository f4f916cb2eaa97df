import { type Code, message } from '../../../errors/message.js';
import { isObject, type Json, type JsonObject, member } from '../../../model/json.js';
import type { ItemContent, UndoingItem } from '../../../model/operation.js';
import type { ItemOutcome } from '../../../model/outcome.js';
import { ORDER_SHAPES } from '../order/shape.js';
import { elements, isGiven } from '../shared/rule-report.js';

/**
 * The order that revokes what a purchase brought: its products, found by the licence order that they came with, and
 * never the assets, which may hold products of other orders. A new order number is made when it is sent.
 */
export function undoPurchase({ envelope, body }: ItemContent, outcome: ItemOutcome): UndoingItem {
  // `accepted` may still fail; then products of that name that were there before must stay.
  if (outcome.status !== 'succeeded' || !isObject(body)) return no('way_back.not_done');
  const { licenseOrderId } = outcome;
  if (!isGiven(licenseOrderId)) return no('way_back.no_order_id');
  const assets = elements(body, 'assets', '').map((it) => it.value);
  const bought = assets.map((asset) => ({ asset, products: productsOf(asset) }));
  const moved =
    assets.some((it) => member(it, 'transferedAssetNum') === true) ||
    bought.some(({ products }) => products.some((it) => isGiven(member(it, 'srcLicenseOrderId'))));
  if (moved) return no('way_back.moved');
  const revoked = bought.flatMap(({ asset, products }) =>
    products.length === 0
      ? []
      : [{ assetNos: member(asset, 'assetNos') ?? [], products: products.map(nameOf) }],
  );
  if (revoked.length === 0) return no('way_back.no_products');
  const order = { ...ofRevocations(body), srcLicenseOrderId: licenseOrderId!, assets: revoked };
  const { channelOrderId: _, ...kept } = envelope;
  return { kind: 'item', content: { envelope: kept, body: order } };
}

function no(code: Extract<Code, `way_back.${string}`>): UndoingItem {
  return { kind: 'none', reason: message(code) };
}

/** Products of an asset, and of its packages at any depth. */
function productsOf(asset: JsonObject): readonly JsonObject[] {
  const packages = (owner: JsonObject, name: string): readonly JsonObject[] =>
    elements(owner, name, '').flatMap(({ value }) => [
      ...elements(value, 'licenseOrderProductList', '').map((it) => it.value),
      ...packages(value, 'children'),
    ]);
  return [...elements(asset, 'products', '').map((it) => it.value), ...packages(asset, 'merchandises')];
}

function nameOf(product: JsonObject): JsonObject {
  return {
    crmProductId: member(product, 'crmProductId') ?? '',
    productUri: member(product, 'productUri') ?? '',
  };
}

/** What a revocation says of the customer: as the purchase did. */
function ofRevocations(order: JsonObject): JsonObject {
  const fields = ORDER_SHAPES.delete_product.find((it) => it.name === 'orderList')?.fields ?? [];
  const same = fields.filter((it) => !it.generated && it.default === undefined && it.name !== 'assets');
  const kept: Record<string, Json> = {};
  for (const { name } of same) {
    const value = member(order, name);
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}
