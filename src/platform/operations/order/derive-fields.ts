import type { Field } from '../../../model/field.js';

/** How an operation's own table departs from the interface's. */
export type FieldChange = Partial<Pick<Field, 'required' | 'values' | 'default' | 'generated'>> & {
  /** Other members; a function, so that a table may contain itself. */
  readonly members?: () => readonly Field[];
};

/** A field that goes as `value` where the map says nothing. */
export function withDefault(value: NonNullable<Field['default']>): FieldChange {
  return { required: false, default: value };
}

/** A field that the program fills in where the map leaves it out. */
export const GENERATED: FieldChange = { required: false, generated: true };

export const OPTIONAL: FieldChange = { required: false };
export const REQUIRED: FieldChange = { required: true };

/** The table with some fields changed; names are those of the table, order and other fields stay. */
export function changeFields(
  fields: readonly Field[],
  changes: Readonly<Record<string, FieldChange>>,
): readonly Field[] {
  const unused = Object.keys(changes).filter((name) => !fields.some((it) => it.name === name));
  if (unused.length > 0) throw new Error(`the field table has no ${unused.join(', ')}`);
  return fields.map((field) => {
    const change = changes[field.name];
    return change ? changed(field, change) : field;
  });
}

/** Some fields of the table, in the table's order. */
export function onlyFields(fields: readonly Field[], names: readonly string[]): readonly Field[] {
  return fields.filter((it) => names.includes(it.name));
}

function changed(field: Field, { members, ...change }: FieldChange): Field {
  const copy: Record<string, unknown> = {};
  // Members are read late: copying them here would ask a table for itself before it is there.
  for (const name of Object.keys(field)) if (name !== 'fields') copy[name] = field[name as keyof Field];
  Object.assign(copy, change);
  if (members || 'fields' in field) {
    Object.defineProperty(copy, 'fields', { get: members ?? (() => field.fields), enumerable: true });
  }
  return copy as unknown as Field;
}
