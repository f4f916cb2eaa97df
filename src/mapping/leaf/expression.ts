import { message } from '../../errors/message.js';
import { expressionText } from '../../model/cell.js';
import type { Json } from '../../model/json.js';
import { type ExpressionLeaf, shownPlace } from '../../model/map.js';
import type { Header } from '../../model/row.js';
import { isBlank } from '../../util/blank.js';
import { type CelValue, compileCel } from '../../util/cel.js';
import type { BoundLeaf } from '../bound-entry.js';
import {
  type Convert,
  type Converted,
  EMPTY,
  excerpt,
  fault,
  textCell,
  value,
} from '../convert/conversion.js';
import { fieldConverter } from '../convert/field-converter.js';
import { givenValue } from '../given-value.js';
import { STEP, StepReads } from '../steps/step-reads.js';
import type { LeafPlace, LeafSetting } from './place.js';
import { boundLeaf, faultyCells, readingOf, readingOfDefault } from './reading.js';
import { bindRecords, RECORDS } from './record-columns.js';

/**
 * Binds `{ expr }`. `row["X"]` is the text of the cell under X, in the sheet that the node reads. In an action of a
 * comparison `expected.X` and `actual.X` are the values of the columns with these names; in a step `step["NAME"]["X"]`
 * is what an earlier one returned.
 */
export function bindExpression(
  leaf: ExpressionLeaf,
  place: LeafPlace,
  setting: LeafSetting,
): BoundLeaf | undefined {
  const { field, table } = place;
  const compiled = compileCel(leaf.source, {
    variables: { row: 'row', ...RECORDS, ...(setting.steps ? STEP : {}) },
  });
  if (!compiled.ok) {
    const params = { ...shownPlace(leaf.at), expr: leaf.source, detail: compiled.detail };
    setting.problems.add('map', message('mapping.expr_refused', params));
    return undefined;
  }
  const headers: Header[] = [];
  for (const name of compiled.columns) {
    const header = table.find(name, leaf.at);
    if (header) headers.push(header);
  }
  const steps = new StepReads(compiled.fields, setting.steps);
  const ofDrift = compiled.fields.filter(({ record }) => record !== 'step');
  const records = bindRecords(ofDrift, table, leaf.at);
  if (!records || headers.length < compiled.columns.length) return undefined;
  const columns = headers.map((it) => it.column);
  const ofRecords = records.headers.filter((it) => !columns.includes(it.column));
  const ofSteps = steps.columns.map(({ column, step, returned }) => {
    return { column, text: `step.${step}.${returned.name}`, folded: '' };
  });
  const first = columns[0] ?? ofRecords[0]?.column;
  const convert = fieldConverter(field, setting);
  const convertPart = fieldConverter(field, { zone: setting.zone, unit: setting.unit, split: '' });
  const whenEmpty = readingOfDefault(field);
  return boundLeaf(place, [...headers, ...ofRecords, ...ofSteps], (row) => {
    const faults = faultyCells(row, columns);
    if (faults.length > 0) return { kind: 'faults', faults };
    const texts = new Map<string, string>();
    let blank = first !== undefined && ofRecords.every((it) => isBlank(row.cell(it.column)?.text ?? ''));
    for (const [index, column] of columns.entries()) {
      const text = expressionText(row.cell(column));
      if (!isBlank(text)) blank = false;
      texts.set(compiled.columns[index]!, text);
    }
    const seen = steps.of(row);
    if (seen.kind === 'fault') return { kind: 'faults', faults: [{ column: first, message: seen.message }] };
    if (seen.given.length > 0) {
      const seed = JSON.stringify([leaf.source, ...seen.given, ...texts.values()]);
      return {
        kind: 'value',
        value: givenValue(field, seed, setting.unit),
        given: seen.isNew ? 'new' : true,
      };
    }
    if (ofSteps.some((it) => row.cell(it.column) !== undefined)) blank = false;
    const result = compiled.evaluate({ row: texts, ...records.read(row), step: seen.step });
    if (result.ok) return readingOf(converted(result.value, convert, convertPart), first, whenEmpty);
    // int("") is no fault in a row whose cells are all empty: the field is empty too.
    if (blank) return whenEmpty;
    const params = { expr: leaf.source, detail: result.detail };
    return readingOf(fault(message('mapping.expr_failed', params)), first, whenEmpty);
  });
}

function converted(result: CelValue, convert: Convert, convertPart: Convert): Converted {
  if (result === null) return EMPTY;
  if (!Array.isArray(result)) return convert(textCell(plain(result as string | number | bigint | boolean)));
  const found = new Set<Json>();
  for (const part of result as readonly CelValue[]) {
    if (part === null || typeof part === 'object') return listMisplaced(result);
    const one = convertPart(textCell(plain(part)));
    if (one.kind === 'fault') return one;
    if (one.kind === 'empty') continue;
    if (!Array.isArray(one.value)) return listMisplaced(result);
    for (const text of one.value as readonly string[]) found.add(text);
  }
  return found.size === 0 ? EMPTY : value([...found]);
}

function listMisplaced(result: CelValue): Converted {
  return fault(message('mapping.expr_list', { text: excerpt(String(result)) }));
}

function plain(it: string | number | bigint | boolean): string {
  // String(1e21) has an exponent, which no field takes.
  return typeof it === 'number' && Number.isInteger(it) ? BigInt(it).toString() : String(it);
}
