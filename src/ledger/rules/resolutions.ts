import type { ItemOutcome } from '../../model/item.js';
import type { ResolvedTo, Settlement } from '../contract/resolutions.js';
import { type ItemState, isToBeSent } from './item-state.js';

/**
 * Whether the item may be resolved: it is unknown, or it waits for another attempt although one may have taken effect. Items
 * in flight may not be resolved.
 */
export function isUnresolved({ outcome, doubtful }: Pick<ItemState, 'outcome' | 'doubtful'>): boolean {
  return outcome === 'unknown' || (isToBeSent(outcome) && doubtful);
}

/**
 * The outcome before a resolution; undefined if the item may not be resolved. Only an earlier resolution can be corrected, not
 * a reply of the platform.
 * @param item `resolved`: the current outcome is that of a resolution
 */
export function settledFrom(
  item: Pick<ItemState, 'outcome' | 'doubtful'> & { readonly resolved: boolean },
  corrects: boolean,
): ResolvedTo | undefined {
  if (isUnresolved(item)) return 'unknown';
  const { outcome } = item;
  return corrects && item.resolved && (outcome === 'succeeded' || outcome === 'failed') ? outcome : undefined;
}

/** The outcome after a resolution. `unknown` only adds evidence; a failed item has no ids. */
export function settledOutcome(
  before: Pick<ItemOutcome, 'code' | 'licenseOrderId' | 'columns'>,
  found: Settlement['outcome'],
): Settlement['outcome'] {
  const { status, message, code } = found;
  if (status === 'failed') return { status, message, code };
  return {
    status,
    message,
    code: status === 'unknown' ? before.code : code,
    licenseOrderId: found.licenseOrderId ?? before.licenseOrderId,
    columns: found.columns ?? before.columns,
  };
}

/**
 * The effect of a resolution on the item's key. `take`: the item gets it, unless another item has succeeded with it since.
 * `pass_on`: the item had no effect, so the key goes to another item that succeeded or is unknown. Danger: without a holder
 * the key could be sent again.
 */
export function keyAfter(to: ResolvedTo): 'take' | 'pass_on' {
  return to === 'failed' ? 'pass_on' : 'take';
}
