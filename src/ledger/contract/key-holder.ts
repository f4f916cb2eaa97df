import type { ItemOutcome } from '../../model/outcome.js';

/** What an earlier run got for an item, as results show it. */
export type EarlierResult = Pick<ItemOutcome, 'licenseOrderId' | 'columns' | 'records'>;

/** Who holds a key: an earlier item with an effect, or one that may have had it. */
export interface KeyHolder {
  readonly run: string;
  readonly row: number;
  readonly status: 'succeeded' | 'accepted' | 'unknown';
  readonly content: string;
  readonly got: EarlierResult;
}

/** An item whose key another run holds. */
export interface HeldItem {
  readonly item: number;
  readonly rows: readonly number[];
  readonly content: string;
  readonly holder: KeyHolder;
}
