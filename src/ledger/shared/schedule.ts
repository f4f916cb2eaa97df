import type { ScheduledTime } from '../contract/schedule.js';

/** A row of `schedule_times`. */
export interface TimeRecord {
  readonly job: string;
  readonly due: number;
  readonly begun_at: number;
  readonly ended_at: number | null;
  readonly exit_code: number | null;
  readonly run: string | null;
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
