import { message } from '../../errors/message.js';
import type { Json } from '../../model/json.js';
import type { FromLeaf } from '../../model/map.js';
import type { BoundLeaf } from '../bound-entry.js';
import { type Convert, type Converted, EMPTY, excerpt, textCell, value } from '../convert/conversion.js';
import { fieldConverter } from '../convert/field-converter.js';
import { givenValue } from '../given-value.js';
import { stepValue } from '../steps/step-columns.js';
import type { BindLeaf, LeafPlace, LeafSetting } from './place.js';
import { boundLeaf, readingOf, readingOfDefault } from './reading.js';

/**
 * Binds `{ from, else }`: what an earlier step returned for the row. A row that was left out of that step takes the leaf
 * after `else`. Faults stand at that leaf's column, or at the row as a whole: a result has no cell.
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
  // Loading a job of one operation refuses `from`.
  if (!setting.steps) throw new Error('a job of one operation takes nothing from steps');
  const source = setting.steps.find(leaf.step, leaf.field);
  const from = `${leaf.step}.${leaf.field}`;
  const takesList = field.type === 'String array';
  const convert = fieldConverter(field, {
    zone: setting.zone,
    unit: setting.unit,
    split: '',
    trusted: true,
  });
  const whenEmpty = readingOfDefault(field);
  const column = otherwise?.columns[0];

  const bound = boundLeaf(place, [{ ...source, text: `step.${from}`, folded: '' }], (row, answers) => {
    const found = stepValue(row.cell(source.column));
    if (found.kind === 'left_out') return otherwise ? otherwise.read(row, answers) : whenEmpty;
    if (found.kind === 'given') {
      return {
        kind: 'value',
        value: givenValue(field, `${from} ${found.id}`, setting.unit),
        given: source.given,
      };
    }
    const { texts } = found;
    const [only, second] = texts;
    if (only === undefined) return whenEmpty;
    if (!takesList && second !== undefined) {
      const params = { from, count: texts.length, field: field.name };
      return { kind: 'faults', faults: [{ column, message: message('mapping.from_several', params) }] };
    }
    const converted = takesList ? convertAll(texts, convert) : convert(textCell(only));
    if (converted.kind !== 'fault') return readingOf(converted, column, whenEmpty);
    const unfit = { from, value: excerpt(only), detail: converted.message };
    return { kind: 'faults', faults: [{ column, message: message('mapping.from_unfit', unfit) }] };
  });
  return {
    ...bound,
    columns: [...(otherwise?.columns ?? []), ...bound.columns],
    headers: [...(otherwise?.headers ?? []), ...bound.headers],
    whyEmpty(row) {
      const found = stepValue(row.cell(source.column));
      if (found.kind !== 'left_out') return message('mapping.from_nothing', { from });
      return otherwise
        ? otherwise.whyEmpty?.(row)
        : message('mapping.from_left_out', { from, step: leaf.step });
    },
  };
}

function convertAll(texts: readonly string[], convert: Convert): Converted {
  const found = new Set<Json>();
  for (const text of texts) {
    const one = convert(textCell(text));
    if (one.kind === 'fault') return one;
    if (one.kind === 'value') for (const it of one.value as readonly Json[]) found.add(it);
  }
  return found.size === 0 ? EMPTY : value([...found]);
}
