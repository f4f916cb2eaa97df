import type { Json, JsonObject } from '../../model/json.js';
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

/** An item of the run with an asset that it names. */
export interface NamedAsset {
  readonly item: number;
  readonly thing: number;
}

/** An item of the run with everything that it names. */
export interface NamedThings {
  readonly item: number;
  readonly things: readonly number[];
}

/** The item that an item of the run reverts. */
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

/**
 * The index of things: the assets, customers and orders that items name. It is written with the items of a plan. Things are
 * numbered by `thingNumber`.
 */
export interface ThingStore {
  unindexed(): Promise<readonly UnindexedRun[]>;
  /** Adds what items of an unindexed run name. May be repeated. */
  add(run: string, items: readonly NamedThings[]): Promise<void>;
  /** Marks a run as indexed, after all its items were added. */
  indexed(run: string): Promise<void>;
  /** The content of the run's items, in order and in pages. */
  contents(
    run: string,
  ): AsyncIterable<readonly { readonly item: number; readonly envelope: JsonObject; readonly body: Json }[]>;
  /** Items of the run that are still to be sent, with each asset that an item of another run names too; by item, in pages. */
  namedElsewhere(run: string): AsyncIterable<readonly NamedAsset[]>;
  /** Items still to be sent that other runs of the job sent before; one entry for each indexed thing that they name. */
  sentAlike(run: string, job: string): AsyncIterable<readonly SentAlike[]>;
  /** Assets that items of the run name for more than one customer (any customer id differs). */
  namedForSeveral(run: string): Promise<readonly number[]>;
  /** The items of the run that name an asset, in order. */
  sharing(run: string, asset: number): Promise<readonly NamedThings[]>;
  things(run: string, items: readonly number[]): Promise<readonly NamedThings[]>;
  /** The rows of items of the run. */
  rows(run: string, items: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>>;
  /**
   * Items of other runs on the same platform that name the assets and may have taken effect or may be sent; for each asset
   * the latest ones. Items that were certainly reverted are excluded.
   */
  naming(
    run: string,
    assets: readonly number[],
    options: {
      /** `orders`: new purchases and revocations of assets. */
      readonly operations: 'orders' | 'all';
      /** Include items of the run itself. */
      readonly own?: boolean;
    },
  ): Promise<readonly NamingItem[]>;
  /** Runs of any platform with items that name any of the assets. */
  runsNaming(assets: readonly number[]): Promise<ReadonlySet<string>>;
  /** What items of the run revert, by item. */
  reverted(run: string, items: readonly number[]): Promise<ReadonlyMap<number, RevertedItem>>;
  /** `NamingItem.id` of an item. */
  idOf(run: string, item: number): Promise<number>;
}
