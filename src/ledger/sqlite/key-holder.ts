import type { KeyHolder } from '../contract.js';
import { runOf } from './ids.js';
import type { RunNumbers } from './run-numbers.js';

/** State of a key: that of the item that holds it, or `sending` while that item's fate is open. */
export type KeyState = 'sending' | 'succeeded' | 'accepted' | 'unknown';

/** A row of `item_keys`. */
export interface HeldKey {
  readonly item: number;
  readonly row: number;
  readonly content: string;
  readonly state: KeyState;
  readonly license_order_id: string | null;
}

/** A key that another run is sending may already have had its effect: it counts as unknown. */
export function toHolder(held: HeldKey, numbers: RunNumbers): KeyHolder {
  return {
    run: numbers.name(runOf(held.item)),
    row: held.row,
    status: held.state === 'sending' ? 'unknown' : held.state,
    content: held.content,
    ...(held.license_order_id === null ? {} : { licenseOrderId: held.license_order_id }),
  };
}
