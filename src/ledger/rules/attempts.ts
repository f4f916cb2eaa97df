import type { AttemptEnd, Intent } from '../contract/execution.js';

/** Maximum length of a stored reply. */
export const REPLY_BYTES = 64 * 1024;

/**
 * Whether an attempt that ended may have taken effect: it was sent, and the platform didn't refuse it unread (401, 403: all
 * items `not_sent`). Its items that wait for another attempt keep their keys.
 */
export function isUncertain({
  sent,
  noEffect,
  outcomes,
}: Pick<AttemptEnd, 'sent' | 'noEffect' | 'outcomes'>): boolean {
  if (!sent || noEffect === true) return false;
  return outcomes.length === 0 || outcomes.some(({ outcome }) => outcome.status !== 'not_sent');
}

/** Events of attempts whose end is unknown: their process died, or their worker was considered dead and may still send. */
export const TAKEN_OVER = 'taken_over';
const ENDS_OF_DEAD: ReadonlySet<string | undefined> = new Set(['died', TAKEN_OVER]);

/** Whether an attempt was ended by another process, which found it open. */
export function endedUnreported(event: string | null | undefined): boolean {
  return ENDS_OF_DEAD.has(event ?? undefined);
}

/**
 * The end of an attempt whose process died. It may have been sent, so it is treated as sent. If the operation is repeatable,
 * its items are sent again; otherwise they become unknown.
 */
export function endOfDead(repeatable: boolean): {
  readonly event: 'died';
  readonly sent: true;
  readonly uncertain: boolean;
} {
  return { event: 'died', sent: true, uncertain: !repeatable };
}

/** Whether a request counts as a retry. One that the platform requested (HTTP 429) does not. */
export function isRetry({ attempt, afterPause }: Pick<Intent, 'attempt' | 'afterPause'>): boolean {
  return attempt > 1 && afterPause !== true;
}
