import type { Language } from '../../errors/message.js';
import { type Field, nameOf } from '../../model/field.js';
import type { OperationName } from '../../model/operation.js';
import { ACTIVITY_WORDS } from './activity/activity.words.js';
import { LIST_WORDS, LOCK_WORDS, NUMBERS_WORDS, UNLOCK_WORDS } from './asset/asset.words.js';
import { BIND_WORDS, CREATE_WORDS, QUERY_WORDS, UPDATE_WORDS } from './enterprise/enterprise.words.js';
import { DELETE_ASSET_WORDS, DELETE_PRODUCT_WORDS, NEW_BUY_WORDS } from './order/order.words.js';
import type { FieldExample, FieldWord, OperationWords, WordTable } from './shared/word-tables.js';

/** The words of all operations. Separate from the operations, as a run loads none of them. */
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

/** Each table of words once; families share tables. */
export const WORD_TABLES: readonly WordTable[] = [
  ...new Set(Object.values(OPERATION_WORDS).flatMap((it) => [...(it.shared ?? []), it])),
];

export const FIELD_WORDS: Readonly<Record<string, FieldWord>> = Object.assign(
  {},
  ...WORD_TABLES.map((it) => it.fields),
);

export function chineseMeaning(field: Field): string | undefined {
  const keys = [field.meaning, `${field.section} ${field.name}`, field.name];
  return keys.map((it) => FIELD_WORDS[it]?.zh).find((it) => it !== undefined);
}

export function chinesePurpose(operation: string): string | undefined {
  return wordsOf(operation)?.purpose;
}

/** The words of templates in a language; English if there are no Chinese ones. */
export function fieldWords(language: Language) {
  const chinese = language === 'zh';
  return {
    meaning: (field: Field): string => (chinese && chineseMeaning(field)) || field.meaning,
    value: (field: Field, value: string | number): string | undefined => {
      const allowed = field.values?.find((it) => String(it.value) === String(value));
      return allowed && nameOf(allowed, language);
    },
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
