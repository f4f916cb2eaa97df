import { message } from '../../errors/message.js';
import type { TemplateLeaf } from '../../model/map.js';
import { textCell } from '../convert/conversion.js';
import { fieldConverter } from '../convert/field-converter.js';
import { trimInvisible } from '../convert/text.js';
import type { CellFault, LeafPlan } from '../plan.js';
import type { LeafPlace, LeafSetting } from './place.js';
import { faultyCells, readingOf, readingOfDefault } from './reading.js';

/** Binds `{ template }`: a fault where only some cells of an identifier are filled, left out where none is. */
export function bindTemplate(
  leaf: TemplateLeaf,
  place: LeafPlace,
  setting: LeafSetting,
): LeafPlan | undefined {
  const { field, path, table } = place;
  const parts: (string | number)[] = [];
  const headers = new Map<number, string>();
  let whole = true;
  for (const part of leaf.parts) {
    if (typeof part === 'string') {
      parts.push(part);
      continue;
    }
    const header = table.find(part.column, leaf.at);
    if (header) {
      parts.push(header.column);
      headers.set(header.column, header.text);
    } else whole = false;
  }
  if (!whole) return undefined;
  const columns = [...headers.keys()];
  const convert = fieldConverter(field, { zone: setting.zone, unit: setting.unit });
  const whenEmpty = readingOfDefault(field);
  return {
    kind: 'leaf',
    name: field.name,
    path,
    field,
    columns,
    headers: [...headers.values()],
    read(row) {
      const faults = faultyCells(row, columns);
      if (faults.length > 0) return { kind: 'faults', faults };
      const gaps: number[] = [];
      let text = '';
      for (const part of parts) {
        if (typeof part === 'string') {
          text += part;
          continue;
        }
        const put = trimInvisible(row.cell(part)?.text ?? '');
        if (put === '') gaps.push(part);
        text += put;
      }
      if (columns.length > 0 && columns.every((it) => gaps.includes(it))) return whenEmpty;
      // Half an identifier is another thing's identifier.
      if (gaps.length > 0 && field.identifier) {
        return { kind: 'faults', faults: gaps.map((column) => gap(column, leaf.source)) };
      }
      return readingOf(convert(textCell(text)), columns[0], whenEmpty);
    },
  };
}

function gap(column: number, template: string): CellFault {
  return { column, message: message('mapping.template_gap', { template }) };
}
