import { type Code, message } from '../../../errors/message.js';
import { isObject, type Json, type JsonObject, member } from '../../../model/json.js';
import type { ItemContent, UndoingItem } from '../../../model/operation.js';
import type { ItemOutcome, ItemStatus } from '../../../model/outcome.js';
import { ORDER_SHAPES } from '../order/shape.js';
import { assetNumbers, elements, isGiven } from '../shared/rule-report.js';

/**
 * An order that was only accepted is undone by one that goes the same way (`syncMode`), and so stands behind it at the
 * platform: that one names the licence order, and reaches nothing else should the purchase fail after all.
 */
const UNDONE: ReadonlySet<ItemStatus> = new Set(['succeeded', 'accepted']);

/**
 * The order that revokes what a purchase brought: one for all its assets, by the licence order that it became (§4.5.3),
 * so that what came with other orders stays. A new order number is made when it is sent.
 */
export function undoPurchase({ envelope, body }: ItemContent, outcome: ItemOutcome): UndoingItem {
  if (!UNDONE.has(outcome.status) || !isObject(body)) return no('way_back.not_done');
  const { licenseOrderId } = outcome;
  if (!isGiven(licenseOrderId)) return no('way_back.no_order_id');
  if (movesAnything(body)) return no('way_back.moved');
  const assetNos = assetNumbers(body);
  if (assetNos.length === 0) return no('way_back.no_assets');
  const order = { ...ofRevocations(body), srcLicenseOrderId: licenseOrderId!, assets: [{ assetNos }] };
  const { channelOrderId: _, ...kept } = envelope;
  return { kind: 'item', content: { envelope: kept, body: order } };
}

function no(code: Extract<Code, `way_back.${string}`>): UndoingItem {
  return { kind: 'none', reason: message(code) };
}

/** It takes an asset, or a product, over from elsewhere: revoked, that would be back nowhere. */
function movesAnything(order: JsonObject): boolean {
  return elements(order, 'assets', '').some(
    ({ value }) =>
      member(value, 'transferedAssetNum') === true ||
      productsOf(value).some((it) => isGiven(member(it, 'srcLicenseOrderId'))),
  );
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

/** What a revocation says of the customer: as the purchase did. */
function ofRevocations(order: JsonObject): JsonObject {
  const fields = ORDER_SHAPES.delete_asset.find((it) => it.name === 'orderList')?.fields ?? [];
  const same = fields.filter((it) => !it.generated && it.default === undefined && it.name !== 'assets');
  const kept: Record<string, Json> = {};
  for (const { name } of same) {
    const value = member(order, name);
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}
