import { exactStringify } from '../util/exact-json.js';
import type { Json, JsonObject } from './json.js';

/**
 * Between the digests of one content: as its rows stood, which is all that ledgers of earlier versions have, and with its
 * lists in a fixed order. Where both are the same there is only one.
 */
const OR = '~';

/** The content by both its digests. */
export function eitherDigest(asItStands: string, inOrder: string): string {
  return asItStands === inOrder ? asItStands : `${asItStands}${OR}${inOrder}`;
}

/** A content that is the same as another one too: version 0.1 read it from the same cells. */
export function withFormerContent(content: string, former: string): string {
  return `${content}${OR}${former}`;
}

/** Whether the same would be sent, in whatever order the rows of its lists stood. */
export function isSameContent(one: string, other: string): boolean {
  if (one === other) return true;
  const others = other.split(OR);
  return one.split(OR).some((it) => others.includes(it));
}

/**
 * The value with its lists sorted at every depth: a sheet whose rows were sorted makes the same orders, but for the order of
 * their parts. Gives the value itself where there is nothing to sort.
 */
export function inFixedOrder(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return sortedList(value);
  let sorted: Record<string, Json> | undefined;
  for (const name in value as JsonObject) {
    const before = (value as JsonObject)[name]!;
    const after = inFixedOrder(before);
    if (after === before) continue;
    sorted ??= { ...(value as JsonObject) };
    sorted[name] = after;
  }
  return sorted ?? value;
}

function sortedList(list: readonly Json[]): Json {
  const parts = list.map(inFixedOrder);
  const isChanged = parts.some((it, index) => it !== list[index]);
  if (parts.length < 2) return isChanged ? parts : list;
  const texts = new Map(parts.map((it) => [it, exactStringify(it)]));
  const ordered = [...parts].sort((one, other) => compare(texts.get(one)!, texts.get(other)!));
  return isChanged || ordered.some((it, index) => it !== list[index]) ? ordered : list;
}

/** By code units, which is the same everywhere and for ever. */
function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
