import type { Connection } from '../model/connection.js';
import type { Job, JobSchedule, ReconcileJob } from '../model/job.js';
import { jitterOf } from './jitter.js';
import { nextTime, type Timetable } from './timetable.js';

/** A job with a schedule, and what its schedule means here. */
export interface ScheduledJob {
  readonly name: string;
  /** Absolute path of the job file. */
  readonly file: string;
  readonly kind: 'run' | 'reconcile';
  /** A reconciliation that could change something, if it was let. */
  readonly hasActions: boolean;
  /** Its source is a folder of files, each a run of its own. */
  readonly inbox: boolean;
  readonly job: Job | ReconcileJob;
  readonly schedule: JobSchedule;
  readonly timetable: Timetable;
  /** The name of its connection, by which its runs are found. */
  readonly connection: string;
  /** Absent where it is not fully configured on this machine, which only looking and exporting forgive. */
  readonly configured?: Connection;
}

/** When the run of a due time starts: the time itself, or somewhat later. */
export function startTime({ name, schedule, timetable }: ScheduledJob, due: number): number {
  const { jitterMs = 0 } = schedule;
  return jitterMs === 0 ? due : due + jitterOf(name, due, jitterMs, nextTime(timetable, due));
}
