import type { Json, JsonObject } from '../../../model/json.js';
import { exactStringify } from '../../../util/exact-json.js';
import {
  type AssetContent,
  digest,
  type OrderContent,
  type ProductContent,
} from '../../simulated/order-book.js';
import { BUSINESS_CODES, type SimulatedDecision, textOf } from '../../simulated/simulation.js';
import type { Asset, Product, State } from '../../simulated/state.js';
import { CLOUD_LICENSE_TYPES } from './order.endpoint.js';

function assetProblems(order: OrderContent, place: string): string[] {
  const problems: string[] = [];
  if (order.assets.length === 0) problems.push(`${place}.assets must not be empty`);
  for (const [index, asset] of order.assets.entries()) {
    const at = `${place}.assets[${index}]`;
    if (asset.assetNos.length === 0) problems.push(`${at}.assetNos must not be empty`);
    const empty = asset.products.length === 0 && !(asset.packaged && order.orderType === 'new_buy');
    if (empty && order.orderType !== 'delete_asset') {
      problems.push(`${at}.products may be empty only when orderType is delete_asset`);
    }
    if (order.orderType !== 'delete_product') continue;
    for (const [number, product] of asset.products.entries()) {
      if (!product.strict) continue;
      for (const name of ['limitStartDate', 'limitEndDate', 'limitConcurrent'] as const) {
        if (product[name] === undefined)
          problems.push(`${at}.products[${number}].${name} is needed when strictMatchWhenDelete is true`);
      }
    }
  }
  return problems;
}

/** Rules of §4.5 that depend on the request alone; each problem names its path. */
export function orderProblems(orders: readonly OrderContent[]): readonly string[] {
  const problems: string[] = [];
  if (orders.length === 0) problems.push('orderList must not be empty');
  const sequences = new Set<number>();
  for (const [index, order] of orders.entries()) {
    const place = `orderList[${index}]`;
    if (sequences.has(order.sequence)) problems.push(`${place}.sequence ${order.sequence} is used twice`);
    sequences.add(order.sequence);
    if (
      order.orderType !== 'new_buy' &&
      CLOUD_LICENSE_TYPES.has(order.licenseType) &&
      !order.srcLicenseOrderId
    ) {
      problems.push(`${place}.srcLicenseOrderId is mandatory for licenseType ${order.licenseType}`);
    }
    problems.push(...assetProblems(order, place));
  }
  return problems;
}

function same(a: unknown, b: unknown): boolean {
  return String(a ?? '') === String(b ?? '');
}

/** Whether a delete order matches a product: by its id, if strict also by time range and node count (§4.5, rule 5). */
export function matchesProduct(
  requested: ProductContent,
  product: Product,
  srcLicenseOrderId: string,
): boolean {
  if (requested.productUri !== product.productUri) return false;
  if (srcLicenseOrderId && product.licenseOrderId !== srcLicenseOrderId) return false;
  return (
    !requested.strict ||
    (same(requested.limitStartDate, product.limitStartDate) &&
      same(requested.limitEndDate, product.limitEndDate) &&
      same(requested.limitConcurrent, product.limitConcurrent))
  );
}

/** Whether the asset or one of its products came with that order; always true if no order is named. */
export function belongsToOrder(asset: Asset, srcLicenseOrderId: string): boolean {
  return (
    !srcLicenseOrderId ||
    asset.asRead !== undefined ||
    asset.licenseOrderId === srcLicenseOrderId ||
    asset.products.some((it) => it.licenseOrderId === srcLicenseOrderId)
  );
}

type Refusal = Extract<SimulatedDecision, { kind: 'business' }>;

function business(code: string, message: string, cause: string): Refusal {
  return { kind: 'business', code, message, cause };
}

/**
 * Why the products or assets of a delete order cannot be deleted. An asset number that the sandbox does not know is no
 * obstacle: its order is executed without effect.
 */
export function deletionObstacle(state: State, order: OrderContent, place: string): Refusal | undefined {
  const source = order.srcLicenseOrderId;
  for (const entry of order.assets) {
    for (const assetNum of entry.assetNos) {
      const asset = state.assets.get(assetNum);
      if (!asset) continue;
      if (!belongsToOrder(asset, source)) {
        return business(
          BUSINESS_CODES.notOfThatOrder,
          `${place}: asset ${assetNum} holds nothing of order ${source}`,
          'SourceOrderMismatch',
        );
      }
      if (order.orderType !== 'delete_product' || asset.asRead) continue;
      const absent = entry.products.find(
        (it) => !asset.products.some((has) => matchesProduct(it, has, source)),
      );
      if (absent) {
        const qualifier = absent.strict ? ' with that time range and node count' : '';
        return business(
          BUSINESS_CODES.noSuchProduct,
          `${place}: asset ${assetNum} has no product ${absent.productUri}${qualifier}`,
          'ProductNotFound',
        );
      }
    }
  }
  return undefined;
}

function objects(body: JsonObject, name: string): readonly JsonObject[] {
  const value = body[name];
  return Array.isArray(value) ? (value as readonly JsonObject[]) : [];
}

/** The same value for equal orders, whatever the order of their members. */
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

/** The part of an order that the sandbox stores, after its shape was checked. */
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
