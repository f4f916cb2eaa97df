import type { OrderContent, ProductContent } from '../../simulated/order-content.js';
import { BUSINESS_CODES, type SimulatedDecision } from '../../simulated/simulation.js';
import type { Asset, Product, State } from '../../simulated/state.js';
import { CLOUD_LICENSE_TYPES } from './wire-license-types.js';

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

/** Rules of §4.5 that can be told from the request alone; each problem names its path. */
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

/** Whether a delete order means this product: by its id, strictly by time range and node count too (§4.5, rule 5). */
export function meant(wanted: ProductContent, product: Product, srcLicenseOrderId: string): boolean {
  if (wanted.productUri !== product.productUri) return false;
  if (srcLicenseOrderId && product.licenseOrderId !== srcLicenseOrderId) return false;
  return (
    !wanted.strict ||
    (same(wanted.limitStartDate, product.limitStartDate) &&
      same(wanted.limitEndDate, product.limitEndDate) &&
      same(wanted.limitConcurrent, product.limitConcurrent))
  );
}

/** Whether anything on the asset came with that order; always when no order is named. */
export function holdsOf(asset: Asset, srcLicenseOrderId: string): boolean {
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
 * Why what an order deletes cannot be deleted. An asset number that the sandbox has never seen is no obstacle: its
 * order is carried out without effect.
 */
export function deletionObstacle(state: State, order: OrderContent, place: string): Refusal | undefined {
  const source = order.srcLicenseOrderId;
  for (const entry of order.assets) {
    for (const assetNum of entry.assetNos) {
      const asset = state.assets.get(assetNum);
      if (!asset) continue;
      if (!holdsOf(asset, source)) {
        return business(
          BUSINESS_CODES.notOfThatOrder,
          `${place}: asset ${assetNum} holds nothing of order ${source}`,
          'SourceOrderMismatch',
        );
      }
      if (order.orderType !== 'delete_product' || asset.asRead) continue;
      const absent = entry.products.find((it) => !asset.products.some((has) => meant(it, has, source)));
      if (absent) {
        const how = absent.strict ? ' with that time range and node count' : '';
        return business(
          BUSINESS_CODES.noSuchProduct,
          `${place}: asset ${assetNum} has no product ${absent.productUri}${how}`,
          'ProductNotFound',
        );
      }
    }
  }
  return undefined;
}
