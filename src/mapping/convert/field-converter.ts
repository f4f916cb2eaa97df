import type { Field } from '../../model/field.js';
import type { Scalar } from '../../model/map.js';
import { fold } from '../../util/fold.js';
import type { Zone } from '../../util/zoned-time.js';
import { allowedConverter } from './allowed.js';
import { convertBoolean } from './boolean.js';
import { type Convert, type Converted, cellFault, EMPTY, fault, textCell } from './conversion.js';
import { dateConverter } from './date.js';
import type { DateFormat } from './date-format.js';
import { listedValuesConverter } from './listed-values.js';
import { stringConverter } from './string.js';
import { stringArrayConverter } from './string-array.js';
import { isBlank } from './text.js';
import { wholeNumberConverter } from './whole-number.js';

export interface ConverterOptions {
  readonly zone: Zone;
  readonly unit: 'milliseconds' | 'seconds';
  readonly split?: string | undefined;
  readonly format?: DateFormat | undefined;
  readonly end?: 'day' | undefined;
  readonly values?: ReadonlyMap<string, Scalar> | undefined;
}

/** Whether a field is read from a date cell (contract section 4). */
export function isDateField(field: Field): boolean {
  return field.type === 'Date' || field.date === true;
}

/** The conversion of any cell to a field that isn't an object: blank cells, faulty ones and `values` included. */
export function fieldConverter(field: Field, options: ConverterOptions): Convert {
  const convert =
    field.type === 'String array'
      ? stringArrayConverter(options.split, isIdentifier(field), partConverter(field, options.values))
      : withListed(scalarConverter(field, options), options.values);
  return (cell) => {
    const wrong = cellFault(cell);
    if (wrong) return fault(wrong);
    return isBlank(cell.text) ? EMPTY : convert(cell);
  };
}

/** A constant of a job file as the text that a cell would hold. */
export function scalarText(it: Scalar): string {
  if (typeof it !== 'number' || !Number.isInteger(it)) return String(it);
  return BigInt(it).toString();
}

function scalarConverter(field: Field, options: ConverterOptions): Convert {
  const convert = byType(field, options);
  return field.values ? allowedConverter(convert, field.values, options.values?.keys()) : convert;
}

function byType(field: Field, options: ConverterOptions): Convert {
  if (isDateField(field)) return dateConverter(options);
  if (field.type === 'Integer' || field.type === 'Long') return wholeNumberConverter(field.type);
  return field.type === 'Boolean' ? convertBoolean : stringConverter(isIdentifier(field));
}

/** What each part of a String array passes beyond being cleaned text; undefined: nothing. */
function partConverter(field: Field, values: ConverterOptions['values']): Convert | undefined {
  const keep: Convert = (cell) => ({ kind: 'value', value: cell.text });
  if (!field.values && !values) return undefined;
  return withListed(field.values ? allowedConverter(keep, field.values, values?.keys()) : keep, values);
}

function withListed(convert: Convert, values: ConverterOptions['values']): Convert {
  if (!values || values.size === 0) return convert;
  const listed = new Map<string, Converted>();
  for (const [text, it] of values) listed.set(fold(text), convert(textCell(scalarText(it))));
  return listedValuesConverter(convert, listed);
}

/** A value of a closed list is a word, not prose: spaces around it mean nothing. */
function isIdentifier(field: Field): boolean {
  return field.identifier === true || field.values !== undefined;
}
