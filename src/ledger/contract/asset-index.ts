import type { RunKind, RunOperation } from './runs.js';

/** An item of another run or step that names an asset which an item of this run also names. */
export interface NamingItem {
  /** Number of the asset (`thingNumber`). */
  readonly thing: number;
  /** Unique in the ledger; larger for items of later runs. */
  readonly id: number;
  readonly run: string;
  /** The first of its rows; absent once its run is pruned. */
  readonly row?: number;
  readonly job: string;
  readonly operation: string;
  /** Digest of what was sent; absent once its run is pruned. */
  readonly content?: string;
  /** `pending`: planned by a run that may send it, or by an earlier step of the same run. */
  readonly status: 'succeeded' | 'accepted' | 'unknown' | 'pending';
  /** When it was last sent, otherwise when its run started; milliseconds since 1970. */
  readonly at: number;
  /** Everything that it names. */
  readonly things: readonly number[];
  /** Id of the item that it reverts. */
  readonly undoes?: number;
}

export interface NamedAsset {
  readonly item: number;
  readonly thing: number;
}

/** An item of the run with everything that it names. */
export interface NamedThings {
  readonly item: number;
  readonly things: readonly number[];
}

export interface RevertedItem {
  readonly id: number;
  readonly run: string;
  readonly at: number;
}

/** An item of the run with the last item that the same job sent successfully with the same content. */
export interface SentAlike {
  readonly item: number;
  readonly content: string;
  readonly thing: number;
  readonly last: { readonly id: number; readonly run: string; readonly row: number; readonly at: number };
}

/** A run of an earlier version of the program, whose items are not in the index yet. */
export interface UnindexedRun {
  readonly run: string;
  readonly kind: RunKind;
  readonly operation: RunOperation;
}
