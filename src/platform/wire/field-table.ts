import type { Field, FieldType } from '../../model/field.js';

type Marks = Omit<
  Field,
  'name' | 'type' | 'required' | 'meaning' | 'section' | 'fields' | 'default' | 'generated'
>;

type MakeField = (name: string, type: FieldType, meaning: string, marks?: Marks) => Field;

interface FieldTable {
  /** A required field. */
  readonly must: MakeField;
  /** An optional field. */
  readonly may: MakeField;
}

/** Constructors of the fields of one section of the interface. */
export function fieldTable(section: string): FieldTable {
  const make =
    (required: boolean): MakeField =>
    (name, type, meaning, marks = {}) => ({ name, type, required, meaning, section, ...marks });
  return { must: make(true), may: make(false) };
}

/** The field with members; a function, so that a table may contain itself (`children`). */
export function within(field: Field, members: () => readonly Field[]): Field {
  return {
    ...field,
    get fields() {
      return members();
    },
  };
}

/** Attributes shared by many fields. */
export const IDENTIFIER = { identifier: true } as const;
/** Identifies the subject of the request: a reply that repeats it must have the same value. */
export const KEY = { identifier: true, echo: 'must_match' } as const;
/** An identifier, a person's name, an address or a password. */
export const FREE_IDENTIFIER = { identifier: true, freeText: true } as const;
/** The number of a lock or another asset. */
export const ASSET_NUMBER = { identifier: true, unbroken: true } as const;
export const TIME = { date: true } as const;
/** The end of a period: a date means the end of that day. */
export const END_TIME = { date: true, end: true } as const;
/** The end of a trial: 0 if there is none. */
export const TRIAL_END = { date: true, end: true, zeroIsNone: true } as const;
/** A count, a quantity or a duration. */
export const NOT_NEGATIVE = { least: 0 } as const;
export const DURATION = { form: 'duration' } as const;
export const IN_QUERY = { in: 'query' } as const;
export const IN_PATH = { in: 'path' } as const;

/** The path prefix of the order service (§4.2). */
export const ORDER_SERVICE = '/order/api/order/v1';
