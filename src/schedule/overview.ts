import type { LiveState } from '../run/live-state.js';
import type { JobHistory } from './job-history.js';
import { coveredUntil } from './job-history.js';
import type { ScheduledJob } from './scheduled-job.js';
import { type Missed, missedSince, nextTimes } from './timetable.js';

const NEXT_TIMES = 3;

/** The state of a job's schedule. */
export interface ScheduleOverview {
  readonly job: ScheduledJob;
  readonly next: readonly number[];
  readonly memory: JobHistory;
  /** The state of the last run, as it is now; absent when there is none. */
  readonly lastStanding?: LiveState;
  /** Due times since the job was last run. */
  readonly missed?: Missed;
}

export function scheduleOverview(
  job: ScheduledJob,
  memory: JobHistory,
  now: number,
  lastStanding?: LiveState,
): ScheduleOverview {
  const since = coveredUntil(memory, job);
  const missed = since === undefined ? undefined : missedSince(job.timetable, since, now);
  const next = nextTimes(job.timetable, now, NEXT_TIMES);
  return {
    job,
    next,
    memory,
    missed,
    lastStanding,
  };
}
