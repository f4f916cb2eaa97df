import type { Language } from '../errors/message.js';
import { OPERATION_NAMES, type Operation } from '../model/operation.js';
import { operationNamed } from '../platform/operations/catalogue.js';
import { describeOperation } from '../platform/operations/listing.js';
import { chinesePurpose } from '../platform/operations/operation-words.js';
import { operationOf } from './input-values.js';

/** `operations`: the operations of the catalogue. */
export function listOperations(language: Language) {
  return OPERATION_NAMES.map((name) => {
    const operation = operationNamed(name);
    const { endpoint, repeatable, batch } = operation;
    return {
      name,
      purpose: purposeOf(operation, language),
      endpoint: endpoint.number,
      method: endpoint.method,
      path: endpoint.path,
      repeatable,
      batchSize: batch.size,
    };
  });
}

/** `operations OPERATION`: its fields, with their meanings and values in the language, and what it returns. */
export function showOperation(name: string, language: Language) {
  const operation = operationNamed(operationOf(name));
  const fields = describeOperation(operation, language).map(({ field: _, ...line }) => line);
  const returns = operation.returns.map((it) => ({ name: it.name, type: it.field.type, many: it.many }));
  return {
    name,
    purpose: purposeOf(operation, language),
    endpoint: operation.endpoint,
    fields,
    /** Values that a later step can read with `from`; `many`: an array of records. */
    returns,
    /** Whether maps can use it for lookups. */
    lookup: operation.lists !== undefined,
  };
}

export function purposeOf(
  { name, purpose }: Pick<Operation, 'name' | 'purpose'>,
  language: Language,
): string {
  return (language === 'zh' && chinesePurpose(name)) || purpose;
}
