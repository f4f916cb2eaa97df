import type { ItemOutcome } from '../../model/outcome.js';
import type { ResolvedTo, Settlement } from '../contract/resolutions.js';
import { type ItemStanding, isToBeSent } from './item-standing.js';

/**
 * Whether somebody may find out what became of the item: it was left unknown, or it waits for another attempt although
 * one may have had its effect. What is still on its way is nobody's to settle.
 */
export function isUnresolved({ outcome, doubtful }: Pick<ItemStanding, 'outcome' | 'doubtful'>): boolean {
  return outcome === 'unknown' || (isToBeSent(outcome) && doubtful);
}

/**
 * What a settlement finds the item to count as; undefined where it may not be settled. A reply of the platform's stands:
 * only what an earlier resolution said can be corrected.
 * @param resolved a resolution said before what the outcome says now
 */
export function settledFrom(
  item: Pick<ItemStanding, 'outcome' | 'doubtful'> & { readonly resolved: boolean },
  corrects: boolean,
): ResolvedTo | undefined {
  if (isUnresolved(item)) return 'unknown';
  const { outcome } = item;
  return corrects && item.resolved && (outcome === 'succeeded' || outcome === 'failed') ? outcome : undefined;
}

/** What an outcome becomes by a settlement. `unknown` only adds what was seen; a failed item has no ids. */
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
 * What a settlement does with the item's key. `take`: the item has it, unless another one got it through since.
 * `pass_on`: nothing came of it, so the key goes to whoever else got the same thing through or left it unknown; let go of
 * altogether, it could be sent again.
 */
export function keyAfter(to: ResolvedTo): 'take' | 'pass_on' {
  return to === 'failed' ? 'pass_on' : 'take';
}
