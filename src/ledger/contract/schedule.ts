/** A time of a schedule that was taken up. */
export interface ScheduledTime {
  readonly job: string;
  /** When it was due; milliseconds since 1970, as all times. */
  readonly due: number;
  readonly begunAt: number;
  /** Absent while it goes on, or where the scheduler died. */
  readonly endedAt?: number;
  readonly exitCode?: number;
  readonly run?: string;
}

/** A job whose times are left out, or were. */
export interface SchedulePause {
  readonly job: string;
  readonly pausedAt: number;
  readonly who: string;
  /** When it went on; absent while it is paused. */
  readonly continuedAt?: number;
}

/** What schedulers remember. */
export interface ScheduleStore {
  /** Takes a time up: true for one caller only, whatever the number of schedulers. Durable when it resolves. */
  begin(job: string, due: number, at: number): Promise<boolean>;
  end(
    job: string,
    due: number,
    end: { readonly endedAt: number; readonly exitCode: number; readonly run?: string },
  ): Promise<void>;
  /** The time that was due last among those taken up. */
  last(job: string): Promise<ScheduledTime | undefined>;
  /** The runs of the job's times before one, newest first, so many at most. */
  runsBefore(job: string, due: number, limit: number): Promise<readonly string[]>;
  /** From now on no scheduler takes up a time of the job; one that is paused stays as it is. */
  pause(job: string, at: number, who: string): Promise<void>;
  /** Times that come from now on are taken up again. */
  goOn(job: string, at: number): Promise<void>;
  /** The last time that the job was paused. */
  paused(job: string): Promise<SchedulePause | undefined>;
}
