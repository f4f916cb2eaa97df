import { message } from '../../../errors/message.js';
import { isObject, type JsonObject, member } from '../../../model/json.js';
import type { ItemContent, RuleFault, RuleSettings } from '../../../model/operation.js';
import { checkFilled } from '../shared/common-rules.js';
import { elements, gather, isGiven, type Report } from '../shared/rule-report.js';
import { ORDER_SHAPES, type OrderType } from './shape.js';
import { CLOUD_LICENSE_TYPES } from './wire-license-types.js';

/** Where an item stands in a request of its own. */
const ORDER = 'orderList[0]';

/** The rules of §2.3 and §4.5 for one order, beyond its field table. */
export function orderRules(
  type: OrderType,
  content: ItemContent,
  settings: RuleSettings,
): readonly RuleFault[] {
  return gather((report) => {
    checkFilled(ORDER_SHAPES[type], { kind: 'array', field: 'orderList' }, content, report);
    const order = content.body;
    if (!isObject(order)) return;
    if (type !== 'new_buy') checkSourceOrder(order, settings, report);
    for (const asset of elements(order, 'assets', ORDER)) {
      checkTimeRange(asset.value, asset.path, report);
      if (type === 'new_buy') checkPurchase(asset.value, asset.path, report);
      if (type === 'delete_product') {
        for (const product of elements(asset.value, 'products', asset.path)) {
          checkTimeRange(product.value, product.path, report);
          checkStrictMatch(product.value, product.path, report);
        }
      }
    }
  });
}

/** §4.5.3: without its original order a delete order reaches into all orders of the customer. */
function checkSourceOrder(order: JsonObject, settings: RuleSettings, report: Report): void {
  if (isGiven(member(order, 'srcLicenseOrderId'))) return;
  const path = `${ORDER}.srcLicenseOrderId`;
  const licenseType = member(order, 'licenseType');
  if (typeof licenseType === 'string' && CLOUD_LICENSE_TYPES.has(licenseType)) {
    report(path, message('rule.cloud_source_order', { licenseType }));
  } else if (!settings.allowDeleteFromAllOrders) {
    report(path, message('rule.source_order'));
  }
}

/** §4.5.4, widened by the contract: packages alone will do. */
function checkPurchase(asset: JsonObject, at: string, report: Report): void {
  const products = elements(asset, 'products', at);
  const packages = elements(asset, 'merchandises', at);
  if (products.length === 0 && packages.length === 0) {
    report(`${at}.products`, message('rule.nothing_bought'));
  }
  for (const product of products) checkTimeRange(product.value, product.path, report);
  for (const it of packages) checkPackage(it.value, it.path, report);
}

function checkPackage(merchandise: JsonObject, at: string, report: Report): void {
  const products = elements(merchandise, 'licenseOrderProductList', at);
  const children = elements(merchandise, 'children', at);
  if (products.length === 0 && children.length === 0) {
    report(`${at}.licenseOrderProductList`, message('rule.empty_package'));
  }
  for (const product of products) checkTimeRange(product.value, product.path, report);
  for (const child of children) checkPackage(child.value, child.path, report);
}

function checkTimeRange(owner: JsonObject, at: string, report: Report): void {
  const start = member(owner, 'limitStartDate');
  const end = member(owner, 'limitEndDate');
  if (isNumeric(start) && isNumeric(end) && start > end) {
    report(`${at}.limitStartDate`, message('rule.start_after_end'));
  }
}

/** §4.5.5: the platform compares time range and node count, so they must be there to compare with. */
function checkStrictMatch(product: JsonObject, at: string, report: Report): void {
  if (member(product, 'strictMatchWhenDelete') !== true) return;
  for (const field of ['limitStartDate', 'limitEndDate', 'limitConcurrent']) {
    if (!isGiven(member(product, field))) report(`${at}.${field}`, message('rule.strict_match', { field }));
  }
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
