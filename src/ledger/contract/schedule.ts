/** A due time of a schedule that was processed. */
export interface ScheduledTime {
  readonly job: string;
  /** Due time; milliseconds since 1970, like all times here. */
  readonly due: number;
  readonly begunAt: number;
  /** Absent while it is in progress, or if the scheduler died. */
  readonly endedAt?: number;
  readonly exitCode?: number;
  readonly run?: string;
}

/** A pause of a job's schedule, current or past. */
export interface SchedulePause {
  readonly job: string;
  readonly pausedAt: number;
  readonly who: string;
  /** When it was resumed; absent while it is paused. */
  readonly continuedAt?: number;
}
