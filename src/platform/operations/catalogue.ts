import { type Comparison, RECONCILED, type Reconciled } from '../../model/comparison.js';
import { OPERATION_NAMES, type Operation, type OperationName } from '../../model/operation.js';
import { ACTIVITY_PARTICIPATE } from './activity/activity.operation.js';
import { ASSET, ASSET_LIST, ASSET_LOCK, ASSET_NUMBERS, ASSET_UNLOCK } from './asset/asset.operation.js';
import {
  ENTERPRISE,
  ENTERPRISE_BIND,
  ENTERPRISE_CREATE,
  ENTERPRISE_QUERY,
  ENTERPRISE_UPDATE,
} from './enterprise/enterprise.operation.js';
import { ORDER_DELETE_ASSET, ORDER_DELETE_PRODUCT, ORDER_NEW_BUY } from './order/order.operation.js';

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

/** All operations in the order of the catalogue, for checks of jobs and listings. */
export const ALL_OPERATIONS: readonly Operation[] = OPERATION_NAMES.map((name) => OPERATIONS[name]);

/** Every possible name of a result column of a result workbook (contract section 6). */
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

/** By operation, the possible names of its results in the result of a job of steps (contract section 9). */
export const STEP_RESULTS: readonly (readonly string[])[] = ALL_OPERATIONS.map(({ returns }) =>
  returns.map(({ name }) => name),
);

const BY_NAME: Readonly<Record<Reconciled, Comparison>> = { asset: ASSET, enterprise: ENTERPRISE };

/** All comparisons, in the order of the catalogue. */
export const COMPARISONS: readonly Comparison[] = RECONCILED.map((name) => BY_NAME[name]);

export function comparisonNamed(name: Reconciled): Comparison {
  return BY_NAME[name];
}
