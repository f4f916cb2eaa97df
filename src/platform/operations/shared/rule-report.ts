import { type Message, message } from '../../../errors/message.js';
import type { Field } from '../../../model/field.js';
import { isObject, type Json, type JsonObject, member } from '../../../model/json.js';
import type { ItemContent, ItemPlace, RuleFault } from '../../../model/operation.js';

/** Records one broken rule; `path` has indexes and starts at the top of the request. */
export type Report = (path: string, message: Message) => void;

/** Runs checks that report, and returns the problems in the order found. */
export function collectFaults(check: (report: Report) => void): readonly RuleFault[] {
  const faults: RuleFault[] = [];
  check((path, message) => faults.push({ field: path.replace(/\[\d+\]/g, ''), path, message }));
  return faults;
}

/** Elements of an array member that are objects, each with its path; none if there is no such array. */
export function objectElements(
  owner: JsonObject,
  name: string,
  at: string,
): readonly { readonly value: JsonObject; readonly path: string }[] {
  const list = member(owner, name);
  if (!Array.isArray(list)) return [];
  const found: { value: JsonObject; path: string }[] = [];
  for (let index = 0; index < list.length; index += 1) {
    const value = list[index] as Json;
    if (isObject(value)) found.push({ value, path: `${at}.${name}[${index}]` });
  }
  return found;
}

export function hasValue(value: Json | undefined): boolean {
  return value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '');
}

/** A text member; '' if it is absent or not a text. */
export function textOf(owner: Json, name: string): string {
  const value = member(owner, name);
  return typeof value === 'string' ? value : '';
}

export function assetNumbers(order: Json): readonly string[] {
  if (!isObject(order)) return [];
  const assets = objectElements(order, 'assets', '');
  const numbers = assets.map(({ value }) => member(value, 'assetNos')).filter(Array.isArray);
  return [...new Set(numbers.flat().map(String))];
}

/**
 * Rules that every field table implies: required text is not blank, required lists are not empty, and no list of texts
 * has a blank element.
 */
export function checkFilled(
  shape: readonly Field[],
  place: ItemPlace,
  content: ItemContent,
  report: Report,
): void {
  for (const field of shape) checkField(field, topValue(field, place, content), '', report);
}

/** The value of a top field in a request with only this item, which has index 0. */
function topValue({ name }: Field, place: ItemPlace, { envelope, body }: ItemContent): Json | undefined {
  if (place.kind !== 'single') return name === place.field ? [body] : member(envelope, name);
  return (isObject(body) ? member(body, name) : undefined) ?? member(envelope, name);
}

/** @param at path of the owner; the field's own path is built only if it is needed */
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
