import type { ScheduledTime, SchedulePause } from '../contract/schedule.js';
import { SqlStore } from './runner.js';
import { execute, find, query } from './statement.js';

const BEGIN = 'INSERT INTO schedule_times (job, due, begun_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';

const END = 'UPDATE schedule_times SET ended_at = $1, exit_code = $2, run = $3 WHERE job = $4 AND due = $5';

const LAST = `
SELECT job, due, begun_at AS "begunAt", ended_at AS "endedAt", exit_code AS "exitCode", run FROM schedule_times
WHERE job = $1 ORDER BY due DESC LIMIT 1`;

const RUNS_BEFORE = `
SELECT run FROM schedule_times WHERE job = $1 AND due < CAST($2 AS bigint) AND run IS NOT NULL
ORDER BY due DESC LIMIT CAST($3 AS bigint)`;

/** Does nothing if the job is already paused. */
const PAUSE = `
INSERT INTO schedule_pauses (job, paused_at, who) VALUES ($1, $2, $3)
ON CONFLICT (job) DO UPDATE SET paused_at = excluded.paused_at, who = excluded.who, continued_at = NULL
WHERE schedule_pauses.continued_at IS NOT NULL`;

const RESUME = 'UPDATE schedule_pauses SET continued_at = $1 WHERE job = $2 AND continued_at IS NULL';

const PAUSED = `
SELECT job, paused_at AS "pausedAt", who, continued_at AS "continuedAt" FROM schedule_pauses WHERE job = $1`;

/** State of schedulers. */
export class SqlScheduleStore extends SqlStore {
  /** Claims a due time: true for one caller only, with any number of schedulers. Durable when it resolves. */
  async begin(job: string, due: number, at: number): Promise<boolean> {
    return (await this.db.write(() => execute(BEGIN, job, due, at), 'first')) === 1;
  }

  async end(
    job: string,
    due: number,
    {
      endedAt,
      exitCode,
      run,
    }: { readonly endedAt: number; readonly exitCode: number; readonly run?: string },
  ): Promise<void> {
    await this.db.write(() => execute(END, endedAt, exitCode, run, job, due));
  }

  /** The latest due time that was processed. */
  last(job: string): Promise<ScheduledTime | undefined> {
    return this.db.read(() => find<ScheduledTime>(LAST, job));
  }

  /** Runs of the job's due times before `due`, newest first. */
  async runsBefore(job: string, due: number, limit: number): Promise<readonly string[]> {
    const found = await this.db.read(() => query<{ run: string }>(RUNS_BEFORE, job, due, limit));
    return found.map((it) => it.run);
  }

  /** Stops all schedulers from processing the job's due times. A job that is already paused does not change. */
  async pause(job: string, at: number, who: string): Promise<void> {
    await this.db.write(() => execute(PAUSE, job, at, who), 'first');
  }

  /** Resumes the job's schedule, from the next due time. */
  async resume(job: string, at: number): Promise<void> {
    await this.db.write(() => execute(RESUME, at, job), 'first');
  }

  /** The last pause of the job. */
  paused(job: string): Promise<SchedulePause | undefined> {
    return this.db.read(() => find<SchedulePause>(PAUSED, job));
  }
}
