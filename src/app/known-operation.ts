import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { wrongArgument } from '../job/wrong-argument.js';
import { OPERATION_NAMES, type OperationName } from '../model/operation.js';
import { nearestName } from '../util/nearest.js';

/** @throws ProductError usage for a name that isn't in the catalogue, with the nearest one where one is near. */
export function operationOf(
  name: string,
  expected: 'operation' | 'operation_or_job' = 'operation',
): OperationName {
  const found = OPERATION_NAMES.find((it) => it === name);
  if (found) return found;
  const wrong = wrongArgument(name, expected);
  if (wrong) throw new ProductError('usage', wrong);
  const nearest = nearestName(name, OPERATION_NAMES);
  throw new ProductError(
    'usage',
    nearest === undefined
      ? message('cli.unknown_operation_far', { name, known: OPERATION_NAMES.join(', ') })
      : message('cli.unknown_operation', { name, nearest }),
  );
}
