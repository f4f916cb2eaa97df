/**
 * Places where the crash suite lets the program die, in the order in which a run passes them:
 * - plan: between two rows
 * - before-intent, after-intent: around the commit of an attempt's intent
 * - headers-sent: the request has been handed to the socket
 * - reply-received, outcome-written: around the commit of what the attempt came to
 * - step-checked, step-planned, step-ended: of a run of several steps, one was checked with the others, planned when its turn
 *   had come, or is through
 * - report: between two lines of the result; before-rename: the result is on disk under its temporary name
 * - before-move: a run is over, and the file of an input folder that it was of lies where it lay
 */
type CrashPoint =
  | 'plan'
  | 'before-intent'
  | 'after-intent'
  | 'headers-sent'
  | 'reply-received'
  | 'outcome-written'
  | 'step-checked'
  | 'step-planned'
  | 'step-ended'
  | 'report'
  | 'before-rename'
  | 'before-move';

/** `name` or `name:N`: the N-th passing, counted from 1. */
const [, armed, nth] = /^([a-z-]+)(?::(\d{1,9}))?$/.exec(process.env.LICENSE_SYNC_CRASH_AT ?? '') ?? [];

let passingsLeft = Number(nth ?? 1);

/** Whether the program is to die at that point; where watching for a point costs something, this is asked first. */
export function crashesAt(point: CrashPoint): boolean {
  return armed === point;
}

/**
 * Kills this process as `kill -9` would, if the environment variable LICENSE_SYNC_CRASH_AT names this point: no
 * handler runs, nothing is flushed. Does nothing otherwise.
 */
export const crashPoint: (point: CrashPoint) => void =
  armed === undefined
    ? () => {}
    : (point) => {
        if (point !== armed) return;
        passingsLeft -= 1;
        if (passingsLeft === 0) process.kill(process.pid, 'SIGKILL');
      };
