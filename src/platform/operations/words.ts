import type { Language } from '../../errors/message.js';
import type { Field } from '../../model/field.js';
import type { OperationName } from '../../model/operation.js';
import { ACTIVITY_WORDS } from './activity-participate/words.js';
import { LIST_WORDS } from './asset-list/words.js';
import { LOCK_WORDS } from './asset-lock/words.js';
import { NUMBERS_WORDS } from './asset-numbers/words.js';
import { UNLOCK_WORDS } from './asset-unlock/words.js';
import { BIND_WORDS } from './enterprise-bind/words.js';
import { CREATE_WORDS } from './enterprise-create/words.js';
import { QUERY_WORDS } from './enterprise-query/words.js';
import { UPDATE_WORDS } from './enterprise-update/words.js';
import { DELETE_ASSET_WORDS } from './order-delete-asset/words.js';
import { DELETE_PRODUCT_WORDS } from './order-delete-product/words.js';
import { NEW_BUY_WORDS } from './order-new-buy/words.js';
import type { FieldExample, FieldWord, OperationWords, WordTable } from './shared/words.js';

/** The words of all operations. Apart from the operations: a run loads none of them. */
export const OPERATION_WORDS: Readonly<Record<OperationName, OperationWords>> = {
  'enterprise.bind': BIND_WORDS,
  'enterprise.create': CREATE_WORDS,
  'enterprise.query': QUERY_WORDS,
  'enterprise.update': UPDATE_WORDS,
  'order.new_buy': NEW_BUY_WORDS,
  'order.delete_asset': DELETE_ASSET_WORDS,
  'order.delete_product': DELETE_PRODUCT_WORDS,
  'asset.lock': LOCK_WORDS,
  'asset.unlock': UNLOCK_WORDS,
  'asset.list': LIST_WORDS,
  'asset.numbers': NUMBERS_WORDS,
  'activity.participate': ACTIVITY_WORDS,
};

/** Each table of words once; families share theirs. */
export const WORD_TABLES: readonly WordTable[] = [
  ...new Set(Object.values(OPERATION_WORDS).flatMap((it) => [...(it.shared ?? []), it])),
];

export const FIELD_WORDS: Readonly<Record<string, FieldWord>> = Object.assign(
  {},
  ...WORD_TABLES.map((it) => it.fields),
);

/** A field's meaning in Chinese; undefined where none is written down. */
export function chineseMeaning(field: Field): string | undefined {
  const keys = [field.meaning, `${field.section} ${field.name}`, field.name];
  return keys.map((it) => FIELD_WORDS[it]?.zh).find((it) => it !== undefined);
}

/** What an allowed value of a request field means, in Chinese. */
export function chineseValue(field: Field, value: string | number): string | undefined {
  return FIELD_WORDS[field.name]?.values?.[String(value)];
}

export function chinesePurpose(operation: string): string | undefined {
  return wordsOf(operation)?.purpose;
}

/** The words of templates in a language; English stands where there is no Chinese. */
export function fieldWords(language: Language) {
  const english = (field: Field, value: string | number): string | undefined =>
    field.values?.find((it) => String(it.value) === String(value))?.meaning;
  const chinese = language === 'zh';
  return {
    meaning: (field: Field): string => (chinese && chineseMeaning(field)) || field.meaning,
    value: (field: Field, value: string | number): string | undefined =>
      (chinese ? chineseValue(field, value) : undefined) ?? english(field, value),
    example: exampleValue,
  };
}

/**
 * Example for a field in one of the example rows (0-based); undefined leaves the cell empty.
 * @param path wire path without indexes
 */
function exampleValue(operation: string, path: string, row: number): FieldExample | undefined {
  const parts = path.split('.');
  if (parts.some((it) => FIELD_WORDS[it]?.rare)) return undefined;
  const name = parts.at(-1) ?? path;
  const table = parts.slice(-2).join('.');
  const found =
    (parts.length > 1 ? FIELD_WORDS[table]?.example : undefined) ??
    wordsOf(operation)?.examples?.[name] ??
    FIELD_WORDS[name]?.example;
  return Array.isArray(found) ? (found[row % found.length] as FieldExample) : (found as FieldExample);
}

function wordsOf(operation: string): OperationWords | undefined {
  return Object.hasOwn(OPERATION_WORDS, operation) ? OPERATION_WORDS[operation as OperationName] : undefined;
}
