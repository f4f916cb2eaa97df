import { message } from '../../errors/message.js';
import type { Field } from '../../model/field.js';
import type { TemplateLeaf } from '../../model/map.js';
import type { Cell, Header } from '../../model/row.js';
import type { BoundLeaf } from '../bound-entry.js';
import {
  type Converted,
  EMPTY,
  excerpt,
  fault,
  textCell,
  value,
  type Warning,
  withSeen,
} from '../convert/conversion.js';
import { fieldConverter } from '../convert/field-converter.js';
import { cellText } from '../convert/string.js';
import { trimInvisible } from '../convert/text.js';
import { faultOfDitto, groupingFault, identifierFault, mangledIdentifier } from '../convert/text-errors.js';
import {
  boundLeaf,
  faultAt,
  invalidCells,
  type LeafPlace,
  type LeafSetting,
  readingOf,
  readingOfDefault,
} from './leaf-reading.js';

/** Binds `{ template }`. It is empty if all its cells are. An identifier with only some cells filled is an error. */
export function bindTemplate(
  leaf: TemplateLeaf,
  place: LeafPlace,
  setting: LeafSetting,
): BoundLeaf | undefined {
  const { field, table } = place;
  const parts: (string | number)[] = [];
  const headers = new Map<number, Header>();
  let complete = true;
  for (const part of leaf.parts) {
    const header = typeof part === 'string' ? undefined : table.find(part.column, leaf.at);
    if (typeof part === 'string') parts.push(part);
    else if (header) {
      parts.push(header.column);
      headers.set(header.column, header);
    } else complete = false;
  }
  if (!complete) return undefined;
  const columns = [...headers.keys()];
  const convert = fieldConverter(field, setting);
  const whenEmpty = readingOfDefault(field);
  const bound = boundLeaf(place, [...headers.values()], (row) => {
    const faults = invalidCells(row, columns);
    if (faults.length > 0) return { kind: 'faults', faults };
    const gaps: number[] = [];
    let text = '';
    let former = '';
    let warning: Warning | undefined;
    for (const part of parts) {
      if (typeof part === 'string') {
        text += part;
        former += part;
        continue;
      }
      const converted = partText(row.cell(part), field);
      if (converted.kind === 'fault') return faultAt(part, converted.message);
      if (converted.kind === 'empty') gaps.push(part);
      else {
        text += converted.value as string;
        former += (converted.former ?? converted.value) as string;
        warning ??= converted.warning;
      }
    }
    if (columns.length > 0 && columns.every((it) => gaps.includes(it))) return whenEmpty;
    // An incomplete identifier may be that of something else.
    if (gaps.length > 0 && field.identifier) {
      const why = message('mapping.template_gap', { template: leaf.source });
      return { kind: 'faults', faults: gaps.map((column) => ({ column, message: why })) };
    }
    const reading = readingOf(convert(textCell(text)), columns[0], whenEmpty);
    if (reading.kind !== 'value' || (warning === undefined && former === text)) return reading;
    return { ...reading, warning: reading.warning ?? warning, former: former === text ? undefined : former };
  });
  return field.identifier === true ? { ...bound, takes: 'digits' } : bound;
}

/**
 * A cell's text for a template. A text field accepts only text that was typed, and also dates and times if it is not an
 * identifier, because they may be intended in prose.
 */
function partText(cell: Cell | undefined, field: Field): Converted {
  const trimmed = trimInvisible(cell?.text ?? '');
  if (!cell || trimmed === '') return EMPTY;
  const isText = field.type === 'String' || field.type === 'String array';
  if (!isText) return value(trimmed);
  if (cell.kind === 'text') {
    // Checked here, because the complete text no longer shows it.
    const mangled =
      faultOfDitto(trimmed) ?? (field.identifier === true ? mangledIdentifier(trimmed) : undefined);
    if (mangled) return fault(mangled);
    if (field.identifier !== true || field.freeText === true) return withSeen(value(trimmed), cell);
    const identifier = cell.identifier ?? trimmed;
    const invalid = groupingFault(identifier) ?? identifierFault(identifier);
    return invalid ? fault(invalid) : cellText({ ...cell, text: trimmed }, field);
  }
  if (cell.kind !== 'date' && cell.kind !== 'time' && cell.kind !== 'duration') return cellText(cell, field);
  if (field.identifier !== true) return value(trimmed);
  return fault(message('mapping.date_in_template', { text: excerpt(cell.text) }));
}
