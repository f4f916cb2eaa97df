import type { Message } from '../../errors/message.js';
import type { Fault } from '../../model/fault.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { OutcomeReason } from '../../model/outcome.js';
import type { Status } from '../../model/status.js';
import type { AttemptEnd, AttemptFigures, Intent } from './attempt.js';
import type { KeyHolder } from './key-holder.js';

export interface RowResult {
  readonly row: number;
  readonly status: Status;
  readonly licenseOrderId?: string;
  readonly code?: string;
  /** In order: its own, or of its items; with several items whose body is text, `item` is that text. */
  readonly messages: readonly {
    readonly item?: string;
    /** Of a run of several steps: the step that says it. */
    readonly step?: string;
    readonly text: Message | string;
    readonly reason?: OutcomeReason;
  }[];
  readonly faults: readonly Fault[];
  readonly attempts: number;
  readonly columns: Readonly<Record<string, string>>;
}

/** A row with all that its items, or an earlier run's, got for it. */
export interface RowGain extends RowResult {
  /** Numbers of its items. */
  readonly items: readonly number[];
  /** Also where another row of the item comes first. */
  readonly records: readonly JsonObject[];
  /** By name, the texts that its items got, where they differ: `columns` and `licenseOrderId` show them side by side. */
  readonly several?: ReadonlyMap<string, readonly string[]>;
}

/** Reads of the report stage; by ascending row. */
export interface ReportStore {
  /**
   * One result for each planned row. Items still pending count as `valid` where `pendingAs` says so (dry run), else
   * `not_sent`; open attempts count as `unknown`.
   * @param after only rows with higher numbers
   */
  rows(run: string, pendingAs: 'valid' | 'not_sent', after?: number): AsyncIterable<readonly RowResult[]>;
  /**
   * The next row after a row number that has one of these statuses, among so many rows as are looked through at a time.
   * @returns `row` where there is one; else `lookedTo`, after which to go on; neither at the end
   */
  nextOf(
    run: string,
    statuses: readonly Status[],
    how: { readonly pendingAs: 'valid' | 'not_sent'; readonly after: number },
  ): Promise<{ readonly row?: number; readonly lookedTo?: number }>;
  /** What each row got, for the steps after this one; by ascending row. Pending items count as `not_sent`. */
  gains(run: string): AsyncIterable<readonly RowGain[]>;
  records(run: string): AsyncIterable<readonly { readonly row: number; readonly record: JsonObject }[]>;
  row(run: string, row: number): Promise<RowStory | undefined>;
  /** Rows of the run next to a row number, at most `count` before it and `count` after it, ascending. */
  nearestRows(run: string, row: number, count: number): Promise<readonly number[]>;
  /** Rows of each item that was made of several, ascending; a row may stand in more than one list. */
  sharedRows(run: string): AsyncIterable<readonly number[]>;
  /** What a batch carries: all its items but those that were withheld. */
  batch(run: string, batch: number): Promise<BatchContent | undefined>;
  /** All attempts of the run, by batch and attempt, in pages. */
  attempts(run: string): AsyncIterable<readonly AttemptFigures[]>;
}

export interface BatchContent {
  readonly envelope: JsonObject;
  /** In the order in which they stand in the request. */
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
    /** Another item that holds its key now. */
    readonly holder?: KeyHolder;
  }[];
}
