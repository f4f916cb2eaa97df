import { type Language, message, render } from '../../errors/message.js';
import type { AllowedValue, Field, FieldType } from '../../model/field.js';
import type { Operation } from '../../model/operation.js';
import { fieldWords } from './operation-words.js';

interface FieldLine {
  /** Wire path without indexes, `orderList.assets.assetNos`. */
  readonly path: string;
  readonly type: FieldType;
  /** The map must set it (if its parent is set). */
  readonly required: boolean;
  /** Section of the interface. */
  readonly section: string;
  /** One line; includes the effect of an absent field, if it has one. */
  readonly meaning: string;
  readonly values?: readonly AllowedValue[];
  readonly field: Field;
}

/** All fields of an operation, parents before their members. A table that contains itself is listed once. */
export function describeOperation(operation: Operation, language: Language = 'en'): readonly FieldLine[] {
  const { meaning, value } = fieldWords(language);
  return walk(operation.shape).map(({ field, path }) => ({
    path,
    type: field.type,
    required: field.required,
    meaning: [meaning(field), ...absenceText(field, language)].join(' '),
    section: field.section,
    ...(field.values
      ? { values: field.values.map((it) => ({ ...it, meaning: value(field, it.value) ?? it.meaning })) }
      : {}),
    field,
  }));
}

function absenceText(field: Field, language: Language): readonly string[] {
  if (field.generated) return [render(message('listing.made_by_program'), language)];
  if (field.default === undefined) return [];
  const isEmptyList = Array.isArray(field.default) && field.default.length === 0;
  const value = isEmptyList ? message('listing.empty_list') : String(field.default);
  return [render(message('listing.default_value', { value }), language)];
}

interface Step {
  readonly field: Field;
  readonly path: string;
  readonly parents: readonly Field[];
}

function walk(
  fields: readonly Field[],
  parents: readonly Field[] = [],
  above: readonly (readonly Field[])[] = [],
): readonly Step[] {
  const tables = [...above, fields];
  return fields.flatMap((field): readonly Step[] => {
    const step = { field, path: [...parents, field].map((it) => it.name).join('.'), parents };
    const inner = field.fields;
    return !inner || tables.includes(inner) ? [step] : [step, ...walk(inner, [...parents, field], tables)];
  });
}
