import { type Language, message, render } from '../errors/message.js';
import { OPERATION_NAMES, type Operation } from '../model/operation.js';
import { operationNamed } from '../platform/operations/index.js';
import { describeOperation, type FieldLine } from '../platform/operations/listing.js';
import { chineseMeaning, chinesePurpose, chineseValue } from '../platform/operations/words.js';
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

/** `operations OPERATION`: its fields, with their meanings and values in the language. */
export function showOperation(name: string, language: Language) {
  const operation = operationNamed(operationOf(name));
  const fields = describeOperation(operation).map(({ field, values, ...line }) => ({
    ...line,
    meaning: meaningOf(field, language),
    ...(values
      ? { values: values.map((it) => ({ ...it, meaning: valueMeaning(field, it, language) })) }
      : {}),
  }));
  return { name, purpose: purposeOf(operation, language), endpoint: operation.endpoint, fields };
}

function purposeOf({ name, purpose }: Operation, language: Language): string {
  return (language === 'zh' && chinesePurpose(name)) || purpose;
}

type Field = FieldLine['field'];

function valueMeaning(field: Field, it: NonNullable<Field['values']>[number], language: Language) {
  return (language === 'zh' && chineseValue(field, it.value)) || it.meaning;
}

/** With what happens when the field is left out, where that isn't nothing. */
function meaningOf(field: Field, language: Language): string {
  const meaning = (language === 'zh' && chineseMeaning(field)) || field.meaning;
  if (field.generated) return `${meaning} ${render(message('listing.made_by_program'), language)}`;
  if (field.default === undefined) return meaning;
  const isEmptyList = Array.isArray(field.default) && field.default.length === 0;
  const value = isEmptyList ? message('listing.empty_list') : String(field.default);
  return `${meaning} ${render(message('listing.default_value', { value }), language)}`;
}
