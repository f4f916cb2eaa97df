import { OPERATION_NAMES, type Operation, type OperationName } from '../../model/operation.js';
import { ACTIVITY_PARTICIPATE } from './activity-participate/operation.js';
import { ASSET_LIST } from './asset-list/operation.js';
import { ASSET_LOCK } from './asset-lock/operation.js';
import { ASSET_NUMBERS } from './asset-numbers/operation.js';
import { ASSET_UNLOCK } from './asset-unlock/operation.js';
import { ENTERPRISE_BIND } from './enterprise-bind/operation.js';
import { ENTERPRISE_CREATE } from './enterprise-create/operation.js';
import { ENTERPRISE_QUERY } from './enterprise-query/operation.js';
import { ENTERPRISE_UPDATE } from './enterprise-update/operation.js';
import { ORDER_DELETE_ASSET } from './order-delete-asset/operation.js';
import { ORDER_DELETE_PRODUCT } from './order-delete-product/operation.js';
import { ORDER_NEW_BUY } from './order-new-buy/operation.js';

/** All operations, by name. */
export const OPERATIONS: Readonly<Record<OperationName, Operation>> = {
  'enterprise.bind': ENTERPRISE_BIND,
  'enterprise.create': ENTERPRISE_CREATE,
  'enterprise.query': ENTERPRISE_QUERY,
  'enterprise.update': ENTERPRISE_UPDATE,
  'order.new_buy': ORDER_NEW_BUY,
  'order.delete_asset': ORDER_DELETE_ASSET,
  'order.delete_product': ORDER_DELETE_PRODUCT,
  'asset.lock': ASSET_LOCK,
  'asset.unlock': ASSET_UNLOCK,
  'asset.list': ASSET_LIST,
  'asset.numbers': ASSET_NUMBERS,
  'activity.participate': ACTIVITY_PARTICIPATE,
};

export function operationNamed(name: OperationName): Operation {
  return OPERATIONS[name];
}

/** All in the order of the catalogue, for those that check jobs and list what there is. */
export const CATALOGUE_SHAPES: readonly Operation[] = OPERATION_NAMES.map((name) => OPERATIONS[name]);

/** Every name that a result column of a result workbook may bear (contract section 6). */
export const RESULT_NAMES: readonly string[] = [
  ...new Set([
    'row',
    'status',
    'licenseOrderId',
    'code',
    'message',
    ...OPERATION_NAMES.flatMap((name) => OPERATIONS[name].resultColumns),
    'attempts',
    'run',
  ]),
];

/** For each operation, the names that its results may bear in the result of a job of steps (contract section 9). */
export const STEP_RESULTS: readonly (readonly string[])[] = CATALOGUE_SHAPES.map(({ returns }) =>
  returns.map(({ name }) => name),
);
