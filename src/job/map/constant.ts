import { type Field, isDateField } from '../../model/field.js';
import type { Scalar } from '../../model/map.js';
import { readBoolean } from '../../util/boolean-words.js';
import { readIso } from '../../util/iso-date.js';
import { unknownValue } from '../check.js';
import { type Problem, refuse } from '../problem.js';
import { type ScalarNode, shown } from '../yaml/node.js';

const WHOLE = /^[+-]?\d{1,15}$/;
/** More digits than a number of this program surely holds, but a Long may have. */
const LONGER = /^-?\d{16,19}$/;
/** A Long has 64 bits. */
const LONG_BITS = 64;

/**
 * A constant for a field: text as it was written (`007` keeps its zeros), typed numbers and booleans, dates as numbers or
 * ISO text; undefined when there are problems. `anyDate`: a date may be in the column's own format.
 */
export function readConstant(
  field: Field,
  node: ScalarNode,
  problems: Problem[],
  options: { readonly anyDate?: boolean } = {},
): Scalar | undefined {
  const { place, written: text } = node;
  const wrong = { field: field.name, value: shown(node) };
  const unfit = () => refuse(problems, place, 'job.bad_constant', { ...wrong, type: field.type });
  if (node.value === null) return refuse(problems, place, 'job.empty_value', { key: field.name });
  switch (field.type) {
    case 'String':
    case 'String array':
      return allowed(field, node, text, problems);
    case 'Boolean':
      return readBoolean(text) ?? unfit();
    case 'Integer':
    case 'Long':
    case 'Date':
      if (typeof node.value === 'boolean') return unfit();
      if (WHOLE.test(text)) return allowed(field, node, Number(text), problems);
      // As text it keeps its digits, and is converted as a cell's text is.
      if (field.type === 'Long' && !isDateField(field) && isLong(text)) return text;
      if (!isDateField(field)) return unfit();
      if (options.anyDate || isDate(text)) return text;
      return refuse(problems, place, 'job.bad_date_constant', wrong);
    default:
      return unfit();
  }
}

function allowed(
  { name, values }: Field,
  node: ScalarNode,
  value: Scalar,
  problems: Problem[],
): Scalar | undefined {
  const names = values?.map((one) => String(one.value));
  if (!names || names.includes(String(value))) return value;
  problems.push(unknownValue(node.place, name, shown(node), names));
  return undefined;
}

function isLong(text: string): boolean {
  return LONGER.test(text) && BigInt.asIntN(LONG_BITS, BigInt(text)) === BigInt(text);
}

function isDate(text: string): boolean {
  const { kind } = readIso(text);
  return kind === 'local' || kind === 'instant';
}
