import { type Message, message } from '../errors/message.js';
import type { StopSignal } from '../util/stop-signal.js';
import type { RunEnd } from './run-end.js';

/** How a stage ended, and the run with it unless it completed. */
export interface StageEnd {
  readonly status: RunEnd['status'];
  readonly reason?: Message;
  /** A fault of the program or its ledger, thrown again once the result is written. */
  readonly error?: unknown;
}

/** What a stop means for the run. */
export function endOfStop(stop: StopSignal, run: string): StageEnd {
  const cause = stop.cause;
  if (!cause) return { status: 'completed' };
  if (cause.kind === 'interrupted')
    return { status: 'interrupted', reason: message('run.interrupted', { run }) };
  if (cause.kind === 'safety') return { status: 'stopped', reason: cause.reason };
  return { status: 'stopped', error: cause.error };
}
