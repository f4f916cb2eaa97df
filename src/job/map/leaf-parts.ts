import { type Field, isDateField } from '../../model/field.js';
import type { FromLeaf, MapLeaf, Scalar } from '../../model/map.js';
import { readIso } from '../../util/date-format.js';
import { readBoolean } from '../../util/text.js';
import { unknownValue } from '../check.js';
import { type Problem, problemAt, refuse } from '../problem.js';
import { type MapEntry, type MappingNode, positionOf, type ScalarNode, shown } from '../yaml/node.js';
import type { MapScope } from './scope.js';

const WHOLE = /^[+-]?\d{1,15}$/;
/** More digits than a JavaScript number represents exactly, but no more than a Long has. */
const LONGER = /^-?\d{16,19}$/;
const LONG_BITS = 64;

/**
 * A constant for a field: text as in the file (`007` keeps its zeros), typed numbers and booleans, dates as numbers or ISO text;
 * undefined if there are problems. `anyDate`: a date may be in the column's own format.
 */
export function readConstant(
  field: Field,
  node: ScalarNode,
  problems: Problem[],
  options: { readonly anyDate?: boolean } = {},
): Scalar | undefined {
  const { place, written: text } = node;
  const params = { field: field.name, value: shown(node) };
  const refuseConstant = () => refuse(problems, place, 'job.bad_constant', { ...params, type: field.type });
  if (node.value === null) return refuse(problems, place, 'job.empty_value', { key: field.name });
  switch (field.type) {
    case 'String':
    case 'String array':
      return allowed(field, node, text, problems);
    case 'Boolean':
      return readBoolean(text) ?? refuseConstant();
    case 'Integer':
    case 'Long':
    case 'Date':
      if (typeof node.value === 'boolean') return refuseConstant();
      if (WHOLE.test(text)) return allowed(field, node, Number(text), problems);
      // As text it keeps all digits. It is converted like the text of a cell.
      if (field.type === 'Long' && !isDateField(field) && isLong(text)) return text;
      if (!isDateField(field)) return refuseConstant();
      if (options.anyDate || isDate(text)) return text;
      return refuse(problems, place, 'job.bad_date_constant', params);
    default:
      return refuseConstant();
  }
}

function allowed(
  { name, values }: Field,
  node: ScalarNode,
  value: Scalar,
  problems: Problem[],
): Scalar | undefined {
  const known = values?.map((it) => String(it.value));
  if (!known || known.includes(String(value))) return value;
  problems.push(unknownValue(node.place, name, shown(node), known));
  return undefined;
}

function isLong(text: string): boolean {
  return LONGER.test(text) && BigInt.asIntN(LONG_BITS, BigInt(text)) === BigInt(text);
}

function isDate(text: string): boolean {
  const { kind } = readIso(text);
  return kind === 'local' || kind === 'instant';
}

/**
 * Reads `{ from: customer.customerId, else: Customer ID }` (contract section 9, "Steps"). The step must be an earlier one and
 * return a field whose values the target field accepts.
 * @param node the value of `from`
 * @param readElse reads the leaf after `else`
 */
export function readFrom(
  field: Field,
  node: ScalarNode,
  owner: MappingNode,
  scope: MapScope,
  problems: Problem[],
  readElse: (entry: MapEntry) => MapLeaf | undefined,
): FromLeaf | undefined {
  const { steps } = scope;
  if (!steps) return refuse(problems, node.place, 'job.from_without_steps', {});
  const written = node.written.trim();
  const dot = written.indexOf('.');
  if (dot <= 0 || dot === written.length - 1) {
    return refuse(problems, node.place, 'job.bad_from', { value: written });
  }
  const from = { step: written.slice(0, dot), field: written.slice(dot + 1) };
  if (scope.otherSheet) problems.push(problemAt(node.place, 'job.from_in_other_sheet', { from: written }));
  const found = steps.find(from, node.place, problems);
  if (found) {
    const { returned, step } = found;
    const params = { from: written, field: field.name };
    const asOne = field.type !== 'String array' && returned.many && !returned.single;
    if (asOne && step.records === 'open' && !steps.takenAsOne.has(step.name)) {
      steps.takenAsOne.set(step.name, { ...params, at: positionOf(node.place) });
    }
    if (asOne && step.records !== 'open' && step.records !== 1) {
      problems.push(problemAt(node.place, 'job.from_records', params));
    } else if (!fits(returned.field, field)) {
      const types = { returned: typeOf(returned.field), type: typeOf(field) };
      problems.push(problemAt(node.place, 'job.from_type', { ...params, ...types }));
    }
  }
  const otherwise = owner.entries.get('else');
  const leaf = otherwise && readElse(otherwise);
  return { kind: 'from', ...from, ...(leaf ? { else: leaf } : {}), at: positionOf(owner.place) };
}

/** True if the target field accepts every value of the returned field; otherwise the earlier step would be sent in vain. */
function fits(returned: Field, target: Field): boolean {
  if (target.type === 'String' || target.type === 'String array') {
    return target.form === undefined && returned.type !== 'Boolean' && returned.type !== 'Date';
  }
  if (isDateField(target) !== isDateField(returned)) return false;
  if (target.type === 'Long' || target.type === 'Date') {
    return returned.type === 'Integer' || returned.type === 'Long' || returned.type === 'Date';
  }
  return target.type === returned.type;
}

function typeOf(field: Field): string {
  return field.type !== 'Date' && isDateField(field) ? `${field.type}, date` : field.type;
}

/** Texts and columns in order, or the error; `at` is a UTF-16 index into the template. */
type ParsedTemplate =
  | { readonly ok: true; readonly parts: readonly (string | { readonly column: string })[] }
  | { readonly ok: false; readonly problem: 'unclosed' | 'unopened' | 'empty'; readonly at: number };

/** `SO-{Order No}`: a name in braces is a column; `{{` and `}}` are literal braces. */
export function parseTemplate(source: string): ParsedTemplate {
  const parts: (string | { readonly column: string })[] = [];
  let text = '';
  let at = 0;
  while (at < source.length) {
    const pair = source.slice(at, at + 2);
    if (pair === '{{' || pair === '}}') {
      text += pair[0];
      at += 2;
    } else if (source[at] === '}') return { ok: false, problem: 'unopened', at };
    else if (source[at] === '{') {
      const end = source.indexOf('}', at);
      const column = source.slice(at + 1, end === -1 ? undefined : end);
      if (end === -1 || column.includes('{')) return { ok: false, problem: 'unclosed', at };
      if (column.trim() === '') return { ok: false, problem: 'empty', at };
      if (text !== '') parts.push(text);
      parts.push({ column: column.trim() });
      text = '';
      at = end + 1;
    } else {
      text += source[at];
      at += 1;
    }
  }
  if (text !== '') parts.push(text);
  return { ok: true, parts };
}
