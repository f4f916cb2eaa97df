import { message } from '../../errors/message.js';
import { meansNoValue } from '../../model/field.js';
import { type ColumnLeaf, type FromLeaf, shownPlace } from '../../model/map.js';
import { compileFormat, type DateFormat } from '../../util/date-format.js';
import type { BoundLeaf } from '../bound-entry.js';
import { type Converted, convertAll, excerpt, textCell } from '../convert/conversion.js';
import { type ConverterOptions, fieldConverter } from '../convert/field-converter.js';
import { givenValue } from '../given-value.js';
import { stepValue } from '../steps/step-columns.js';
import { constantConverter, convertConstant } from './constant.js';
import {
  type BindLeaf,
  boundLeaf,
  faultAt,
  type LeafPlace,
  type LeafSetting,
  readingOf,
  readingOfDefault,
} from './leaf-reading.js';

/** Binds a column with its options. */
export function bindColumn(leaf: ColumnLeaf, place: LeafPlace, setting: LeafSetting): BoundLeaf | undefined {
  const { field } = place;
  const header = place.table.find(leaf.column, leaf.at);
  const options = columnOptions(leaf, place, setting);
  const constants = constantConverter(field, options);
  const values = new Map<string, Converted>();
  for (const [text, constant] of leaf.values ?? []) {
    const converted = meansNoValue(constant, field)
      ? noValue(leaf, place, setting)
      : convertConstant(constants, constant, leaf, place, setting);
    if (converted) values.set(text, converted);
  }
  const defaultValue =
    leaf.default === undefined ? undefined : convertConstant(constants, leaf.default, leaf, place, setting);
  if (!header) return undefined;
  const { column } = header;
  const isIdentifier = field.identifier === true && field.freeText !== true;
  place.table.use(column, leaf.asIs ? 'as is' : isIdentifier ? 'identifier' : 'other text');
  const convert = fieldConverter(field, { ...options, values });
  const whenEmpty = defaultValue?.kind === 'value' ? defaultValue : readingOfDefault(field);
  const bound = boundLeaf(place, [header], (row) => {
    const cell = row.cell(column);
    return cell ? readingOf(convert(cell), column, whenEmpty) : whenEmpty;
  });
  const { path } = place;
  const words = [...(leaf.values?.keys() ?? [])];
  const formats = (options.formats ?? []).map(({ source }) => source);
  const read = (text: string) => convert(textCell(text)).kind;
  const meaning = { column, field, path, words, formats, read };
  const takes = field.identifier === true && leaf.asIs !== true ? 'digits' : undefined;
  return { ...bound, meaning, takes };
}

function columnOptions(leaf: ColumnLeaf, { field, path }: LeafPlace, setting: LeafSetting): ConverterOptions {
  const { split, end, time, asIs } = leaf;
  if (end !== undefined) setting.ends.add(path);
  const formats = [leaf.format ?? []].flat().map((source): DateFormat => {
    const compiled = compileFormat(source);
    // Loading the job has already compiled it.
    if (!compiled.ok) throw new Error(`unchecked date format of ${field.name}: ${source}`);
    return compiled.format;
  });
  return { zone: setting.zone, unit: setting.unit, split, formats, end, time, asIs };
}

/** The conversion of a text that means "no value"; undefined, with a problem added, if the field requires a value. */
function noValue(leaf: ColumnLeaf, place: LeafPlace, setting: LeafSetting): Converted | undefined {
  if (place.field.zeroIsNone === true) return { kind: 'value', value: 0 };
  // A list may have other elements.
  if (!place.field.required || place.field.type === 'String array') return { kind: 'empty', leftOut: true };
  setting.problems.add(
    'map',
    message('mapping.none_required', { ...shownPlace(leaf.at), field: place.path }),
  );
  return undefined;
}

/**
 * Binds `{ from, else }`: the result of an earlier step for the row. A row that was excluded from that step takes the leaf after
 * `else`. Errors are reported at that leaf's column, otherwise at the row as a whole, because a result has no cell.
 */
export function bindFrom(
  leaf: FromLeaf,
  place: LeafPlace,
  setting: LeafSetting,
  bindLeaf: BindLeaf,
): BoundLeaf | undefined {
  const { field } = place;
  const otherwise = leaf.else && bindLeaf(leaf.else, place, setting);
  if (leaf.else && !otherwise) return undefined;
  // Loading a job of one operation rejects `from`.
  if (!setting.steps) throw new Error('a job of one operation takes nothing from steps');
  const source = setting.steps.find(leaf.step, leaf.field);
  const from = `${leaf.step}.${leaf.field}`;
  const takesList = field.type === 'String array';
  const { zone, unit } = setting;
  const convert = fieldConverter(field, { zone, unit, split: '', trusted: true });
  const whenEmpty = readingOfDefault(field);
  const column = otherwise?.columns[0];

  const bound = boundLeaf(place, [{ ...source, text: `step.${from}`, folded: '' }], (row, answers) => {
    const result = stepValue(row.cell(source.column));
    if (result.kind === 'left_out') return otherwise ? otherwise.read(row, answers) : whenEmpty;
    if (result.kind === 'given') {
      const value = givenValue(field, `${from} ${result.id}`, setting.unit);
      return { kind: 'value', value, given: source.given };
    }
    const { texts } = result;
    const [only, second] = texts;
    if (only === undefined) return whenEmpty;
    if (!takesList && second !== undefined) {
      const params = { from, count: texts.length, field: field.name };
      return faultAt(column, message('mapping.from_several', params));
    }
    const converted = takesList ? convertAll(texts, convert) : convert(textCell(only));
    if (converted.kind !== 'fault') return readingOf(converted, column, whenEmpty);
    const params = { from, value: excerpt(only), detail: converted.message };
    return faultAt(column, message('mapping.from_unfit', params));
  });
  return {
    ...bound,
    columns: [...(otherwise?.columns ?? []), ...bound.columns],
    headers: [...(otherwise?.headers ?? []), ...bound.headers],
    whyEmpty(row) {
      const result = stepValue(row.cell(source.column));
      if (result.kind !== 'left_out') return message('mapping.from_nothing', { from });
      return otherwise
        ? otherwise.whyEmpty?.(row)
        : message('mapping.from_left_out', { from, step: leaf.step });
    },
  };
}
