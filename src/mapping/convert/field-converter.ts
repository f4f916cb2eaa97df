import { message } from '../../errors/message.js';
import { type AllowedValue, type Field, isDateField, namedValues, valuesByName } from '../../model/field.js';
import type { Scalar } from '../../model/map.js';
import { nearest } from '../../util/name-match.js';
import { fold, isBlank, readBoolean } from '../../util/text.js';
import {
  type CellValue,
  type Convert,
  type Converted,
  cellFault,
  EMPTY,
  excerpt,
  fault,
  textCell,
  value,
} from './conversion.js';
import { type DateSetting, dateConverter } from './date.js';
import { cellText, stringConverter, type TextOptions, textCleaner } from './string.js';
import { trimInvisible } from './text.js';
import { groupingFault } from './text-errors.js';
import { wholeNumberConverter } from './whole-number.js';

/** Errors of a word for a number or a boolean. They are replaced if the field or column has a list of allowed words. */
const IS_A_WORD: ReadonlySet<string> = new Set(['mapping.not_whole', 'mapping.not_boolean']);

/**
 * Adds the check of the field's closed list, whose values a cell may also name in either language. An error lists values and
 * names, and the nearest one.
 * @param allowed absent: any value of its type
 * @param words texts that the column's `values` translates; if there are any, an error names them instead
 */
function allowedConverter(
  convert: Convert,
  allowed: readonly AllowedValue[] | undefined,
  words: Iterable<string> = [],
): Convert {
  const values = allowed && new Set<unknown>(allowed.map((it) => it.value));
  const names = valuesByName(allowed ?? []);
  const listed = [...(allowed ?? []).map((it) => String(it.value)), ...names.keys()];
  const written = [...words];
  const all =
    written.length > 0 || !allowed
      ? { en: written.join(', '), zh: written.join('、') }
      : namedValues(allowed);
  return (cell): Converted => {
    const converted = convert(cell);
    if (converted.kind === 'value' && values?.has(converted.value)) return converted;
    const named = names.get(fold(cell.shown ?? cell.text));
    if (named !== undefined) return value(named);
    if (converted.kind === 'value' ? !values : !isWord(converted)) return converted;
    const text = excerpt(cell.text);
    const near = nearest(text, [...written, ...listed]);
    return fault(
      near === undefined
        ? message('mapping.not_allowed', { text, allowed: all })
        : message('mapping.not_allowed_nearest', { text, nearest: near, allowed: all }),
    );
  };
}

function isWord(converted: Converted): boolean {
  return converted.kind === 'fault' && IS_A_WORD.has(converted.message.code);
}

/** Commas, semicolons, enumeration commas (also full-width) and line breaks (contract section 4). */
const SEPARATORS = /[,;、，；\r\n]/;
const APOSTROPHE = /^'(?=[\d+\-=@])/;

/** The separators in a column's `split`; undefined if it is empty: the cell is a single value. */
function separators(split: string | undefined): RegExp | undefined {
  if (split === undefined) return SEPARATORS;
  if (split === '') return undefined;
  return new RegExp(`[${split.replace(/[\\\]^-]/g, '\\$&')}]`, 'u');
}

/**
 * String array: the distinct parts of the cell's text, trimmed, without empty ones.
 * @param each converts one part
 */
function stringArrayConverter(
  field: Field,
  { split, ...options }: TextOptions & { readonly split?: string | undefined },
  each: Convert,
): Convert {
  const between = separators(split);
  const partsOf = (text: string): readonly string[] =>
    (between ? text.split(between) : [text]).map(trimInvisible).filter((part) => part !== '');
  return (cell: CellValue): Converted => {
    const converted = cellText(cell, field, options);
    if (converted.kind !== 'value') return converted;
    const whole = converted.value as string;
    const isMarked = cell.kind === 'text' && whole !== cell.text;
    const isChecked = cell.kind === 'text' && field.freeText !== true && options.trusted !== true;
    const grouped = isChecked ? groupingFault(whole) : undefined;
    if (grouped) return fault(grouped);
    const found = new Set<string>();
    let { warning } = converted;
    for (const text of partsOf(whole)) {
      const cleaned = each(textCell(isMarked ? text.replace(APOSTROPHE, '') : text));
      if (cleaned.kind === 'fault') return cleaned;
      if (cleaned.kind === 'empty') continue;
      warning ??= cleaned.warning;
      // `values` may translate a text to an array.
      if (Array.isArray(cleaned.value)) for (const it of cleaned.value) found.add(String(it));
      else found.add(cleaned.value as string);
    }
    if (found.size === 0) return EMPTY;
    const former =
      converted.former === undefined ? undefined : [...new Set(partsOf(converted.former as string))];
    if (warning === undefined && former === undefined) return value([...found]);
    return { kind: 'value', value: [...found], warning, former };
  };
}

/** Texts of a column with `values` whose results are cached. */
const CACHED_TEXTS = 1000;

export interface ConverterOptions extends DateSetting, TextOptions {
  readonly split?: string | undefined;
  /** The column's `values`: converted values by the cell's text. */
  readonly values?: ReadonlyMap<string, Converted> | undefined;
}

/** The conversion of any cell for a field that isn't an object. Handles blank and invalid cells and `values`. */
export function fieldConverter(field: Field, options: ConverterOptions): Convert {
  const convert =
    field.type === 'String array'
      ? stringArrayConverter(field, options, partConverter(field, options))
      : withListed(withAllowed(byType(field, options), field, options.values), options.values);
  return (cell) => {
    const invalid = cellFault(cell);
    if (invalid) return fault(invalid);
    return isBlank(cell.text) ? EMPTY : convert(cell);
  };
}

/** A constant of a job file as a cell's text. */
export function scalarText(constant: Scalar): string {
  if (typeof constant !== 'number' || !Number.isInteger(constant)) return String(constant);
  return BigInt(constant).toString();
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

/** For a field with a closed list, or a column that translates words, the error for another word lists them. */
function withAllowed(convert: Convert, field: Field, values: ConverterOptions['values']): Convert {
  if (!field.values && (values?.size ?? 0) === 0) return convert;
  return allowedConverter(convert, field.values, values?.keys());
}

/** Adds the column's `values`, compared folded. Any other text is converted by the field's type. */
function withListed(convert: Convert, values: ConverterOptions['values']): Convert {
  if (!values || values.size === 0) return convert;
  const listed = new Map<string, Converted>();
  for (const [text, it] of values) listed.set(fold(text), it);
  // Folding is slow, and such columns have few distinct texts, so that caching is worthwhile.
  const cache = new Map<string, Converted | undefined>();
  return (cell) => {
    // The shown text is compared first, because users list what they see; the stored number is accepted too.
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
