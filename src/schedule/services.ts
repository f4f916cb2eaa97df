import type { Language, Message } from '../errors/message.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Clock } from '../util/clock.js';
import type { StopSignal } from '../util/stop-signal.js';
import type { ChildEnd, PassedFlags, StartChild } from './child.js';
import type { StartReason } from './decide.js';
import type { ScheduledJob } from './scheduled-job.js';

/** A run that the scheduler started, and how it ended. */
export interface ScheduledRun {
  readonly job: ScheduledJob;
  readonly due: number;
  readonly reason: StartReason;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Monotonic, in milliseconds. */
  readonly durationMs: number;
  readonly end: ChildEnd;
}

/** Receives the events of a scheduler. */
export interface ScheduleObserver {
  note(note: Message): void;
  /** A line that a run wrote to stderr. */
  line(job: string, text: string): void;
  ran(run: ScheduledRun): void;
}

export interface ScheduleServices {
  readonly ledger: Pick<
    Ledger,
    'runs' | 'schedule' | 'lock' | 'location' | 'address' | 'queue' | 'approvals' | 'audit' | 'plan'
  >;
  /** The user, for the audit. */
  readonly who: string;
  readonly clock: Clock;
  readonly observer: ScheduleObserver;
  readonly language: Language;
  readonly start: StartChild;
  /** When it stops, no further run is started and active runs are asked to stop. */
  readonly stop: StopSignal;
  readonly passed: PassedFlags;
  /** Maximum number of concurrent runs. */
  readonly concurrency: number;
}
