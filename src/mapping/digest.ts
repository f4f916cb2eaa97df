import { hash } from 'node:crypto';
import type { Json, JsonObject } from '../model/json.js';
import type { Operation } from '../model/operation.js';
import { exactStringify } from '../util/exact-json.js';

/** 128 bits: enough to distinguish items, and short to store. */
const HEX_DIGITS = 32;
/** Maximum number of UTF-8 bytes for one UTF-16 unit. */
const BYTES_A_UNIT = 3;
/** Scratch buffer for the text to hash. */
const bytes = Buffer.allocUnsafeSlow(64 * 1024);

/** Fields that are not part of an order's content: the mode of sending, and a generated id. */
const NOT_CONTENT: ReadonlySet<string> = new Set(['syncMode', 'channelOrderId']);

/**
 * The digest of an item's content. A repeat with the same key and another digest has changed. Ledgers contain digests of
 * earlier versions, so the result must never change.
 * @param bodyJson JSON text of the body, its names sorted at every depth
 */
export function contentDigest(operation: Operation, envelope: JsonObject, bodyJson: string): string {
  const sent: Record<string, Json> = {};
  for (const name in envelope) if (!NOT_CONTENT.has(name)) sent[name] = envelope[name]!;
  return digest(`${operation.name} ${exactStringify(sent)} `, bodyJson);
}

/**
 * The key by which repeats are found (contract section 4, "An item's key"); undefined if the operation has none.
 * @param each texts of the columns that the items' `each` groups by
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

const OPEN = 'given ';
const NEW = 'new ';

/**
 * The content of an item with placeholders, which is different from that of every sent item. It cannot be determined yet whether
 * a repeat has changed. With a value that is certainly new (`isNew`), it has.
 */
export function givenContent(content: string, isNew: boolean): string {
  return (isNew ? NEW : OPEN) + content;
}

/** True for an item with placeholders whose values an earlier item may have had. */
export function hasGivenContent(content: string): boolean {
  return content.startsWith(OPEN);
}

/**
 * The key of an item in a job of steps whose operation has no key: the identity of its row (`RowIdentities`) and its content.
 * Two rows with the same cells have different keys.
 */
export function rowKeyDigest(operation: Operation, identity: string, content: string): string {
  return digest(`${operation.name} ${identity} ${content}`);
}

/** The digest of the subject that an item changes, to find conflicting rows; undefined without a subject. */
export function subjectDigest(operation: Operation, body: Json): string | undefined {
  if (operation.subject === undefined) return undefined;
  const value = typeof body === 'string' ? body : member(body, operation.subject);
  return value === undefined ? undefined : digest(exactStringify(value));
}

/** The key of the item that reverts an item of a run, so that it is sent only once. */
export function reversalKey(run: string, item: number): string {
  return digest(`undo ${exactStringify([run, item])}`);
}

/** Digests of what an item touches, separated by spaces; undefined if it touches nothing that another item may touch. */
export function touchesDigest(operation: Operation, body: Json): string | undefined {
  const names = operation.touches?.(body) ?? [];
  return names.length === 0 ? undefined : names.map((name) => digest(name)).join(' ');
}

/** Digest of both texts together. They are joined as bytes, because joining strings would copy the body again. */
function digest(text: string, more = ''): string {
  const size = (text.length + more.length) * BYTES_A_UNIT;
  const joined = size <= bytes.length ? bytes.subarray(0, writeText(more, writeText(text, 0))) : text + more;
  return hash('sha256', joined, 'hex').slice(0, HEX_DIGITS);
}

/** Writes a text into the buffer in UTF-8; returns the position after it. */
function writeText(text: string, at: number): number {
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
