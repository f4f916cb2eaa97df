import type { Language } from '../errors/message.js';
import { OPERATION_NAMES, type Operation } from '../model/operation.js';
import { operationNamed } from '../platform/operations/index.js';
import { describeOperation } from '../platform/operations/listing.js';
import { chinesePurpose } from '../platform/operations/words.js';
import { operationOf } from './known-operation.js';

/** `operations`: all that the program can do for a row. */
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
    /** What a later step of a job takes by `from`; `many`: of records, an array. */
    returns,
    /** Whether a map may look up values by it. */
    lookup: operation.lists !== undefined,
  };
}

/** What it does, in words of the language. */
export function purposeOf(
  { name, purpose }: Pick<Operation, 'name' | 'purpose'>,
  language: Language,
): string {
  return (language === 'zh' && chinesePurpose(name)) || purpose;
}
