import { message } from '../../errors/message.js';
import { isDateField, leavesOut } from '../../model/field.js';
import { type ColumnLeaf, shownPlace } from '../../model/map.js';
import { compileFormat, type DateFormat } from '../../util/date-format.js';
import type { BoundLeaf } from '../bound-entry.js';
import { type Converted, textCell } from '../convert/conversion.js';
import { type ConverterOptions, fieldConverter } from '../convert/field-converter.js';
import { constantConverter, convertConstant } from './constant.js';
import type { LeafPlace, LeafSetting } from './place.js';
import { boundLeaf, readingOf, readingOfDefault } from './reading.js';

/** Binds a column with its options. */
export function bindColumn(leaf: ColumnLeaf, place: LeafPlace, setting: LeafSetting): BoundLeaf | undefined {
  const { field } = place;
  const header = place.table.find(leaf.column, leaf.at);
  const options = columnOptions(leaf, place, setting);
  const constants = constantConverter(field, options);
  const values = new Map<string, Converted>();
  for (const [text, it] of leaf.values ?? []) {
    const converted = leavesOut(it, field)
      ? leftOut(leaf, place, setting)
      : convertConstant(constants, it, leaf, place, setting);
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
  return { ...bound, meaning: { column, field, path, words, formats, read } };
}

/** The options that fit the field's type; the others are problems. */
function columnOptions(leaf: ColumnLeaf, { field, path }: LeafPlace, setting: LeafSetting): ConverterOptions {
  const at = { ...shownPlace(leaf.at), field: path };
  const misplaced = (option: string): void => {
    setting.problems.add('map', message('mapping.option_misplaced', { ...at, option, type: field.type }));
  };
  const date = isDateField(field);
  if (leaf.split !== undefined && field.type !== 'String array') misplaced('split');
  if (leaf.end !== undefined && !date) misplaced('end');
  if (leaf.time !== undefined && !date) misplaced('time');
  if (leaf.end !== undefined) setting.ends.add(path);
  if (leaf.format !== undefined && !date) misplaced('format');
  const formats: DateFormat[] = [];
  for (const source of date ? [leaf.format ?? []].flat() : []) {
    const compiled = compileFormat(source);
    if (compiled.ok) {
      formats.push(compiled.format);
      continue;
    }
    const params = { ...at, format: source };
    setting.problems.add(
      'map',
      compiled.part === ''
        ? message('mapping.format_incomplete', params)
        : message('mapping.format_unknown', { ...params, part: compiled.part }),
    );
  }
  const { split, end, time, asIs } = leaf;
  return { zone: setting.zone, unit: setting.unit, split, formats, end, time, asIs };
}

/** A cell with this text has no value; undefined, with a problem added, if the field requires one. */
function leftOut(leaf: ColumnLeaf, place: LeafPlace, setting: LeafSetting): Converted | undefined {
  if (place.field.zeroIsNone === true) return { kind: 'value', value: 0 };
  // A list may have other parts.
  if (!place.field.required || place.field.type === 'String array') return { kind: 'empty', leftOut: true };
  setting.problems.add(
    'map',
    message('mapping.none_required', { ...shownPlace(leaf.at), field: place.path }),
  );
  return undefined;
}
