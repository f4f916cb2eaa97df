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

/** State of schedulers. */
export interface ScheduleStore {
  /** Claims a due time: true for one caller only, with any number of schedulers. Durable when it resolves. */
  begin(job: string, due: number, at: number): Promise<boolean>;
  end(
    job: string,
    due: number,
    end: { readonly endedAt: number; readonly exitCode: number; readonly run?: string },
  ): Promise<void>;
  /** The latest due time that was processed. */
  last(job: string): Promise<ScheduledTime | undefined>;
  /** Runs of the job's due times before `due`, newest first. */
  runsBefore(job: string, due: number, limit: number): Promise<readonly string[]>;
  /** Stops all schedulers from processing the job's due times. A job that is already paused does not change. */
  pause(job: string, at: number, who: string): Promise<void>;
  /** Resumes the job's schedule, from the next due time. */
  goOn(job: string, at: number): Promise<void>;
  /** The last pause of the job. */
  paused(job: string): Promise<SchedulePause | undefined>;
}
