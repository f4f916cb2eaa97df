import type { Language, Message } from '../errors/message.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Clock } from '../util/clock.js';
import type { StopSignal } from '../util/stop-signal.js';
import type { ChildEnd, StartChild } from './child.js';
import type { PassedFlags } from './command.js';
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

/** Receives everything that happens. */
export interface ScheduleObserver {
  note(it: Message): void;
  /** A line that a run wrote to stderr. */
  line(job: string, text: string): void;
  ran(run: ScheduledRun): void;
}

/** What a scheduler works with. */
export interface ScheduleServices {
  readonly ledger: Pick<
    Ledger,
    'runs' | 'schedule' | 'lock' | 'location' | 'address' | 'queue' | 'approvals' | 'audit' | 'plan'
  >;
  /** As whom it works, for the audit. */
  readonly who: string;
  readonly clock: Clock;
  readonly observer: ScheduleObserver;
  readonly language: Language;
  readonly start: StartChild;
  /** When it stops, no further run is started and the running ones are asked to end. */
  readonly stop: StopSignal;
  readonly passed: PassedFlags;
  /** Most runs at a time. */
  readonly concurrency: number;
}
