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

/** A run that reverts items of another run. */
export interface ReversalRun {
  readonly run: string;
  /** Number of its rows that revert an item, and how many of them succeeded. */
  readonly rows: number;
  readonly succeeded: number;
}

/** Links rows of plans to the items that they revert, and updates the keys of reverted items. */
export interface ReversalStore {
  /**
   * Items of a run that took effect or may have, by their first row.
   * @param rows only items of these rows
   */
  effects(run: string, rows?: readonly number[]): AsyncIterable<readonly ItemEffect[]>;
  /** Links rows of a run that is being planned to the items of an earlier run that they revert. */
  link(
    run: string,
    links: readonly {
      readonly row: number;
      readonly undone: { readonly run: string; readonly item: number };
    }[],
  ): Promise<void>;
  /**
   * Updates keys from the outcomes of a run's revert items. An item that was certainly reverted releases its key, so that it
   * may be sent again. An item that was not reverted after all gets its key back, unless another item has it. May be
   * repeated. Does nothing for other runs.
   */
  finish(run: string): Promise<void>;
  /**
   * Certainly reverted licence orders of runs whose keys apply to this one, by order id. No reply to a new order may name one
   * of them.
   */
  orders(run: string): Promise<ReadonlyMap<string, RevertedBy>>;
  /** The runs and plans that revert items of this run, oldest first. */
  by(run: string): Promise<readonly ReversalRun[]>;
  /** The reversals, certain or possible, of the items of a row. */
  ofRow(run: string, row: number): Promise<readonly RevertedBy[]>;
}
