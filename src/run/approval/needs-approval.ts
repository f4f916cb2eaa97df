import type { Connection } from '../../model/connection.js';
import type { OperationName } from '../../model/operation.js';
import { matchesPattern } from '../../util/name-pattern.js';

/**
 * Whether a plan may only be sent with a second person's approval (`approval` of its connection).
 * @param operations those of all its steps
 * @param items that it would send, over all steps
 */
export function needsApproval(
  { approval }: Pick<Connection, 'approval'>,
  operations: readonly OperationName[],
  items: number,
): boolean {
  if (!approval || items === 0) return false;
  const { operations: patterns, above } = approval;
  if (patterns && !operations.some((name) => patterns.some((it) => matchesPattern(it, name)))) return false;
  return above === undefined || items > above;
}
