import { hash } from 'node:crypto';
import type { Json, JsonObject } from '../model/json.js';
import type { Operation } from '../model/operation.js';
import { exactStringify } from '../util/exact-json.js';

/** 128 bits are enough to tell items apart, and short to keep. */
const HEX_DIGITS = 32;
/** UTF-8 takes so many for a UTF-16 unit at most. */
const BYTES_A_UNIT = 3;
/** Room for what is hashed next. */
const bytes = Buffer.allocUnsafeSlow(64 * 1024);

/** How the request is to be carried, or made by the program: no part of what an order is. */
const NOT_CONTENT: ReadonlySet<string> = new Set(['syncMode', 'channelOrderId']);

/**
 * Of what would be sent, without what only says how: a repeat whose digest differs has been changed. Digests lie in
 * ledgers, and must come out as they always did.
 * @param bodyJson JSON text of the body, its names sorted at every depth
 */
export function contentDigest(operation: Operation, envelope: JsonObject, bodyJson: string): string {
  const carried: Record<string, Json> = {};
  for (const name in envelope) if (!NOT_CONTENT.has(name)) carried[name] = envelope[name]!;
  return digest(`${operation.name} ${exactStringify(carried)} `, bodyJson);
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
    return digest(`${operation.name} ${exactStringify([channelCode ?? null, channelOrderId, ...each])}`);
  }
  const values = operation.key.map((path) => valueAt(path, envelope, body) ?? null);
  return digest(`${operation.name} ${exactStringify(values)}`);
}

/** By what it changes, rows that contradict each other are found; undefined where the operation changes nothing twice. */
export function subjectDigest(operation: Operation, body: Json): string | undefined {
  if (operation.subject === undefined) return undefined;
  const value = typeof body === 'string' ? body : member(body, operation.subject);
  return value === undefined ? undefined : digest(exactStringify(value));
}

/** Of both texts, one after the other. They are joined as bytes: joined as text, a body would be copied once more. */
function digest(text: string, more = ''): string {
  const whole = (text.length + more.length) * BYTES_A_UNIT;
  const joined = whole <= bytes.length ? bytes.subarray(0, lay(more, lay(text, 0))) : text + more;
  return hash('sha256', joined, 'hex').slice(0, HEX_DIGITS);
}

/** Lays a text down from a place on, in UTF-8; gives the place after it. */
function lay(text: string, at: number): number {
  return at + bytes.write(text, at);
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
