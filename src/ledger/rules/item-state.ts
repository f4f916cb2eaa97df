import type { ItemStatus } from '../../model/item.js';
import type { Status } from '../../model/status.js';

/** What determines the status of an item: its outcome, and the attempts of its batch. */
export interface ItemState {
  /** undefined: none yet. */
  readonly outcome: ItemStatus | undefined;
  /** An attempt of its batch has begun and not ended: it is in flight, or its process died. */
  readonly open: boolean;
  /** An attempt of its batch has ended and may have taken effect (`isUncertain`). */
  readonly uncertain: boolean;
}

/** Outcomes of items that took effect or may have. */
export const EFFECTS = ['succeeded', 'accepted', 'unknown'] as const satisfies readonly ItemStatus[];

/** Outcomes of items that certainly took effect. */
const CERTAIN: ReadonlySet<string | undefined> = new Set(['succeeded', 'accepted']);

/** `not_sent` is not final: such an item waits for its next attempt, and its outcome only gives the reason. */
export function isToBeSent(outcome: ItemStatus | undefined): boolean {
  return outcome === undefined || outcome === 'not_sent';
}

/**
 * The status of an item in reports. An item that is still to be sent after an attempt that may have taken effect is unknown.
 * @param pendingAs the status of an item without an outcome
 */
export function countsAs(
  { outcome, open, uncertain }: ItemState,
  pendingAs: 'valid' | 'not_sent',
): ItemStatus | Extract<Status, 'valid'> {
  if (isToBeSent(outcome) && (open || uncertain)) return 'unknown';
  return outcome ?? pendingAs;
}

/**
 * The item took effect or may have, so another one with its key must not be sent. Evaluated in SQL only; tests compare the SQL
 * with this function.
 */
export function mayHaveHadEffect({ outcome, open, uncertain }: ItemState): boolean {
  if (isToBeSent(outcome)) return open || uncertain;
  return (EFFECTS as readonly unknown[]).includes(outcome);
}

/** The status of an item that has a key. Without a certain outcome it may have taken effect: unknown. */
export function effectOf(outcome: string | null | undefined): (typeof EFFECTS)[number] {
  return CERTAIN.has(outcome ?? undefined) ? (outcome as 'succeeded' | 'accepted') : 'unknown';
}
