import type { Json, JsonObject } from '../../../model/json.js';
import { exactStringify } from '../../../util/exact-json.js';
import { digest } from '../../simulated/order-book.js';
import type { AssetContent, OrderContent, ProductContent } from '../../simulated/order-content.js';
import { textOf } from '../../simulated/simulation.js';

function objects(body: JsonObject, name: string): readonly JsonObject[] {
  const value = body[name];
  return Array.isArray(value) ? (value as readonly JsonObject[]) : [];
}

/** The same for the same order, however its members are arranged. */
function canonical(value: Json): Json {
  if (Array.isArray(value)) return value.map((it: Json) => canonical(it));
  if (value === null || typeof value !== 'object') return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, canonical(member as Json)]);
}

function contentDigest(order: JsonObject): string {
  const { sequence: _, ...rest } = order;
  return digest(exactStringify(canonical(rest)));
}

function productContent(product: JsonObject): ProductContent {
  const { limitStartDate, limitEndDate, limitConcurrent } = product;
  return {
    productUri: textOf(product, 'productUri'),
    crmProductId: textOf(product, 'crmProductId'),
    ...(limitStartDate != null && { limitStartDate }),
    ...(limitEndDate != null && { limitEndDate }),
    ...(limitConcurrent != null && { limitConcurrent }),
    ...(product.strictMatchWhenDelete === true && { strict: true }),
  };
}

/** Products of packages and of the packages in them. */
function merchandiseProducts(merchandises: readonly JsonObject[]): ProductContent[] {
  return merchandises.flatMap((it) => [
    ...objects(it, 'licenseOrderProductList').map(productContent),
    ...merchandiseProducts(objects(it, 'children')),
  ]);
}

function assetContent(asset: JsonObject): AssetContent {
  const { limitStartDate, limitEndDate } = asset;
  const products = objects(asset, 'products').map(productContent);
  const merchandises = objects(asset, 'merchandises');
  return {
    assetNos: asset.assetNos as readonly string[],
    ...(limitStartDate != null && { limitStartDate }),
    ...(limitEndDate != null && { limitEndDate }),
    borrowed: asset.borrowedUsbKey === true,
    transferred: asset.transferedAssetNum === true,
    extends: objects(asset, 'assetExtendList').map((it) => ({
      extendCode: textOf(it, 'extendCode'),
      extendValue: textOf(it, 'extendValue'),
    })),
    packaged: merchandises.length > 0,
    products: merchandises.length === 0 ? products : [...products, ...merchandiseProducts(merchandises)],
  };
}

/** What the sandbox keeps of an order whose shape has been checked. */
export function orderContent(order: JsonObject): OrderContent {
  return {
    sequence: Number(order.sequence),
    orderType: textOf(order, 'orderType') as OrderContent['orderType'],
    licenseType: textOf(order, 'licenseType'),
    customerId: textOf(order, 'customerId'),
    crmCustomerId: textOf(order, 'crmCustomerId'),
    customerName: textOf(order, 'customerName'),
    channelCustomerId: textOf(order, 'channelCustomerId'),
    enterpriseGlobalId: textOf(order, 'enterpriseGlobalId'),
    branchName: textOf(order, 'branchName'),
    address: textOf(order, 'address'),
    srcLicenseOrderId: textOf(order, 'srcLicenseOrderId'),
    assets: objects(order, 'assets').map(assetContent),
    content: contentDigest(order),
  };
}
