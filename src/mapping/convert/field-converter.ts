import { type Field, isDateField } from '../../model/field.js';
import type { Scalar } from '../../model/map.js';
import { isBlank } from '../../util/blank.js';
import { fold } from '../../util/fold.js';
import { allowedConverter } from './allowed.js';
import { convertBoolean } from './boolean.js';
import { type Convert, type Converted, cellFault, EMPTY, fault } from './conversion.js';
import { type DateSetting, dateConverter } from './date.js';
import { listedValuesConverter } from './listed-values.js';
import { stringConverter, textCleaner } from './string.js';
import { stringArrayConverter } from './string-array.js';
import { wholeNumberConverter } from './whole-number.js';

export interface ConverterOptions extends DateSetting {
  readonly split?: string | undefined;
  /** What texts of the cell stand for, converted. */
  readonly values?: ReadonlyMap<string, Converted> | undefined;
}

/** The conversion of any cell to a field that isn't an object: blank cells, faulty ones and `values` included. */
export function fieldConverter(field: Field, options: ConverterOptions): Convert {
  const convert =
    field.type === 'String array'
      ? stringArrayConverter(field, options.split, partConverter(field, options.values))
      : withListed(withAllowed(byType(field, options), field, options.values), options.values);
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

function byType(field: Field, options: ConverterOptions): Convert {
  if (isDateField(field)) return dateConverter(field, options);
  if (field.type === 'Integer' || field.type === 'Long') return wholeNumberConverter(field.type, field.least);
  return field.type === 'Boolean' ? convertBoolean : stringConverter(field);
}

/** The conversion of each part of a String array. */
function partConverter(field: Field, values: ConverterOptions['values']): Convert {
  const clean = textCleaner(field);
  return withListed(
    withAllowed((cell) => clean(cell.text), field, values),
    values,
  );
}

function withAllowed(convert: Convert, field: Field, values: ConverterOptions['values']): Convert {
  return field.values ? allowedConverter(convert, field.values, values?.keys()) : convert;
}

function withListed(convert: Convert, values: ConverterOptions['values']): Convert {
  if (!values || values.size === 0) return convert;
  const listed = new Map<string, Converted>();
  for (const [text, it] of values) listed.set(fold(text), it);
  return listedValuesConverter(convert, listed);
}
