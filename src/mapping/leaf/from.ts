import type { FromLeaf } from '../../model/map.js';
import { fieldConverter } from '../convert/field-converter.js';
import type { LeafPlan } from '../plan.js';
import type { BindLeaf, LeafPlace, LeafSetting } from './place.js';
import { leafPlan, readingOf, readingOfDefault } from './reading.js';

/** Binds `{ from }`: the result of an earlier step, which stands in a virtual column of the row. */
export function bindFrom(
  leaf: FromLeaf,
  place: LeafPlace,
  setting: LeafSetting,
  bindLeaf: BindLeaf,
): LeafPlan | undefined {
  const header = place.table.find(`step.${leaf.step}.${leaf.field}`, leaf.at);
  const otherwise = leaf.else && bindLeaf(leaf.else, place, setting);
  if (!header) return undefined;
  const convert = fieldConverter(place.field, setting);
  const whenEmpty = readingOfDefault(place.field);
  const plan = leafPlan(place, [header], (row, answers) => {
    const cell = row.cell(header.column);
    if (!cell) return otherwise ? otherwise.read(row, answers) : whenEmpty;
    return readingOf(convert(cell), undefined, whenEmpty);
  });
  return otherwise
    ? {
        ...plan,
        columns: [...otherwise.columns, header.column],
        headers: [...otherwise.headers, header.text],
      }
    : plan;
}
