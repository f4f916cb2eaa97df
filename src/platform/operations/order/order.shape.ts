import { message } from '../../../errors/message.js';
import type { Field } from '../../../model/field.js';
import { isObject, type JsonObject, member } from '../../../model/json.js';
import type { ItemContent, RuleFault, RuleSettings } from '../../../model/operation.js';
import { checkFilled, collectFaults, hasValue, objectElements, type Report } from '../shared/rule-report.js';
import {
  BATCH_ORDER_FIELDS,
  CLOUD_LICENSE_TYPES,
  MERCHANDISE_FIELDS,
  ORDER_ASSET_FIELDS,
  ORDER_FIELDS,
  ORDER_TYPES,
  PRODUCT_FIELDS,
} from './order.endpoint.js';

/** Differences of an operation's table from the interface's. */
export type FieldChange = Partial<Pick<Field, 'required' | 'values' | 'default' | 'generated'>> & {
  /** Other members; a function, so that a table may contain itself. */
  readonly members?: () => readonly Field[];
};

/** A field that is sent as `value` if the map does not set it. */
function withDefault(value: NonNullable<Field['default']>): FieldChange {
  return { required: false, default: value };
}

/** A field that the program fills in if the map does not set it. */
const GENERATED: FieldChange = { required: false, generated: true };

const OPTIONAL: FieldChange = { required: false };
const REQUIRED: FieldChange = { required: true };

/** The table with some fields changed; names and other fields stay in the table's order. */
function changeFields(
  fields: readonly Field[],
  changes: Readonly<Record<string, FieldChange>>,
): readonly Field[] {
  const unused = Object.keys(changes).filter((name) => !fields.some((it) => it.name === name));
  if (unused.length > 0) throw new Error(`the field table has no ${unused.join(', ')}`);
  return fields.map((field) => {
    const change = changes[field.name];
    return change ? changed(field, change) : field;
  });
}

/** Some fields of the table, in the table's order. */
function onlyFields(fields: readonly Field[], names: readonly string[]): readonly Field[] {
  return fields.filter((it) => names.includes(it.name));
}

function changed(field: Field, { members, ...change }: FieldChange): Field {
  const copy: Record<string, unknown> = {};
  // Members are read late: copying them here would request a table from itself before it exists.
  for (const name of Object.keys(field)) if (name !== 'fields') copy[name] = field[name as keyof Field];
  Object.assign(copy, change);
  if (members || 'fields' in field) {
    Object.defineProperty(copy, 'fields', { get: members ?? (() => field.fields), enumerable: true });
  }
  return copy as unknown as Field;
}

export type OrderType = 'new_buy' | 'delete_asset' | 'delete_product';

/** §2.3, last point: the examples of delete orders omit these. */
const OPTIONAL_ON_DELETE: Readonly<Record<string, FieldChange>> = {
  customerId: OPTIONAL,
  crmCustomerId: OPTIONAL,
  passwordMobile: OPTIONAL,
  address: OPTIONAL,
};

const BOUGHT_PRODUCT = changeFields(PRODUCT_FIELDS, {
  strictMatchWhenDelete: withDefault(false),
  productFeatures: withDefault([]),
});

const BOUGHT_PACKAGE: readonly Field[] = changeFields(MERCHANDISE_FIELDS, {
  children: { members: () => BOUGHT_PACKAGE },
  // A package may contain only packages; a rule requires that it is not empty.
  licenseOrderProductList: { ...withDefault([]), members: () => BOUGHT_PRODUCT },
});

const BOUGHT_ASSET = changeFields(ORDER_ASSET_FIELDS, {
  products: { members: () => BOUGHT_PRODUCT },
  merchandises: { members: () => BOUGHT_PACKAGE },
});

const REVOKED_ASSET = onlyFields(ORDER_ASSET_FIELDS, ['assetNos']);

const REVOKED_PRODUCT = changeFields(
  onlyFields(PRODUCT_FIELDS, [
    'crmProductId',
    'productUri',
    'limitStartDate',
    'limitEndDate',
    'limitConcurrent',
    'strictMatchWhenDelete',
  ]),
  // Required for strict matching only, which is checked by a rule.
  { limitConcurrent: OPTIONAL, strictMatchWhenDelete: withDefault(false) },
);

