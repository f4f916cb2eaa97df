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
}
