import type { Field } from '../../../model/field.js';
import {
  changeFields,
  type FieldChange,
  GENERATED,
  OPTIONAL,
  onlyFields,
  REQUIRED,
  withDefault,
} from './derive-fields.js';
import { BATCH_ORDER_FIELDS, ORDER_ASSET_FIELDS, ORDER_FIELDS, ORDER_TYPES } from './wire.js';
import { MERCHANDISE_FIELDS, PRODUCT_FIELDS } from './wire-products.js';

export type OrderType = 'new_buy' | 'delete_asset' | 'delete_product';

/** §2.3, last point: the examples of delete orders do without these. */
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
  // A package may hold nothing but packages; that it holds something is a rule.
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
  // Needed for strict matching only, which is a rule.
  { limitConcurrent: OPTIONAL, strictMatchWhenDelete: withDefault(false) },
);

const ASSET_OF_REVOKED_PRODUCT = changeFields(
  onlyFields(ORDER_ASSET_FIELDS, ['assetNos', 'limitStartDate', 'limitEndDate', 'products']),
  { products: { ...REQUIRED, members: () => REVOKED_PRODUCT } },
);

/** The batch order's body as each order type needs it (§2.3 'Shapes of the three order types'). */
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
