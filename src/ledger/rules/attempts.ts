import type { AttemptEnd, Intent } from '../contract/attempt.js';

/** So much of a reply is kept. */
export const REPLY_BYTES = 64 * 1024;

/**
 * Whether an attempt that ended may have had an effect: its bytes left, and the platform didn't turn it away unread
 * (401, 403: all `not_sent`). Items that wait for another attempt after it keep their keys.
 */
export function isDoubtful({
  sent,
  noEffect,
  outcomes,
}: Pick<AttemptEnd, 'sent' | 'noEffect' | 'outcomes'>): boolean {
  if (!sent || noEffect === true) return false;
  return outcomes.length === 0 || outcomes.some(({ outcome }) => outcome.status !== 'not_sent');
}

/** Events of attempts whose end nobody knows: their process died, or its worker was taken for dead and may still send. */
export const TAKEN_OVER = 'taken_over';
const ENDS_OF_DEAD: ReadonlySet<string | undefined> = new Set(['died', TAKEN_OVER]);

/** Whether an attempt was ended by somebody else, who found it open. */
export function endedUnheard(event: string | null | undefined): boolean {
  return ENDS_OF_DEAD.has(event ?? undefined);
}

/**
 * How an attempt ends whose process died. Nobody knows whether its bytes left, so it counts as sent. Where a repeat is
 * harmless there is nothing to doubt: its items are to be sent again. Otherwise they become unknown.
 */
export function endOfDead(repeatable: boolean): {
  readonly event: 'died';
  readonly sent: true;
  readonly doubtful: boolean;
} {
  return { event: 'died', sent: true, doubtful: !repeatable };
}

/** Whether a request counts as a retry. One that the platform itself asked for (HTTP 429) doesn't. */
export function isRetry({ attempt, afterPause }: Pick<Intent, 'attempt' | 'afterPause'>): boolean {
  return attempt > 1 && afterPause !== true;
}
