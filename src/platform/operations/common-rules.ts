import { message } from '../../errors/message.js';
import type { Field } from '../../model/field.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { ItemContent, ItemPlace } from '../../model/operation.js';
import { isObject, member, type Report } from './rule-report.js';

/**
 * What no field table says but each implies: required text holds more than blanks, required lists hold something,
 * and no list of texts holds a blank one.
 */
export function checkFilled(
  shape: readonly Field[],
  place: ItemPlace,
  content: ItemContent,
  report: Report,
): void {
  const request = requestOfOne(place, content);
  for (const field of shape) checkField(field, member(request, field.name), field.name, report);
}

/** The request that would carry only this item: its own place is index 0. */
function requestOfOne(place: ItemPlace, { envelope, body }: ItemContent): JsonObject {
  if (place.kind !== 'single') return { ...envelope, [place.field]: [body] };
  return isObject(body) ? { ...envelope, ...body } : envelope;
}

function checkField(field: Field, value: Json | undefined, path: string, report: Report): void {
  if (value === undefined || value === null) return;
  if (typeof value === 'string') {
    if ((field.required || field.generated) && value.trim() === '') report(path, message('rule.blank'));
    return;
  }
  if (Array.isArray(value)) {
    if (field.required && value.length === 0) report(path, message('rule.empty_list'));
    value.forEach((element: Json, index) => {
      const place = `${path}[${index}]`;
      if (field.type === 'String array') {
        if (typeof element === 'string' && element.trim() === '')
          report(place, message('rule.blank_element'));
      } else {
        checkMembers(field, element, place, report);
      }
    });
    return;
  }
  checkMembers(field, value, path, report);
}

function checkMembers(field: Field, value: Json, path: string, report: Report): void {
  if (!isObject(value)) return;
  for (const inner of field.fields ?? []) {
    checkField(inner, member(value, inner.name), `${path}.${inner.name}`, report);
  }
}
