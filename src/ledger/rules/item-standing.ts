import type { ItemStatus } from '../../model/outcome.js';
import type { Status } from '../../model/status.js';

/** All that decides what an item counts as: its outcome, and the attempts of the batch that carries it. */
export interface ItemStanding {
  /** undefined: none yet. */
  readonly outcome: ItemStatus | undefined;
  /** An attempt of its batch has begun and not ended: it is on its way, or its process died. */
  readonly open: boolean;
  /** An attempt of its batch ended that may have had an effect (`isDoubtful`). */
  readonly doubtful: boolean;
}

/** Outcomes after which the platform has done something for the item, or may have. */
export const EFFECTS = ['succeeded', 'accepted', 'unknown'] as const satisfies readonly ItemStatus[];

/** Outcomes of which the effect is certain. */
const CERTAIN: ReadonlySet<string | undefined> = new Set(['succeeded', 'accepted']);

/** `not_sent` is not final: such an item waits for its next attempt, and its outcome only says why. */
export function isToBeSent(outcome: ItemStatus | undefined): boolean {
  return outcome === undefined || outcome === 'not_sent';
}

/**
 * What the item counts as in reports. One that waits after an attempt that may have had an effect counts as unknown,
 * whatever its outcome.
 * @param pendingAs what an untouched item counts as
 */
export function countsAs(
  { outcome, open, doubtful }: ItemStanding,
  pendingAs: 'valid' | 'not_sent',
): ItemStatus | Extract<Status, 'valid'> {
  if (isToBeSent(outcome) && (open || doubtful)) return 'unknown';
  return outcome ?? pendingAs;
}

/**
 * The item had its effect, or may have had it: another one with its key must not be sent. Evaluated in SQL only, over all
 * items of a run; this is what that is compared with.
 */
export function mayHaveHadEffect({ outcome, open, doubtful }: ItemStanding): boolean {
  if (isToBeSent(outcome)) return open || doubtful;
  return (EFFECTS as readonly unknown[]).includes(outcome);
}

/** What an item that holds a key counts as. While its fate is open it may already have had its effect: unknown. */
export function effectOf(outcome: string | null | undefined): (typeof EFFECTS)[number] {
  return CERTAIN.has(outcome ?? undefined) ? (outcome as 'succeeded' | 'accepted') : 'unknown';
}
