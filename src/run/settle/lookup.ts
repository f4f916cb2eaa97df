import { message } from '../../errors/message.js';
import type { JsonObject } from '../../model/json.js';
import type { Lookup } from '../../model/lookup.js';
import type { ItemContent, Operation, OperationName } from '../../model/operation.js';

/** How an item of an operation can be looked up, or why it can't. Pure. */
export function lookupOf(operation: Operation, { body }: Pick<ItemContent, 'body'>): Lookup {
  return (
    operation.lookup?.(body) ?? {
      kind: 'none',
      reason: message('resolve.no_lookup', { operation: operation.name }),
    }
  );
}

/** Whether any of the items can be looked up: orders differ by their licence types. Asks no further than the first. */
export async function isAnyVerifiable(
  operation: Operation,
  items: Iterable<Pick<ItemContent, 'body'>> | AsyncIterable<Pick<ItemContent, 'body'>>,
): Promise<boolean> {
  for await (const item of items) if (lookupOf(operation, item).kind !== 'none') return true;
  return false;
}

/** Items with the same text here are answered by one request. */
export function requestOf(lookup: Exclude<Lookup, { kind: 'none' }>): {
  readonly operation: OperationName;
  readonly fields: JsonObject;
} {
  if (lookup.kind === 'assets') {
    return { operation: 'asset.list', fields: { enterpriseGlobalId: lookup.enterpriseGlobalId } };
  }
  const { channelCode, channelCustomerId } = lookup;
  // N: all customers, not only the default one (§4.5).
  const fields = { channelCode, channelCustomerId, defaultCustomer: 'N' };
  return { operation: 'enterprise.query', fields };
}
