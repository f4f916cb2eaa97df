import type { ScheduledTime, SchedulePause } from '../contract/schedule.js';

/** A row of `schedule_times`. */
export interface TimeRecord {
  readonly job: string;
  readonly due: number;
  readonly begun_at: number;
  readonly ended_at: number | null;
  readonly exit_code: number | null;
  readonly run: string | null;
}

/** A row of `schedule_pauses`. */
export interface PauseRecord {
  readonly job: string;
  readonly paused_at: number;
  readonly who: string;
  readonly continued_at: number | null;
}

/** Takes job, time and limit. */
export const runsBeforeSql = (job: string, due: string, limit: string): string => `
SELECT run FROM schedule_times WHERE job = ${job} AND due < ${due} AND run IS NOT NULL ORDER BY due DESC LIMIT ${limit}`;

/** One that is paused stays as it is. Takes job, time and person. */
export const pauseSql = (job: string, at: string, who: string): string => `
INSERT INTO schedule_pauses (job, paused_at, who) VALUES (${job}, ${at}, ${who})
ON CONFLICT (job) DO UPDATE SET paused_at = excluded.paused_at, who = excluded.who, continued_at = NULL
WHERE schedule_pauses.continued_at IS NOT NULL`;

export function toPause(it: PauseRecord): SchedulePause {
  const { job, paused_at: pausedAt, who, continued_at: continuedAt } = it;
  return { job, pausedAt, who, ...(continuedAt === null ? {} : { continuedAt }) };
}

export function toScheduledTime(it: TimeRecord): ScheduledTime {
  return {
    job: it.job,
    due: it.due,
    begunAt: it.begun_at,
    ...(it.ended_at === null ? {} : { endedAt: it.ended_at }),
    ...(it.exit_code === null ? {} : { exitCode: it.exit_code }),
    ...(it.run === null ? {} : { run: it.run }),
  };
}
