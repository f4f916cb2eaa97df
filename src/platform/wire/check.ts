import { type Field, namedValues, type ShapeProblem } from '../../model/field.js';
import { isObject } from '../../model/json.js';
import type { ReplyShape } from '../../model/operation.js';

interface CheckOptions {
  /** Unknown members; default `allow`. */
  readonly unknown?: 'allow' | 'report';
  /** `missing`: a required String of blanks only is treated as missing; default `allow`. */
  readonly blank?: 'allow' | 'missing';
  /** Values outside a closed list; default `report`. */
  readonly values?: 'allow' | 'report';
  /** Path of the value; default none, so that paths start with the members (`orderList[0].assets`). */
  readonly at?: string;
}

const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

/**
 * Checks a JSON object against a field table and collects all problems, in the table's order. null is treated as
 * absent: allowed for optional fields, missing for required ones. An `object` without members may be anything: its form
 * is unknown.
 */
export function checkShape(
  fields: readonly Field[],
  value: unknown,
  options: CheckOptions = {},
): readonly ShapeProblem[] {
  const problems: ShapeProblem[] = [];
  checkMembers(fields, value, options.at ?? '', options, problems);
  return problems;
}

/**
 * Checks the content of a successful reply: `data` of the order service, or the activity result. Unknown members and
 * values outside the closed lists are accepted, as a platform may add some.
 */
export function checkReply(shape: ReplyShape, reply: unknown, at = 'data'): readonly ShapeProblem[] {
  if (shape.kind === 'none') return [];
  if (reply === undefined || reply === null)
    return [{ path: at, problem: 'missing', expected: REPLY_WORDS[shape.kind] }];
  if (shape.kind === 'object') return checkShape(shape.fields, reply, { at, values: 'allow' });
  if (!Array.isArray(reply)) return [{ path: at, problem: 'type', expected: REPLY_WORDS[shape.kind] }];
  return reply.flatMap((element: unknown, index): readonly ShapeProblem[] => {
    const path = `${at}[${index}]`;
    if (shape.kind === 'object array')
      return checkShape(shape.fields, element, { at: path, values: 'allow' });
    return typeof element === 'string' ? [] : [{ path, problem: 'type', expected: 'String' }];
  });
}

const REPLY_WORDS = {
  object: 'an object',
  'object array': 'an object array',
  'string array': 'a String array',
} as const;

function checkMembers(
  fields: readonly Field[],
  value: unknown,
  at: string,
  options: CheckOptions,
  problems: ShapeProblem[],
): void {
  if (!isObject(value)) {
    problems.push({ path: at, problem: isAbsent(value) ? 'missing' : 'type', expected: 'object' });
    return;
  }
  for (const field of fields) {
    const path = at === '' ? field.name : `${at}.${field.name}`;
    const member = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
    if (isAbsent(member) || (options.blank === 'missing' && field.required && isBlank(member))) {
      if (field.required) problems.push({ path, problem: 'missing', expected: expected(field) });
    } else {
      checkValue(field, member, path, options, problems);
    }
  }
  if (options.unknown !== 'report') return;
  const known = new Set(fields.map((it) => it.name));
  for (const name of Object.keys(value)) {
    if (known.has(name)) continue;
    const path = at === '' ? name : `${at}.${name}`;
    problems.push({ path, problem: 'unknown', expected: [...known].join(', ') });
  }
}

function checkValue(
  field: Field,
  value: unknown,
  path: string,
  options: CheckOptions,
  problems: ShapeProblem[],
): void {
  switch (field.type) {
    case 'object':
      if (field.fields) checkMembers(field.fields, value, path, options, problems);
      return;
    case 'object array':
    case 'String array':
      if (!Array.isArray(value)) {
        problems.push({ path, problem: 'type', expected: field.type });
        return;
      }
      value.forEach((element: unknown, index) => {
        const place = `${path}[${index}]`;
        if (field.type === 'object array')
          checkMembers(field.fields ?? [], element, place, options, problems);
        else if (typeof element !== 'string')
          problems.push({ path: place, problem: 'type', expected: 'String' });
      });
      return;
    default:
      if (!isOfType(field.type, value)) problems.push({ path, problem: 'type', expected: expected(field) });
      else if (options.values !== 'allow' && !isListed(field, value))
        problems.push({ path, problem: 'value', expected: expected(field) });
  }
}

function isOfType(type: 'String' | 'Integer' | 'Long' | 'Boolean' | 'Date', value: unknown): boolean {
  switch (type) {
    case 'String':
      return typeof value === 'string';
    case 'Boolean':
      return typeof value === 'boolean';
    case 'Integer':
      // No 32-bit limit: `trialEndDate`, a point in time, is an Integer, too.
      return Number.isSafeInteger(typeof value === 'bigint' ? Number(value) : value);
    case 'Long':
      return isLong(value);
    case 'Date':
      return (typeof value === 'string' && value.trim() !== '') || isLong(value);
  }
}

function isLong(value: unknown): boolean {
  if (typeof value === 'bigint') return value >= INT64.min && value <= INT64.max;
  // 2^63 is a double and the largest Long is not, so the limit is exclusive.
  return typeof value === 'number' && Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}

function isListed(field: Field, value: unknown): boolean {
  if (!field.values) return true;
  const comparable = typeof value === 'bigint' ? Number(value) : value;
  return field.values.some((it) => it.value === comparable);
}

function expected(field: Field): string {
  return field.values ? `${field.type}: ${namedValues(field.values).en}` : field.type;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}
