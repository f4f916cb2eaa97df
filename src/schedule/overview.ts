import type { Standing } from '../run/standing.js';
import type { Memory } from './memory.js';
import { rememberedUntil } from './memory.js';
import type { ScheduledJob } from './scheduled-job.js';
import { type Missed, missedSince, nextTimes } from './timetable.js';

const NEXT_TIMES = 3;

/** Where a schedule stands. */
export interface Overview {
  readonly job: ScheduledJob;
  readonly next: readonly number[];
  readonly memory: Memory;
  /** Where the last run stands now; absent where there is none. */
  readonly lastStanding?: Standing;
  /** Times that have come since anything of the job was done. */
  readonly missed?: Missed;
}

export function overview(job: ScheduledJob, memory: Memory, now: number, lastStanding?: Standing): Overview {
  const since = rememberedUntil(memory, job);
  const missed = since === undefined ? undefined : missedSince(job.timetable, since, now);
  const next = nextTimes(job.timetable, now, NEXT_TIMES);
  return {
    job,
    next,
    memory,
    ...(missed ? { missed } : {}),
    ...(lastStanding === undefined ? {} : { lastStanding }),
  };
}