const ASSET_OF_REVOKED_PRODUCT = changeFields(
  onlyFields(ORDER_ASSET_FIELDS, ['assetNos', 'limitStartDate', 'limitEndDate', 'products']),
  { products: { ...REQUIRED, members: () => REVOKED_PRODUCT } },
);

/** The batch order's body as each order type requires it (§2.3 'Shapes of the three order types'). */
export const ORDER_SHAPES: Readonly<Record<OrderType, readonly Field[]>> = {
  new_buy: orderShape('new_buy', BOUGHT_ASSET, {}),
  delete_asset: orderShape('delete_asset', REVOKED_ASSET, OPTIONAL_ON_DELETE),
  delete_product: orderShape('delete_product', ASSET_OF_REVOKED_PRODUCT, OPTIONAL_ON_DELETE),
};

function orderShape(
  type: OrderType,
  asset: readonly Field[],
  changes: Readonly<Record<string, FieldChange>>,
): readonly Field[] {
  const order = changeFields(ORDER_FIELDS, {
    ...changes,
    sequence: GENERATED,
    orderType: { ...withDefault(type), values: ORDER_TYPES.filter((it) => it.value === type) },
    assets: { members: () => asset },
  });
  return changeFields(BATCH_ORDER_FIELDS, {
    channelOrderId: GENERATED,
    orderList: { members: () => order },
  });
}

/** Path of an item in a request with only this item. */
const ORDER = 'orderList[0]';

/** The rules of §2.3 and §4.5 for one order, beyond its field table. */
export function orderRules(
  type: OrderType,
  content: ItemContent,
  settings: RuleSettings,
): readonly RuleFault[] {
  return collectFaults((report) => {
    checkFilled(ORDER_SHAPES[type], { kind: 'array', field: 'orderList' }, content, report);
    const order = content.body;
    if (!isObject(order)) return;
    if (type !== 'new_buy') checkSourceOrder(order, settings, report);
    for (const asset of objectElements(order, 'assets', ORDER)) {
      checkTimeRange(asset.value, asset.path, report);
      if (type === 'new_buy') checkPurchase(asset.value, asset.path, report);
      if (type === 'delete_product') {
        for (const product of objectElements(asset.value, 'products', asset.path)) {
          checkTimeRange(product.value, product.path, report);
          checkStrictMatch(product.value, product.path, report);
        }
      }
    }
  });
}

/** §4.5.3: without its original order a delete order applies to all orders of the customer. */
function checkSourceOrder(order: JsonObject, settings: RuleSettings, report: Report): void {
  if (hasValue(member(order, 'srcLicenseOrderId'))) return;
  const path = `${ORDER}.srcLicenseOrderId`;
  const licenseType = member(order, 'licenseType');
  if (typeof licenseType === 'string' && CLOUD_LICENSE_TYPES.has(licenseType)) {
    report(path, message('rule.cloud_source_order', { licenseType }));
  } else if (!settings.allowDeleteFromAllOrders) {
    report(path, message('rule.source_order'));
  }
}

/** §4.5.4, extended by the contract: packages alone are sufficient. */
function checkPurchase(asset: JsonObject, at: string, report: Report): void {
  const products = objectElements(asset, 'products', at);
  const packages = objectElements(asset, 'merchandises', at);
  if (products.length === 0 && packages.length === 0) {
    report(`${at}.products`, message('rule.nothing_bought'));
  }
  for (const product of products) checkTimeRange(product.value, product.path, report);
  for (const it of packages) checkPackage(it.value, it.path, report);
}

function checkPackage(merchandise: JsonObject, at: string, report: Report): void {
  const products = objectElements(merchandise, 'licenseOrderProductList', at);
  const children = objectElements(merchandise, 'children', at);
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

/** §4.5.5: the platform compares time range and node count, so both are required. */
function checkStrictMatch(product: JsonObject, at: string, report: Report): void {
  if (member(product, 'strictMatchWhenDelete') !== true) return;
  for (const field of ['limitStartDate', 'limitEndDate', 'limitConcurrent']) {
    if (!hasValue(member(product, field))) report(`${at}.${field}`, message('rule.strict_match', { field }));
  }
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
