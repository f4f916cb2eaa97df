import type { ItemOutcome } from '../../model/item.js';
import type { NewResolution, ResolvedTo } from '../contract/resolutions.js';
import { type ItemState, isToBeSent } from './item-state.js';

/**
 * Whether the item may be resolved: it is unknown, or it waits for another attempt although one may have taken effect. Items
 * in flight may not be resolved.
 */
export function isUnresolved({ outcome, uncertain }: Pick<ItemState, 'outcome' | 'uncertain'>): boolean {
  return outcome === 'unknown' || (isToBeSent(outcome) && uncertain);
}

/**
 * The outcome before a resolution; undefined if the item may not be resolved. Only an earlier resolution can be corrected, not
 * a reply of the platform.
 * @param item `resolved`: the current outcome is that of a resolution
 */
export function resolvedFrom(
  item: Pick<ItemState, 'outcome' | 'uncertain'> & { readonly resolved: boolean },
  corrects: boolean,
): ResolvedTo | undefined {
  if (isUnresolved(item)) return 'unknown';
  const { outcome } = item;
  return corrects && item.resolved && (outcome === 'succeeded' || outcome === 'failed') ? outcome : undefined;
}

/** The outcome after a resolution. `unknown` only adds evidence; a failed item has no ids. */
export function resolvedOutcome(
  before: Pick<ItemOutcome, 'code' | 'licenseOrderId' | 'columns'>,
  found: NewResolution['outcome'],
): NewResolution['outcome'] {
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
