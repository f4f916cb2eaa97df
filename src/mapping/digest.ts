import { hash } from 'node:crypto';
import type { Json, JsonObject } from '../model/json.js';
import type { Operation } from '../model/operation.js';

/** 128 bits are enough to tell items apart, and short to keep. */
const HEX_DIGITS = 32;

/** How the request is to be carried, or made by the program: no part of what an order is. */
const NOT_CONTENT: ReadonlySet<string> = new Set(['syncMode', 'channelOrderId']);

/** Of what would be sent, without what only says how: a repeat whose digest differs has been changed. */
export function contentDigest(operation: Operation, envelope: JsonObject, body: Json): string {
  const carried: Record<string, Json> = {};
  for (const name of Object.keys(envelope)) if (!NOT_CONTENT.has(name)) carried[name] = envelope[name]!;
  return digest(`${operation.name} ${canonical(carried)} ${canonical(body)}`);
}

/**
 * By which repeats are found (contract section 4, "An item's key"); undefined where there is none.
 * @param each texts of the columns that the items' `each` groups by; undefined where it doesn't
 * @param content the item's content digest, which is the key of an order without a mapped `channelOrderId`
 */
export function keyDigest(
  operation: Operation,
  envelope: JsonObject,
  body: Json,
  each: readonly string[],
  content: string,
): string | undefined {
  if (operation.key === undefined) return undefined;
  if (operation.key === 'order') {
    const { channelCode, channelOrderId } = envelope;
    if (channelOrderId === undefined || channelOrderId === '') return content;
    return digest(`${operation.name} ${canonical([channelCode ?? null, channelOrderId, ...each])}`);
  }
  const values = operation.key.map((path) => valueAt(path, envelope, body) ?? null);
  return digest(`${operation.name} ${canonical(values)}`);
}

/** JSON with sorted names, so that the order of fields makes no difference; a bigint is written digit for digit. */
export function canonical(value: Json): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object') return String(value);
  if (value === null) return 'null';
  let text = '';
  if (Array.isArray(value)) {
    for (const element of value as readonly Json[]) text += `${text === '' ? '' : ','}${canonical(element)}`;
    return `[${text}]`;
  }
  const object = value as JsonObject;
  for (const { name, label } of sortedNames(object)) {
    text += `${text === '' ? '' : ','}${label}${canonical(object[name]!)}`;
  }
  return `{${text}}`;
}

interface Label {
  readonly name: string;
  /** `"name":` */
  readonly label: string;
}

const REMEMBERED = 2000;
const sortedBefore = new Map<string, readonly Label[]>();

/** Items of one run have the same few sets of names: sorting each of them anew is half the work of a digest. */
function sortedNames(object: JsonObject): readonly Label[] {
  const names = Object.keys(object);
  const together = `${names.length} ${names.join('\n')}`;
  let sorted = sortedBefore.get(together);
  if (!sorted) {
    sorted = names.sort().map((name) => ({ name, label: `${JSON.stringify(name)}:` }));
    if (sortedBefore.size >= REMEMBERED) sortedBefore.clear();
    sortedBefore.set(together, sorted);
  }
  return sorted;
}

function digest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, HEX_DIGITS);
}

function valueAt(path: string, envelope: JsonObject, body: Json): Json | undefined {
  let value: Json | undefined = body;
  for (const name of path.split('.')) value = member(value, name);
  return value ?? envelope[path];
}

function member(value: Json | undefined, name: string): Json | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  return (value as JsonObject)[name];
}
