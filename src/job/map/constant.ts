import { type Field, isDateField } from '../../model/field.js';
import type { Scalar } from '../../model/map.js';
import { fold } from '../../util/fold.js';
import { unknownValue } from '../check.js';
import { type Problem, problemAt } from '../problem.js';
import { type ScalarNode, shown } from '../yaml/node.js';

const WHOLE = /^[+-]?\d{1,15}$/;
const DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/;
const TRUE = new Set(['true', '1', 'y', 'yes', '是']);
const FALSE = new Set(['false', '0', 'n', 'no', '否']);

/**
 * A constant as the field takes it: text as it was written (`007` keeps its zeros), numbers and booleans typed,
 * dates as numbers or ISO text. `anyDate`: the text may be in a pattern of its own.
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
      const word = fold(text);
      if (TRUE.has(word)) return { value: true };
      return FALSE.has(word) ? { value: false } : refuse();
    }
    case 'Integer':
    case 'Long':
    case 'Date': {
      if (typeof node.value === 'boolean') return refuse();
      if (WHOLE.test(text)) return allowed(field, node, Number(text));
      if (!isDateField(field)) return refuse();
      return options.anyDate || isIsoDate(text)
        ? { value: text }
        : {
            problem: problemAt(node.place, 'job.bad_date_constant', {
              field: field.name,
              value: shown(node),
            }),
          };
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

function isIsoDate(text: string): boolean {
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = DATE.exec(text) ?? [];
  if (year === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const exists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  return exists && Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
}
