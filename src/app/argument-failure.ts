import { ProductError } from '../errors/product-error.js';
import { type ExpectedArgument, wrongArgument } from '../job/wrong-argument.js';
import type { AppContext } from './context.js';
import { type Failure, failureOf } from './failure.js';

/** Why a command does not take an argument: it is of another kind. Undefined when it may be what is expected. */
export function argumentFailure(
  { cwd, language }: AppContext,
  given: string,
  expected: ExpectedArgument,
): Failure | undefined {
  const wrong = wrongArgument(given, expected, cwd);
  return wrong && failureOf(new ProductError('usage', wrong), language);
}
