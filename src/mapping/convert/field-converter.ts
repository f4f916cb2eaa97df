import { message } from '../../errors/message.js';
import { type Field, isDateField } from '../../model/field.js';
import type { Scalar } from '../../model/map.js';
import { isBlank } from '../../util/blank.js';
import { readBoolean } from '../../util/boolean-words.js';
import { fold } from '../../util/fold.js';
import { allowedConverter } from './allowed.js';
import {
  type CellValue,
  type Convert,
  type Converted,
  cellFault,
  EMPTY,
  excerpt,
  fault,
  value,
} from './conversion.js';
import { type DateSetting, dateConverter } from './date.js';
import { stringConverter, type TextOptions, textCleaner } from './string.js';
import { stringArrayConverter } from './string-array.js';
import { wholeNumberConverter } from './whole-number.js';

/** Texts of a column with `values` whose results are cached. */
const CACHED_TEXTS = 1000;

export interface ConverterOptions extends DateSetting, TextOptions {
  readonly split?: string | undefined;
  /** The column's `values`: converted values by the cell's text. */
  readonly values?: ReadonlyMap<string, Converted> | undefined;
}

/** The conversion of any cell for a field that isn't an object. Handles blank and faulty cells and `values`. */
export function fieldConverter(field: Field, options: ConverterOptions): Convert {
  const convert =
    field.type === 'String array'
      ? stringArrayConverter(field, options, partConverter(field, options))
      : withListed(withAllowed(byType(field, options), field, options.values), options.values);
  return (cell) => {
    const wrong = cellFault(cell);
    if (wrong) return fault(wrong);
    return isBlank(cell.text) ? EMPTY : convert(cell);
  };
}

/** A constant of a job file as a cell's text. */
export function scalarText(it: Scalar): string {
  if (typeof it !== 'number' || !Number.isInteger(it)) return String(it);
  return BigInt(it).toString();
}

function byType(field: Field, options: ConverterOptions): Convert {
  if (isDateField(field)) return dateConverter(field, options);
  if (field.type === 'Integer' || field.type === 'Long') return wholeNumberConverter(field.type, field.least);
  return field.type === 'Boolean' ? convertBoolean : stringConverter(field, options);
}

/** Boolean: from boolean cells, 1 and 0, and the words of contract section 4. */
function convertBoolean(cell: CellValue): Converted {
  const found = readBoolean(cell.text);
  if (found === undefined) return fault(message('mapping.not_boolean', { text: excerpt(cell.text) }));
  return value(found);
}

/** The conversion of each part of a String array. */
function partConverter(field: Field, { values, asIs, trusted }: ConverterOptions): Convert {
  const clean = textCleaner(field, { asIs, trusted });
  return withListed(
    withAllowed((cell) => clean(cell.text), field, values),
    values,
  );
}

/** A field with a closed list, or whose column translates words: what isn't one of them is told by them. */
function withAllowed(convert: Convert, field: Field, values: ConverterOptions['values']): Convert {
  if (!field.values && (values?.size ?? 0) === 0) return convert;
  return allowedConverter(convert, field.values, values?.keys());
}

/** Texts of the column's `values`, compared folded; a text that isn't listed goes to the conversion of its type. */
function withListed(convert: Convert, values: ConverterOptions['values']): Convert {
  if (!values || values.size === 0) return convert;
  const listed = new Map<string, Converted>();
  for (const [text, it] of values) listed.set(fold(text), it);
  // Folding is the slowest step, and such columns have few distinct texts, so the results are cached.
  const cache = new Map<string, Converted | undefined>();
  return (cell) => {
    // The text as shown comes first, as users list what they see; the number behind it is accepted too.
    const text = cell.shown ?? cell.text;
    let found = cache.get(text);
    if (found === undefined && !cache.has(text)) {
      found = listed.get(fold(text)) ?? listed.get(fold(cell.text));
      if (cache.size >= CACHED_TEXTS) cache.clear();
      cache.set(text, found);
    }
    return found ?? convert(cell);
  };
}
