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
  readonly meaning: string;
}

/** One field of a request or reply. Everything that knows fields (checks, templates, listings) reads these. */
export interface Field {
  readonly name: string;
  readonly type: FieldType;
  /** Requests: must be given. Replies, whose tables have no such mark (§2.1, §2.2, §2.4 on): can't be read without it. */
  readonly required: boolean;
  /** One line for people. */
  readonly meaning: string;
  /** Where the interface defines it, `§2.3`. */
  readonly section: string;
  /** The closed list of values, where the interface gives one. */
  readonly values?: readonly AllowedValue[];
  /** Members of an object or of an object array's elements; may be a getter, as `children` contains itself. */
  readonly fields?: readonly Field[];
  /** The number (Long, Integer) or Date stands for a point in time and is read from a date cell. */
  readonly date?: boolean;
  /**
   * The date is the end of something: a day without a time means the day's last instant, unless a job says otherwise.
   */
  readonly end?: boolean;
  /** Of a date: 0 is taken too and means that there is none. */
  readonly zeroIsNone?: boolean;
  /**
   * Text that names something (ids, numbers, codes, accounts): invisible characters in it are faults, and so is what a
   * spreadsheet made of it.
   */
  readonly identifier?: boolean;
  /**
   * Request fields: it names what the request is about. A reply that repeats the field with another value is about
   * something else (`must_match`), or deserves a look (`warn`).
   */
  readonly echo?: 'must_match' | 'warn';
  /** The identifier is an asset number: ASCII letters, digits, `-`, `_` and `.` only. */
  readonly unbroken?: boolean;
  /**
   * The identifier may also be a person's name, an address or a password: words for nothing, quotes and look-alike
   * characters are no errors in it.
   */
  readonly freeText?: boolean;
  /** The identifier is one phone number: digits, `+`, blanks and `-`. */
  readonly phone?: boolean;
  /** Text that stands for a time. `duration`: years-months-days, `1-0-0`; `time`: its form isn't known. */
  readonly form?: 'duration' | 'time';
  /** Smallest number that can be meant; without it a number may be negative. */
  readonly least?: number;
  /** Where a request carries it; `body` when absent. */
  readonly in?: 'body' | 'query' | 'path';
  /** Operation shapes: goes where the map leaves the field out, or its cell is empty; never together with `required`. */
  readonly default?: Json;
  /**
   * Operation shapes: the program fills it in where the map leaves it out; never together with `required`. Where it
   * is mapped it should be given: nobody means some of the orders to have numbers of their own.
   */
  readonly generated?: boolean;
}

/** Whether a field is a point in time, read from a date cell: a Date, or a number that stands for one. */
export function isDateField(field: Field): boolean {
  return field.type === 'Date' || field.date === true;
}

/** Whether a constant of `values` says that a cell with its text has no value (contract section 4, "Identifiers"). */
export function leavesOut(constant: unknown, field: Field): boolean {
  return constant === 'none' && (field.identifier === true || isDateField(field));
}

/** It has members of its own. */
export function isNested(field: Field): boolean {
  return field.type === 'object' || field.type === 'object array';
}

/** Recognises a table that contains itself by its field names, as a derived table is another array. */
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

/** A map that doesn't give the field can't be loaded. */
export function isNeeded({ required, generated, default: byDefault }: Field): boolean {
  return required && generated !== true && byDefault === undefined;
}

/** The option of a column that feeds the field, in map-less jobs and in all that is generated: the one rule for ends. */
export function endOption(field: Field): { readonly end?: 'day' } {
  return field.end === true && isDateField(field) ? { end: 'day' } : {};
}

/** A fault against a field table, found in a value. */
export interface ShapeProblem {
  /** With indexes: `orderList[0].assets[1].assetNos`. */
  readonly path: string;
  readonly problem: 'missing' | 'type' | 'value' | 'unknown';
  /** What was expected, in words of the field table. */
  readonly expected: string;
}
