import type { Message } from '../errors/message.js';
import { exactStringify } from '../util/exact-json.js';
import type { Json, JsonObject } from './json.js';

/** An item as the ledger stores it. */
export interface PlannedItem {
  /** Numbers of its rows in the job's sheet, ascending. */
  readonly rows: readonly number[];
  /** JSON text of envelope and body: names sorted at every depth, integers digit for digit. */
  readonly envelopeJson: string;
  readonly bodyJson: string;
  /** Digest by which repeats are found; undefined if the operation has no key. */
  readonly key?: string;
  /** Digest of the content, so that a changed repeat is detected (`isSameContent`). */
  readonly content: string;
  /** Digest of what the item changes (`Operation.subject`): with the same content, items of one run are one item. */
  readonly subject?: string;
  /**
   * Digests of what the item touches (`Operation.touches`), separated by spaces; only in ledgers with workers, which must process
   * items that touch the same in order.
   */
  readonly touches?: string;
  /** The distinct numbers (`thingNumber`) of what it concerns on the platform; absent for an operation that only reads. */
  readonly things?: readonly number[];
}

/** Items by column: the first element of each column belongs to the first item. Saves an object for every item. */
export type PlannedItems = { readonly [Name in keyof PlannedItem]-?: readonly PlannedItem[Name][] };

/** The smallest part of a request with its own outcome, mapped and checked. */
export interface MappedItem extends PlannedItem {
  /** Values of the operation's envelope fields, as mapped. */
  readonly envelope: JsonObject;
  /** An order, a lock number, or the whole request's fields. */
  readonly body: Json;
  /**
   * The identities of its row (`RowIdentities`), if its key is derived from the first; the others are those of earlier
   * versions.
   */
  readonly identities?: readonly string[];
  /** Keys of the same cells in earlier versions of the program; absent if they are the same. */
  readonly earlierKeys?: readonly string[] | undefined;
  /** The content as version 0.1 read the same cells, if it is different. */
  readonly earlierContent?: string | undefined;
}

/** A status that an item can have after the start of execution. */
export type ItemStatus =
  | 'succeeded'
  | 'accepted'
  | 'rejected'
  | 'failed'
  | 'unknown'
  | 'not_sent'
  | 'skipped'
  /** It must no longer be sent, because of a change after it was planned. */
  | 'invalid';

/**
 * The reason for an outcome that the program or a user decided.
 * held_*: another item (`run` and `row` name it) has the key: its outcome is unknown, it was executed, or it was executed with
 * another content.
 */
export type OutcomeReason =
  | {
      readonly kind: 'held_unknown' | 'held_done' | 'held_changed';
      readonly found: 'planning' | 'sending';
      readonly run: string;
      readonly row: number;
    }
  /** A user resolved it; the platform never confirmed that. */
  | { readonly kind: 'resolved_by_person' };

export interface ItemOutcome {
  readonly status: ItemStatus;
  readonly licenseOrderId?: string;
  /** The platform's code, or the HTTP status, as text. */
  readonly code?: string;
  /** The program's message, or the platform's text unchanged. */
  readonly message?: Message | string;
  /** Values of the operation's own result columns. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Records that the platform returned for this item, as on the wire. */
  readonly records?: readonly JsonObject[];
}

/**
 * Separates the digests of one content: the one in row order, which is the only one in ledgers of earlier versions, and the one
 * with lists in a fixed order. If both are equal there is only one.
 */
const OR = '~';

/** Both digests of a content as one text. */
export function eitherDigest(inRowOrder: string, inOrder: string): string {
  return inRowOrder === inOrder ? inRowOrder : `${inRowOrder}${OR}${inOrder}`;
}

/** Adds the digest of the content that version 0.1 read from the same cells. */
export function withEarlierContent(content: string, earlier: string): string {
  return `${content}${OR}${earlier}`;
}

/** True if both contents are the same, in whatever order the rows of their lists are. */
export function isSameContent(a: string, b: string): boolean {
  if (a === b) return true;
  const digests = b.split(OR);
  return a.split(OR).some((it) => digests.includes(it));
}

/**
 * The value with its lists sorted at every depth, so that it does not depend on the order of the sheet's rows. Returns the same
 * object if it is sorted already.
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
  const ordered = [...parts].sort((a, b) => compare(texts.get(a)!, texts.get(b)!));
  return isChanged || ordered.some((it, index) => it !== list[index]) ? ordered : list;
}

/** Compares by code units, which does not depend on the locale. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
