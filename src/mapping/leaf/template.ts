import { message } from '../../errors/message.js';
import type { Cell } from '../../model/cell.js';
import type { Field } from '../../model/field.js';
import type { TemplateLeaf } from '../../model/map.js';
import type { Header } from '../../model/row.js';
import type { BoundLeaf, CellFault } from '../bound-entry.js';
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
import { faultOfDitto, mangledIdentifier } from '../convert/mangled-text.js';
import { cellText } from '../convert/string.js';
import { trimInvisible } from '../convert/text.js';
import { groupingFault, identifierFault } from '../convert/text-faults.js';
import type { LeafPlace, LeafSetting } from './place.js';
import { boundLeaf, faultyCells, readingOf, readingOfDefault } from './reading.js';

/** Binds `{ template }`. It is empty if all its cells are; an identifier with only some cells filled is a fault. */
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
  return boundLeaf(place, [...headers.values()], (row) => {
    const faults = faultyCells(row, columns);
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
      const put = partText(row.cell(part), field);
      if (put.kind === 'fault') return { kind: 'faults', faults: [{ column: part, message: put.message }] };
      if (put.kind === 'empty') gaps.push(part);
      else {
        text += put.value as string;
        former += (put.former ?? put.value) as string;
        warning ??= put.warning;
      }
    }
    if (columns.length > 0 && columns.every((it) => gaps.includes(it))) return whenEmpty;
    // An incomplete identifier may be the identifier of something else.
    if (gaps.length > 0 && field.identifier) {
      return { kind: 'faults', faults: gaps.map((column) => gap(column, leaf.source)) };
    }
    const reading = readingOf(convert(textCell(text)), columns[0], whenEmpty);
    if (reading.kind !== 'value' || (warning === undefined && former === text)) return reading;
    return { ...reading, warning: reading.warning ?? warning, former: former === text ? undefined : former };
  });
}

/**
 * A cell's text for a template. Text fields take only what was typed (see `nonTextCell`), except for a date in prose, where
 * it may be intended.
 */
function partText(cell: Cell | undefined, field: Field): Converted {
  const trimmed = trimInvisible(cell?.text ?? '');
  if (!cell || trimmed === '') return EMPTY;
  const isText = field.type === 'String' || field.type === 'String array';
  if (!isText) return value(trimmed);
  if (cell.kind === 'text') {
    // Checked here, as the whole text would no longer show it.
    const wrong =
      faultOfDitto(trimmed) ?? (field.identifier === true ? mangledIdentifier(trimmed) : undefined);
    if (wrong) return fault(wrong);
    if (field.identifier !== true || field.freeText === true) return withSeen(value(trimmed), cell);
    const taken = cell.identifier ?? trimmed;
    const unlike = groupingFault(taken) ?? identifierFault(taken);
    return unlike ? fault(unlike) : cellText({ ...cell, text: trimmed }, field);
  }
  if (cell.kind !== 'date' && cell.kind !== 'time' && cell.kind !== 'duration') return cellText(cell, field);
  if (field.identifier !== true) return value(trimmed);
  return fault(message('mapping.date_in_template', { text: excerpt(cell.text) }));
}

function gap(column: number, template: string): CellFault {
  return { column, message: message('mapping.template_gap', { template }) };
}
