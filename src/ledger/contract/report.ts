import type { Message } from '../../errors/message.js';
import type { OutcomeReason } from '../../model/item.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { Fault } from '../../model/row.js';
import type { Status } from '../../model/status.js';
import type { AttemptEnd, Intent } from './execution.js';
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
