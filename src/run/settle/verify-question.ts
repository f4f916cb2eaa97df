import { message } from '../../errors/message.js';
import type { JsonObject } from '../../model/json.js';
import type { ItemContent, Operation, OperationName } from '../../model/operation.js';
import type { VerifyQuestion } from '../../model/verify-question.js';

/** What the platform can be asked about an item, or why nothing. Pure. */
export function questionOf(operation: Operation, { body }: Pick<ItemContent, 'body'>): VerifyQuestion {
  return (
    operation.verifyBy?.(body) ?? {
      kind: 'none',
      reason: message('resolve.no_lookup', { operation: operation.name }),
    }
  );
}

/** Whether it can be asked about any of the items: orders differ by their licence types. Asks no further than the first. */
export async function isAnyVerifiable(
  operation: Operation,
  items: Iterable<Pick<ItemContent, 'body'>> | AsyncIterable<Pick<ItemContent, 'body'>>,
): Promise<boolean> {
  for await (const item of items) if (questionOf(operation, item).kind !== 'none') return true;
  return false;
}

/** Items with the same text here are answered by one request. */
export function requestOf(question: Exclude<VerifyQuestion, { kind: 'none' }>): {
  readonly operation: OperationName;
  readonly fields: JsonObject;
} {
  if (question.kind === 'assets') {
    return { operation: 'asset.list', fields: { enterpriseGlobalId: question.enterpriseGlobalId } };
  }
  const { channelCode, channelCustomerId } = question;
  // N: all customers, not only the default one (§4.5).
  const fields = { channelCode, channelCustomerId, defaultCustomer: 'N' };
  return { operation: 'enterprise.query', fields };
}
