import { type Field, isDateField } from '../../model/field.js';
import type { Scalar } from '../../model/map.js';
import { readBoolean } from '../../util/boolean-words.js';
import { readIso } from '../../util/iso-date.js';
import { unknownValue } from '../check.js';
import { type Problem, problemAt } from '../problem.js';
import { type ScalarNode, shown } from '../yaml/node.js';

const WHOLE = /^[+-]?\d{1,15}$/;

/**
 * A constant for a field: text as it was written (`007` keeps its zeros), typed numbers and booleans, dates as numbers or
 * ISO text. `anyDate`: a date may be in the column's own format.
 */
export function readConstant(
  field: Field,
  node: ScalarNode,
  options: { readonly anyDate?: boolean } = {},
): { readonly value: Scalar } | { readonly problem: Problem } {
  const wrong = { field: field.name, value: shown(node), type: field.type } as const;
  const refuse = () => ({ problem: problemAt(node.place, 'job.bad_constant', wrong) });
  if (node.value === null) return { problem: problemAt(node.place, 'job.empty_value', { key: field.name }) };
  const text = node.written;
  switch (field.type) {
    case 'String':
    case 'String array':
      return allowed(field, node, text);
    case 'Boolean': {
      const value = readBoolean(text);
      return value === undefined ? refuse() : { value };
    }
    case 'Integer':
    case 'Long':
    case 'Date': {
      if (typeof node.value === 'boolean') return refuse();
      if (WHOLE.test(text)) return allowed(field, node, Number(text));
      if (!isDateField(field)) return refuse();
      if (options.anyDate || isDate(text)) return { value: text };
      const { type: _, ...params } = wrong;
      return { problem: problemAt(node.place, 'job.bad_date_constant', params) };
    }
    default:
      return refuse();
  }
}

function allowed(field: Field, node: ScalarNode, value: Scalar): { value: Scalar } | { problem: Problem } {
  const { values } = field;
  if (!values || values.some((one) => String(one.value) === String(value))) return { value };
  const names = values.map((one) => String(one.value));
  return { problem: unknownValue(node.place, field.name, shown(node), names) };
}

function isDate(text: string): boolean {
  const { kind } = readIso(text);
  return kind === 'local' || kind === 'instant';
}
