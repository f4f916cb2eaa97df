import type { AllowedValue, Field, FieldType } from '../../model/field.js';
import type { Operation } from '../../model/operation.js';

/** One line of an operation's field list. */
export interface FieldLine {
  /** Wire path without indexes, `orderList.assets.assetNos`. */
  readonly path: string;
  readonly type: FieldType;
  /** A map must give it (where its parent is given). */
  readonly required: boolean;
  /** One line, with what happens when the field is left out, where that isn't nothing. */
  readonly meaning: string;
  /** Where the interface defines it. */
  readonly section: string;
  readonly values?: readonly AllowedValue[];
  /** The field itself. */
  readonly field: Field;
}

/** All fields of an operation, parents before their members. A table that contains itself is listed once. */
export function describeOperation(operation: Operation): readonly FieldLine[] {
  return walk(operation.shape).map(({ field, path }) => ({
    path,
    type: field.type,
    required: field.required,
    meaning: meaning(field),
    section: field.section,
    ...(field.values ? { values: field.values } : {}),
    field,
  }));
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

function meaning(field: Field): string {
  if (field.generated) return `${field.meaning} (made by the program when the map leaves it out)`;
  if (field.default === undefined) return field.meaning;
  const value = Array.isArray(field.default) && field.default.length === 0 ? 'an empty list' : field.default;
  return `${field.meaning} (${String(value)} when left out)`;
}
