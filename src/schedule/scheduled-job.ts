import { createHash } from 'node:crypto';
import type { Connection } from '../model/connection.js';
import type { AnyJob, JobSchedule } from '../model/job.js';
import { nextTime, type Timetable } from './timetable.js';

/** A job with a schedule, resolved with the settings of this machine. */
export interface ScheduledJob {
  readonly name: string;
  /** Absolute path of the job file. */
  readonly file: string;
  readonly kind: 'run' | 'reconcile';
  /** A reconciliation that has actions. */
  readonly hasActions: boolean;
  /** The source is a folder of files, each a separate run. */
  readonly isInbox: boolean;
  readonly job: AnyJob;
  readonly schedule: JobSchedule;
  readonly timetable: Timetable;
  /** The name of its connection. */
  readonly connection: string;
  /** Its platform, by which its runs are found. */
  readonly scope: string;
  /** Absent if it is not fully configured on this machine; only listing and exporting accept that. */
  readonly configured?: Connection;
}

/** When the run of a due time starts, including jitter. */
export function startTime({ name, schedule, timetable }: ScheduledJob, due: number): number {
  const { jitterMs = 0 } = schedule;
  return jitterMs === 0 ? due : due + jitterOf(name, due, jitterMs, nextTime(timetable, due));
}

/**
 * The delay of a start in milliseconds: from 0 to `jitterMs`, constant for a job and time, and always before the next due
 * time (`next`, absent if there is none).
 */
export function jitterOf(job: string, due: number, jitterMs: number, next?: number): number {
  const span = next === undefined ? jitterMs : Math.min(jitterMs, next - due - 1);
  if (span <= 0) return 0;
  const digest = createHash('sha256')
    .update(JSON.stringify([job, due]))
    .digest();
  return Math.floor((digest.readUInt32BE(0) / 2 ** 32) * (span + 1));
}
