import type { Message } from '../../errors/message.js';
import type { OutcomeReason } from '../../model/item.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { Fault } from '../../model/row.js';
import type { Status } from '../../model/status.js';
import type { AttemptEnd, AttemptFigures, Intent } from './execution.js';
import type { KeyHolder } from './plan.js';

export interface RowResult {
  readonly row: number;
  readonly status: Status;
  readonly licenseOrderId?: string;
  readonly code?: string;
  /** In order: the row's messages, or those of its items. With several items whose body is text, `item` is that text. */
  readonly messages: readonly {
    readonly item?: string;
    /** Of a run of several steps: the step that the message is from. */
    readonly step?: string;
    readonly text: Message | string;
    readonly reason?: OutcomeReason;
  }[];
  readonly faults: readonly Fault[];
  readonly attempts: number;
  readonly columns: Readonly<Record<string, string>>;
}

/** A row with all results of its items, or of an earlier run's items. */
export interface RowGain extends RowResult {
  /** Numbers of its items. */
  readonly items: readonly number[];
  /** Also if another row of the item comes first. */
  readonly records: readonly JsonObject[];
  /** Texts that differ between its items, by name; `columns` and `licenseOrderId` show them joined. */
  readonly several?: ReadonlyMap<string, readonly string[]>;
}

/** Reads of the report stage; by ascending row. */
export interface ReportStore {
  /**
   * One result for each planned row. Pending items are shown as `pendingAs` (`valid` in a dry run), items with an open attempt
   * as `unknown`.
   * @param after only rows with higher numbers
   */
  rows(run: string, pendingAs: 'valid' | 'not_sent', after?: number): AsyncIterable<readonly RowResult[]>;
  /**
   * The next row after a row number with one of these statuses. Each call searches a limited number of rows.
   * @returns `row` if found; otherwise `lookedTo`, after which to continue; neither at the end
   */
  nextOf(
    run: string,
    statuses: readonly Status[],
    how: { readonly pendingAs: 'valid' | 'not_sent'; readonly after: number },
  ): Promise<{ readonly row?: number; readonly lookedTo?: number }>;
  /** The results of each row, for later steps; by ascending row. Pending items are treated as `not_sent`. */
  gains(run: string): AsyncIterable<readonly RowGain[]>;
  records(run: string): AsyncIterable<readonly { readonly row: number; readonly record: JsonObject }[]>;
  row(run: string, row: number): Promise<RowStory | undefined>;
  /** Rows of the run next to a row number, at most `count` before it and `count` after it, ascending. */
  nearestRows(run: string, row: number, count: number): Promise<readonly number[]>;
  /** Rows of each item with several rows, ascending. A row may be in more than one list. */
  sharedRows(run: string): AsyncIterable<readonly number[]>;
  /** The content of a batch: all its items except withheld ones. */
  batch(run: string, batch: number): Promise<BatchContent | undefined>;
  /** All attempts of the run, by batch and attempt, in pages. */
  attempts(run: string): AsyncIterable<readonly AttemptFigures[]>;
}

export interface BatchContent {
  readonly envelope: JsonObject;
  /** In the order of the request. */
  readonly items: readonly { readonly item: number; readonly body: Json }[];
}

export interface RowStory {
  readonly result: RowResult;
  readonly items: readonly {
    readonly item: number;
    readonly envelope: JsonObject;
    readonly body: Json;
    /** Absent while the run is planned. */
    readonly batch?: number;
    readonly attempts: readonly (Intent & Partial<AttemptEnd>)[];
    /** Another item that has its key now. */
    readonly holder?: KeyHolder;
  }[];
}
