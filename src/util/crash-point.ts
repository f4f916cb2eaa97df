/**
 * Points at which the crash suite kills the program, in the order in which a run passes them:
 * - plan: between two rows
 * - before-intent, after-intent: around the commit of an attempt's intent
 * - headers-sent: the request has been passed to the socket
 * - reply-received, outcome-written: around the commit of an attempt's result
 * - step-checked, step-planned, step-ended: a step of a run of several steps was checked with the others, was planned
 *   when its turn came, or finished
 * - report: between two lines of the result; before-rename: the result is on disk under its temporary name
 * - before-move: the run is finished, and its file is still in the input folder
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

let remainingPasses = Number(nth ?? 1);

/** Whether the program will be killed at that point; used if watching for a point is expensive. */
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
        remainingPasses -= 1;
        if (remainingPasses === 0) process.kill(process.pid, 'SIGKILL');
      };
