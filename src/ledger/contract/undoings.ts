import type { Json, JsonObject } from '../../model/json.js';
import type { ItemOutcome } from '../../model/outcome.js';
import type { KeyHolder } from './key-holder.js';

/** An item that had an effect, or may have had one, with all that its way back is made of. */
export interface ItemEffect {
  readonly item: number;
  /** Ascending. */
  readonly rows: readonly number[];
  readonly envelope: JsonObject;
  readonly body: Json;
  readonly outcome: ItemOutcome & { readonly status: KeyHolder['status'] };
  /** What has undone it, or may have. */
  readonly undone?: Undoing;
}

/** A row of another run that takes an item back; `unknown`: it may have done so, or is about to. */
export type Undoing = Pick<KeyHolder, 'run' | 'row' | 'status'>;

/** A run that takes items of another one back. */
export interface UndoingRun {
  readonly run: string;
  /** Its rows that take something back, and how many of them have. */
  readonly rows: number;
  readonly succeeded: number;
}

/** Which rows of plans take back what other runs did; and what follows for the keys of what was taken back. */
export interface UndoingStore {
  /**
   * Items of a run that had an effect or may have had one, by their first row.
   * @param rows only items of these rows
   */
  effects(run: string, rows?: readonly number[]): AsyncIterable<readonly ItemEffect[]>;
  /** Rows of a run that is being planned, each with the item of an earlier run that it takes back. */
  link(
    run: string,
    links: readonly {
      readonly row: number;
      readonly undone: { readonly run: string; readonly item: number };
    }[],
  ): Promise<void>;
  /**
   * Brings keys in line with what came of the rows of a run that takes others' items back: what was undone for certain
   * lets go of its key, so that it may be sent anew; what turns out not to be undone has it again, unless another one
   * does. May be asked for as often as one likes. Other runs are left alone.
   */
  settle(run: string): Promise<void>;
  /**
   * Licence orders that were taken back for certain, of runs whose keys hold for this one, by their ids: no reply to a new
   * order may name one of them.
   */
  orders(run: string): Promise<ReadonlyMap<string, Undoing>>;
  /** The runs that take items of this one back, plans too, oldest first. */
  by(run: string): Promise<readonly UndoingRun[]>;
  /** Of the items of a row, those that were undone, or may have been. */
  ofRow(run: string, row: number): Promise<readonly Undoing[]>;
}
