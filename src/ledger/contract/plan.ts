import type { Message } from '../../errors/message.js';
import type { ItemOutcome, PlannedItems } from '../../model/item.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { LookupOperationName } from '../../model/map.js';
import type { Fault } from '../../model/row.js';

/** The status or message of a source row itself, as opposed to its items. */
export interface RowVerdict {
  readonly row: number;
  /**
   * `not_sent`: in a run of several steps, because of the row's outcome in another step. `valid`: only a message; the row's
   * items decide its status.
   */
  readonly status: 'invalid' | 'skipped' | 'not_sent' | 'valid';
  readonly faults?: readonly Fault[];
  readonly message?: Message;
  /** Skipped because an earlier run succeeded: that run's result. */
  readonly got?: EarlierResult;
}

/** A key or subject that occurs more than once within one run. */
export interface RepeatedKey {
  /** One entry per item: its number in the run and its source rows. */
  readonly items: readonly { readonly item: number; readonly rows: readonly number[] }[];
}

/** An item with rows that must not be sent. */
export interface InvalidItem {
  readonly item: number;
  readonly rows: readonly number[];
  /** The rows that are invalid, or not sent because of another step. */
  readonly invalid: readonly number[];
}

/** Writes of the plan stage, for one run. Each call is one transaction: pass many entries at a time. */
export interface PlanStore {
  /**
   * Removes everything planned for the run before (a plan whose process was killed).
   * @param but verdicts of invalid rows stay
   */
  clear(run: string, but?: 'invalid rows'): Promise<void>;
  /** Items get numbers from 1 in the given order. If an item with this `subject` and `content` exists, only the rows are linked. */
  addItems(run: string, items: PlannedItems): Promise<void>;
  addVerdicts(run: string, verdicts: readonly RowVerdict[]): Promise<void>;
  /** Messages for the run's summary that belong to no single row. */
  addWarnings(run: string, warnings: readonly Message[]): Promise<void>;
  warnings(run: string): Promise<readonly Message[]>;
  /** Keys of more than one item of this run. */
  repeatedKeys(run: string): AsyncIterable<RepeatedKey>;
  /** Subjects that items of this run name with different content. */
  contradictions(run: string): AsyncIterable<RepeatedKey>;
  /** The content that an item sends. */
  content(run: string, item: number): Promise<{ readonly envelope: JsonObject; readonly body: Json }>;
  /**
   * Items of rows with a verdict `invalid` or `not_sent`, with all rows of each. They must not be sent for these rows.
   */
  itemsOfInvalidRows(run: string): AsyncIterable<InvalidItem>;
  /** Removes rows from an item. It stays for its other rows; without any it is removed from the plan. */
  unlink(run: string, item: number, rows: readonly number[]): Promise<void>;
  /** Items of this run whose key an earlier run of the scope has. */
  heldKeys(run: string): AsyncIterable<HeldItem>;
  /** Those of the keys that an item has in a scope that applies to the run, including the run's own items. */
  whichHeld(run: string, keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Removes items from the plan and adds verdicts for their rows. */
  withdraw(
    run: string,
    items: readonly { readonly item: number; readonly verdicts: readonly RowVerdict[] }[],
  ): Promise<void>;
  /** Gives items that must not be sent any more the outcome `invalid`. The plan, which may be approved, does not change. */
  refuse(run: string, items: readonly { readonly item: number; readonly reason: Message }[]): Promise<void>;
  /**
   * Forms batches of the remaining items: items with equal envelopes share a batch of at most `size`, in order of first
   * appearance. Memory is bounded for any number of envelopes.
   * @param canaryItems this many first items share no batch with later ones, and come first
   */
  formBatches(
    run: string,
    size: number,
    canaryItems?: number,
  ): Promise<{ readonly batches: number; readonly items: number }>;
  /**
   * Ends the plan: all of it is durable, the run is in state `planned`, `rows` and `items` are set. A plan with placeholders
   * for results that an earlier step has not returned yet (`given`) is only a check: its run stays in state `planning`, from
   * which nothing is ever sent, and the step is planned again before it is sent.
   */
  finish(run: string, rows: number, made?: 'given'): Promise<void>;
  /** The bodies of the run's items, in order (limits and summaries). */
  bodies(run: string): AsyncIterable<{ readonly item: number; readonly body: Json }>;
}

/** An item's result in an earlier run, as results show it. */
export type EarlierResult = Pick<ItemOutcome, 'licenseOrderId' | 'columns' | 'records'>;

/** The item that has a key: an earlier item that took effect or may have. */
export interface KeyHolder {
  readonly run: string;
  readonly row: number;
  readonly status: 'succeeded' | 'accepted' | 'unknown';
  readonly content: string;
  readonly got: EarlierResult;
}

/** An item whose key another run has. */
export interface HeldItem {
  readonly item: number;
  readonly rows: readonly number[];
  readonly content: string;
  readonly holder: KeyHolder;
}

/** A lookup of a run and its reply. */
export interface LookupLine {
  /** Digest of operation and request; distinct within the run. */
  readonly key: string;
  readonly operation: LookupOperationName;
  /** The request's fields. */
  readonly request: JsonObject;
  readonly answer: AnsweredLookup;
  /** Number of attempts. */
  readonly requests: number;
  readonly askedAt: number;
}

export type AnsweredLookup =
  /** `json`: the list of all records, as JSON text; possibly megabytes. */
  | { readonly kind: 'records'; readonly count: number; readonly json: string }
  | { readonly kind: 'none'; readonly detail: Message | string };

export interface LookupCounts {
  /** Distinct lookups that were requested. */
  readonly asked: number;
  /** Lookups without a valid reply. */
  readonly unanswered: number;
  /** Total number of attempts. */
  readonly requests: number;
}

/** Replies of lookups made while runs were planned, so that planning again does not request them again. */
export interface LookupStore {
  /** One transaction. Replaces lookups of the run with the same keys. */
  add(run: string, lines: readonly LookupLine[]): Promise<void>;
  /** The run's lookups with these keys, in any order. */
  find(run: string, keys: readonly string[]): Promise<readonly LookupLine[]>;
  counts(run: string): Promise<LookupCounts>;
  /** All lookups of a run, in pages, without the records of the replies. */
  requests(run: string): AsyncIterable<readonly Pick<LookupLine, 'operation' | 'request'>[]>;
}
