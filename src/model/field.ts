import { fold } from '../util/text.js';
import type { Json } from './json.js';

/** Type names as the interface uses them (§2). */
export type FieldType =
  | 'String'
  | 'Integer'
  | 'Long'
  | 'Boolean'
  | 'Date'
  | 'String array'
  | 'object'
  | 'object array';

export interface AllowedValue {
  readonly value: string | number;
  /** Its English name. A cell may contain it in place of the value. */
  readonly meaning: string;
  /** Its Chinese name, likewise. Values of replies need none. */
  readonly zh?: string;
}

export function nameOf({ meaning, zh }: AllowedValue, language: 'en' | 'zh'): string {
  return language === 'zh' ? (zh ?? meaning) : meaning;
}

/** A value with its name, `1 (trial)`. */
export function namedValue(allowed: AllowedValue, language: 'en' | 'zh'): string {
  const name = nameOf(allowed, language);
  if (name === String(allowed.value)) return name;
  return language === 'zh' ? `${allowed.value}（${name}）` : `${allowed.value} (${name})`;
}

/** All values of a closed list with their names, for a message in either language. */
export function namedValues(allowed: readonly AllowedValue[]): { readonly en: string; readonly zh: string } {
  return {
    en: allowed.map((it) => namedValue(it, 'en')).join(', '),
    zh: allowed.map((it) => namedValue(it, 'zh')).join('、'),
  };
}

/** Values by the folded texts that a cell may contain for them: a name in either language, or value and name. */
export function valuesByName(allowed: readonly AllowedValue[]): ReadonlyMap<string, string | number> {
  const languages = ['en', 'zh'] as const;
  return new Map(
    allowed.flatMap((it) =>
      languages.flatMap((language) =>
        [nameOf(it, language), namedValue(it, language)].map((text) => [fold(text), it.value] as const),
      ),
    ),
  );
}

/** One field of a request or reply. Checks, templates and listings are all derived from these. */
export interface Field {
  readonly name: string;
  readonly type: FieldType;
  /** Requests: the field is required. Replies, whose tables do not mark this (§2.1, §2.2, §2.4 on): unreadable without it. */
  readonly required: boolean;
  /** Description in one line. */
  readonly meaning: string;
  /** Where the interface defines it, `§2.3`. */
  readonly section: string;
  /** The closed list of values, if the interface has one. */
  readonly values?: readonly AllowedValue[];
  /** Members of an object or of an object array's elements; may be a getter, as `children` contains itself. */
  readonly fields?: readonly Field[];
  /** The number (Long, Integer) or Date is a point in time and is read from a date cell. */
  readonly date?: boolean;
  /** An end date: a day without a time means the day's last instant, unless a job specifies otherwise. */
  readonly end?: boolean;
  /** For a date: 0 is allowed and means "no date". */
  readonly zeroIsNone?: boolean;
  /** An identifier (id, number, code, account): invisible characters and changes by spreadsheets are errors. */
  readonly identifier?: boolean;
  /**
   * Request fields: it identifies the subject of the request. A reply that contains the field with another value belongs to
   * another request (`must_match`), or causes a warning (`warn`).
   */
  readonly echo?: 'must_match' | 'warn';
  /** The identifier is an asset number: ASCII letters, digits, `-`, `_` and `.` only. */
  readonly unbroken?: boolean;
  /**
   * The identifier may also be a person's name, an address or a password: texts for "no value", quotes and look-alike characters
   * are allowed.
   */
  readonly freeText?: boolean;
  /** The identifier is one phone number: digits, `+`, blanks and `-`. */
  readonly phone?: boolean;
  /** Text that represents a time. `duration`: years-months-days, `1-0-0`; `time`: the form isn't specified. */
  readonly form?: 'duration' | 'time';
  /** Smallest allowed number; without it a number may be negative. */
  readonly least?: number;
  /** Location in the request; `body` if absent. */
  readonly in?: 'body' | 'query' | 'path';
  /** Operation shapes: the value if the map omits the field, or its cell is empty; never together with `required`. */
  readonly default?: Json;
  /**
   * Operation shapes: the program generates the value if the map omits the field; never together with `required`. If it is
   * mapped, every row must have a value: mixing given and generated numbers is never intended.
   */
  readonly generated?: boolean;
}

/** True for a point in time, read from a date cell: a Date, or a number that represents one. */
export function isDateField(field: Field): boolean {
  return field.type === 'Date' || field.date === true;
}

/** True for a constant of `values` that means "no value" (contract section 4, "Identifiers"). */
export function meansNoValue(constant: unknown, field: Field): boolean {
  return constant === 'none' && (field.identifier === true || isDateField(field));
}

/** True for a field with members. */
export function isNested(field: Field): boolean {
  return field.type === 'object' || field.type === 'object array';
}

/** Identifies a table by its field names, because a derived table that contains itself is another array. */
export function tableName(fields: readonly Field[]): string {
  return fields.map((it) => it.name).join(' ');
}

/** All fields without members, with their paths, but not those of a table within itself (`children` in `children`). */
export function* leafFields(
  fields: readonly Field[],
  path: readonly string[] = [],
  above: readonly string[] = [],
): Generator<{ readonly path: readonly string[]; readonly field: Field }> {
  const table = tableName(fields);
  if (above.includes(table)) return;
  for (const field of fields) {
    const at = [...path, field.name];
    if (isNested(field)) yield* leafFields(field.fields ?? [], at, [...above, table]);
    else yield { path: at, field };
  }
}

/** True if a map without the field can't be loaded. */
export function isNeeded({ required, generated, default: byDefault }: Field): boolean {
  return required && generated !== true && byDefault === undefined;
}

/** The option of a column for the field in jobs without a map and in generated jobs. The only rule for end dates. */
export function endOption(field: Field): { readonly end?: 'day' } {
  return field.end === true && isDateField(field) ? { end: 'day' } : {};
}

/** A violation of a field table by a value. */
export interface ShapeProblem {
  /** With indexes: `orderList[0].assets[1].assetNos`. */
  readonly path: string;
  readonly problem: 'missing' | 'type' | 'value' | 'unknown';
  /** The expected type or value, in terms of the field table. */
  readonly expected: string;
}
