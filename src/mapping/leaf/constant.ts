import { message } from '../../errors/message.js';
import { type Field, namedValues } from '../../model/field.js';
import type { Json } from '../../model/json.js';
import { type MapLeaf, type Scalar, shownPlace, type ValueLeaf } from '../../model/map.js';
import type { BoundLeaf } from '../bound-entry.js';
import { type Convert, type Converted, textCell } from '../convert/conversion.js';
import { type ConverterOptions, fieldConverter, scalarText } from '../convert/field-converter.js';
import { boundLeaf, type LeafPlace, type LeafSetting, readingOf, readingOfDefault } from './leaf-reading.js';

/** Binds the default of an unmapped field. */
export function defaultLeaf(field: Field, path: string, value: Json): BoundLeaf {
  return constantLeaf(field, path, { kind: 'value', value });
}

/** Binds `{ value }`. */
export function bindConstant(leaf: ValueLeaf, place: LeafPlace, setting: LeafSetting): BoundLeaf | undefined {
  const { field, path } = place;
  const convert = constantConverter(field, setting);
  if (!Array.isArray(leaf.value)) {
    const converted = convertConstant(convert, leaf.value as Scalar, leaf, place, setting);
    return converted && constantLeaf(field, path, converted);
  }
  const list = leaf.value as readonly Scalar[];
  if (field.type !== 'String array') {
    refuseConstant(list.join(', '), leaf, place, setting);
    return undefined;
  }
  const found = new Set<Json>();
  for (const constant of list) {
    const converted = convertConstant(convert, constant, leaf, place, setting);
    if (!converted) return undefined;
    if (converted.kind === 'value') for (const text of converted.value as readonly string[]) found.add(text);
  }
  if (found.size === 0 && field.required) {
    refuseConstant('[]', leaf, place, setting);
    return undefined;
  }
  return constantLeaf(field, path, { kind: 'value', value: [...found] });
}

/**
 * The conversion of a field's constants. They are never split into several values. A date may always be in ISO 8601, even if the
 * cells have another format.
 */
export function constantConverter(field: Field, options: ConverterOptions): Convert {
  const constantOptions = { ...options, split: '', trusted: true };
  const plain = fieldConverter(field, { ...constantOptions, formats: undefined });
  if (!options.formats || options.formats.length === 0) return plain;
  const byFormat = fieldConverter(field, constantOptions);
  return (cell) => {
    const read = byFormat(cell);
    return read.kind === 'fault' ? plain(cell) : read;
  };
}

/** Converts a constant of the map; undefined, with a problem added, if it doesn't fit the field. */
export function convertConstant(
  convert: Convert,
  constant: Scalar,
  leaf: MapLeaf,
  place: LeafPlace,
  setting: LeafSetting,
): Converted | undefined {
  const converted = convert(textCell(scalarText(constant)));
  const isMissing = converted.kind === 'empty' && place.field.required;
  const { line, column } = shownPlace(leaf.at);
  if (converted.kind !== 'fault' && !isMissing) {
    if (converted.kind === 'empty' || converted.warning === undefined) return converted;
    // The warning concerns the job file, so that it is reported once and not for each row.
    setting.warnings.push(converted.warning({ cell: `map ${line}:${column}`, field: place.field.name }));
    return { kind: 'value', value: converted.value };
  }
  refuseConstant(String(constant), leaf, place, setting);
  const why = converted.kind === 'fault' && !place.field.values ? converted.message : undefined;
  if (why) setting.problems.note(`${line}:${column}`, why);
  return undefined;
}

function refuseConstant(
  shown: string,
  leaf: MapLeaf,
  { field, path }: LeafPlace,
  setting: LeafSetting,
): void {
  const expected = field.values ? namedValues(field.values) : field.type;
  const { line, column } = shownPlace(leaf.at);
  const params = { line, column, field: path, value: shown, expected };
  setting.problems.add('map', message('mapping.constant_unfit', params));
}

function constantLeaf(field: Field, path: string, converted: Converted): BoundLeaf {
  const reading = readingOf(converted, undefined, readingOfDefault(field));
  return boundLeaf({ field, path }, [], () => reading);
}
