import { message } from '../../../errors/message.js';
import type { Field } from '../../../model/field.js';
import { isObject, type Json, type JsonObject, member } from '../../../model/json.js';
import type { ItemContent, ItemPlace } from '../../../model/operation.js';
import type { Report } from './rule-report.js';

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
  for (const field of shape) checkField(field, topValue(field, place, content), '', report);
}

/** What a request that carries only this item has for a field of its top: its own place is index 0. */
function topValue({ name }: Field, place: ItemPlace, { envelope, body }: ItemContent): Json | undefined {
  if (place.kind !== 'single') return name === place.field ? [body] : member(envelope, name);
  return (isObject(body) ? member(body, name) : undefined) ?? member(envelope, name);
}

/** @param at path of the owner; the field's own is made up only where something is told, or lies deeper */
function checkField(field: Field, value: Json | undefined, at: string, report: Report): void {
  if (typeof value === 'string') {
    if ((field.required || field.generated) && value.trim() === '')
      report(pathOf(at, field), message('rule.blank'));
  } else if (Array.isArray(value)) {
    checkList(field, value, pathOf(at, field), report);
  } else if (isObject(value)) {
    checkMembers(field, value, pathOf(at, field), report);
  }
}

function checkList(field: Field, list: readonly Json[], path: string, report: Report): void {
  if (field.required && list.length === 0) report(path, message('rule.empty_list'));
  const texts = field.type === 'String array';
  for (let index = 0; index < list.length; index += 1) {
    const element = list[index]!;
    if (!texts) {
      if (isObject(element)) checkMembers(field, element, `${path}[${index}]`, report);
    } else if (typeof element === 'string' && element.trim() === '') {
      report(`${path}[${index}]`, message('rule.blank_element'));
    }
  }
}

function checkMembers({ fields = [] }: Field, owner: JsonObject, path: string, report: Report): void {
  for (const field of fields) checkField(field, member(owner, field.name), path, report);
}

function pathOf(at: string, { name }: Field): string {
  return at === '' ? name : `${at}.${name}`;
}
