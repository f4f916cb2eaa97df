import { message } from '../../errors/message.js';
import type { ColumnLeaf } from '../../model/map.js';
import { compileFormat, type DateFormat } from '../convert/date-format.js';
import { type ConverterOptions, fieldConverter, isDateField } from '../convert/field-converter.js';
import type { LeafPlan } from '../plan.js';
import { convertConstant } from './constant.js';
import type { LeafPlace, LeafSetting } from './place.js';
import { readingOf, readingOfDefault } from './reading.js';

/** Binds a column with its options. */
export function bindColumn(leaf: ColumnLeaf, place: LeafPlace, setting: LeafSetting): LeafPlan | undefined {
  const { field, path } = place;
  const header = place.table.find(leaf.column, leaf.at);
  const options = columnOptions(leaf, place, setting);
  const plain = fieldConverter(field, { ...options, values: undefined });
  for (const it of leaf.values?.values() ?? []) convertConstant(plain, it, leaf, place, setting);
  const standIn =
    leaf.default === undefined ? undefined : convertConstant(plain, leaf.default, leaf, place, setting);
  if (!header) return undefined;
  const { column } = header;
  const convert = fieldConverter(field, options);
  const whenEmpty = standIn?.kind === 'value' ? standIn : readingOfDefault(field);
  return {
    kind: 'leaf',
    name: field.name,
    path,
    field,
    columns: [column],
    headers: [header.text],
    read(row) {
      const cell = row.cell(column);
      return cell ? readingOf(convert(cell), column, whenEmpty) : whenEmpty;
    },
  };
}

/** The options that fit the field's type; the others are problems. */
function columnOptions(leaf: ColumnLeaf, { field, path }: LeafPlace, setting: LeafSetting): ConverterOptions {
  const at = { line: leaf.at.line, column: leaf.at.column, field: path };
  const misplaced = (option: string): void => {
    setting.problems.add('map', message('mapping.option_misplaced', { ...at, option, type: field.type }));
  };
  const date = isDateField(field);
  if (leaf.split !== undefined && field.type !== 'String array') misplaced('split');
  if (leaf.end !== undefined && !date) misplaced('end');
  let format: DateFormat | undefined;
  if (leaf.format !== undefined) {
    const compiled = compileFormat(leaf.format);
    if (!date) misplaced('format');
    else if (compiled.ok) format = compiled.format;
    else {
      const params = { ...at, format: leaf.format };
      setting.problems.add(
        'map',
        compiled.part === ''
          ? message('mapping.format_incomplete', params)
          : message('mapping.format_unknown', { ...params, part: compiled.part }),
      );
    }
  }
  return {
    zone: setting.zone,
    unit: setting.unit,
    split: leaf.split,
    format,
    end: leaf.end,
    values: leaf.values,
  };
}
