import type { ItemOutcome } from '../../model/item.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { KeyHolder } from './plan.js';

/** An item that took effect or may have, with everything needed to build its reversal. */
export interface ItemEffect {
  readonly item: number;
  /** Ascending. */
  readonly rows: readonly number[];
  readonly envelope: JsonObject;
  readonly body: Json;
  readonly outcome: ItemOutcome & { readonly status: KeyHolder['status'] };
  /** The row that reverted it, or may have. */
  readonly undone?: RevertedBy;
}

/** A row of another run that reverts an item. `unknown`: it may have done so, or may do so. */
export type RevertedBy = Pick<KeyHolder, 'run' | 'row' | 'status'>;

export interface ReversalRun {
  readonly run: string;
  /** Number of its rows that revert an item, and how many of them succeeded. */
  readonly rows: number;
  readonly succeeded: number;
}
