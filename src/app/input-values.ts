import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { wrongArgument } from '../job/wrong-argument.js';
import { OPERATION_NAMES, type OperationName } from '../model/operation.js';
import { nearestName } from '../util/name-match.js';

const UNIT_MS: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
};

/** `90d`, `12h`, `30m` or `45s` in milliseconds; a number is returned unchanged. @throws ProductError usage for anything else. */
export function ageMs(age: string | number): number {
  if (typeof age === 'number') return age;
  const parts = /^(\d{1,6})([dhms])$/.exec(age);
  const unit = UNIT_MS[parts?.[2] ?? ''];
  if (!parts || unit === undefined) throw new ProductError('usage', message('cli.bad_age', { text: age }));
  return Number(parts[1]) * unit;
}

/** @throws ProductError usage for a name that is not in the catalogue, with the nearest one if it is similar. */
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
