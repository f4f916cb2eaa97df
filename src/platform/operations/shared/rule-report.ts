import type { Message } from '../../../errors/message.js';
import { isObject, type Json, type JsonObject, member } from '../../../model/json.js';
import type { RuleFault } from '../../../model/operation.js';

/** Takes down one broken rule; `path` carries indexes from the request's top. */
export type Report = (path: string, message: Message) => void;

/** Runs checks that report, and gives what they found in the order found. */
export function gather(check: (report: Report) => void): readonly RuleFault[] {
  const faults: RuleFault[] = [];
  check((path, message) => faults.push({ field: path.replace(/\[\d+\]/g, ''), path, message }));
  return faults;
}

/** Elements of an array member that are objects, each with its path; none when there is no such array. */
export function elements(
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

export function isGiven(value: Json | undefined): boolean {
  return value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '');
}

/** A text member; '' where there is none, or no text. */
export function textOf(owner: Json, name: string): string {
  const value = member(owner, name);
  return typeof value === 'string' ? value : '';
}

/** The distinct asset numbers of an order. */
export function assetNumbers(order: Json): readonly string[] {
  if (!isObject(order)) return [];
  const assets = elements(order, 'assets', '');
  const numbers = assets.map(({ value }) => member(value, 'assetNos')).filter(Array.isArray);
  return [...new Set(numbers.flat().map(String))];
}
