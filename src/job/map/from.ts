import { type Field, isDateField } from '../../model/field.js';
import type { FromLeaf, MapLeaf } from '../../model/map.js';
import { type Problem, problemAt, refuse } from '../problem.js';
import type { MapEntry, MappingNode, ScalarNode } from '../yaml/node.js';
import { positionOf } from '../yaml/text.js';
import type { NamedStep } from './earlier-steps.js';
import type { MapScope } from './scope.js';

/** Keys of a mapping with `from`. */
export const FROM_KEYS = ['from', 'else'] as const;

/**
 * Reads `{ from: customer.customerId, else: Customer ID }` (contract section 9, "Steps"): the step must come before, must
 * return the field, and that must fit the field that it fills.
 * @param node what stands after `from`
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
    if (asOne && !mayBeOne(step)) {
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

/** Whether one value may be taken of its records: where the sheet decides how many come, the check of the rows tells. */
function mayBeOne({ records }: NamedStep): boolean {
  return records === 'open' || records === 1;
}

/** Whether all values of a reply's field may be values of a request's: else the step before would have been sent in vain. */
function fits(returned: Field, wanted: Field): boolean {
  if (wanted.type === 'String' || wanted.type === 'String array') {
    return wanted.form === undefined && returned.type !== 'Boolean' && returned.type !== 'Date';
  }
  if (isDateField(wanted) !== isDateField(returned)) return false;
  if (wanted.type === 'Long' || wanted.type === 'Date') {
    return returned.type === 'Integer' || returned.type === 'Long' || returned.type === 'Date';
  }
  return wanted.type === returned.type;
}

function typeOf(field: Field): string {
  return field.type !== 'Date' && isDateField(field) ? `${field.type}, date` : field.type;
}
