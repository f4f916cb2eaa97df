import type { Json, JsonObject } from './json.js';

/** An item as the ledger takes it. */
export interface PlannedItem {
  /** Row numbers of the job's sheet that it was made from, ascending. */
  readonly rows: readonly number[];
  /** JSON text of envelope and body: names sorted at every depth, integers digit for digit. */
  readonly envelopeJson: string;
  readonly bodyJson: string;
  /** Digest by which repeats are found; undefined where the operation has no key. */
  readonly key?: string;
  /** Digest of what would be sent, so that a changed repeat is noticed (`isSameContent`). */
  readonly content: string;
  /** Digest of what the item changes (`Operation.subject`): with the same content, items of one run are one item. */
  readonly subject?: string;
  /**
   * Digests of what the item touches (`Operation.touches`), divided by spaces; only where the ledger has workers that must
   * keep to the order of those who touch the same.
   */
  readonly touches?: string;
  /** What it names on the platform (`thingNumber`), each once; absent for what only reads. */
  readonly things?: readonly number[];
}

/** Items by column: the first element of each column belongs to the first item. Saves an object for every item. */
export type PlannedItems = { readonly [Name in keyof PlannedItem]-?: readonly PlannedItem[Name][] };

/** The smallest part of a request with an outcome of its own, mapped and checked. */
export interface MappedItem extends PlannedItem {
  /** Values of the operation's envelope fields, as mapped. */
  readonly envelope: JsonObject;
  /** An order, a lock number, or the whole request's fields. */
  readonly body: Json;
  /** What names its row (`RowIdentities`), where its key is made of the first: then, what named it in former versions. */
  readonly identities?: readonly string[];
  /** Keys that earlier versions of the program gave to the same cells; absent if they are the same. */
  readonly formerKeys?: readonly string[] | undefined;
  /** The content as version 0.1 read the same cells, if it is another one. */
  readonly formerContent?: string | undefined;
}
