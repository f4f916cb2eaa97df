import type { ScheduledTime, SchedulePause, ScheduleStore } from '../contract/schedule.js';
import type { PlainStatements } from './plain-statements.js';

/** A row of `schedule_times`. */
interface TimeRecord {
  readonly job: string;
  readonly due: number;
  readonly begun_at: number;
  readonly ended_at: number | null;
  readonly exit_code: number | null;
  readonly run: string | null;
}

/** A row of `schedule_pauses`. */
interface PauseRecord {
  readonly job: string;
  readonly paused_at: number;
  readonly who: string;
  readonly continued_at: number | null;
}

const RUNS_BEFORE = `
SELECT run FROM schedule_times WHERE job = $1 AND due < CAST($2 AS bigint) AND run IS NOT NULL
ORDER BY due DESC LIMIT CAST($3 AS bigint)`;

/** One that is paused stays as it is. */
const PAUSE = `
INSERT INTO schedule_pauses (job, paused_at, who) VALUES ($1, $2, $3)
ON CONFLICT (job) DO UPDATE SET paused_at = excluded.paused_at, who = excluded.who, continued_at = NULL
WHERE schedule_pauses.continued_at IS NOT NULL`;

function toPause(it: PauseRecord): SchedulePause {
  const { job, paused_at: pausedAt, who, continued_at: continuedAt } = it;
  return { job, pausedAt, who, ...(continuedAt === null ? {} : { continuedAt }) };
}

function toScheduledTime(it: TimeRecord): ScheduledTime {
  return {
    job: it.job,
    due: it.due,
    begunAt: it.begun_at,
    ...(it.ended_at === null ? {} : { endedAt: it.ended_at }),
    ...(it.exit_code === null ? {} : { exitCode: it.exit_code }),
    ...(it.run === null ? {} : { run: it.run }),
  };
}

export class PlainScheduleStore implements ScheduleStore {
  readonly #db: PlainStatements;

  constructor(db: PlainStatements) {
    this.#db = db;
  }

  async begin(job: string, due: number, at: number): Promise<boolean> {
    const sql = 'INSERT INTO schedule_times (job, due, begun_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';
    return (await this.#db.runFirst(sql, [job, due, at])) === 1;
  }

  async end(
    job: string,
    due: number,
    { endedAt, exitCode, run }: { endedAt: number; exitCode: number; run?: string },
  ): Promise<void> {
    const sql =
      'UPDATE schedule_times SET ended_at = $1, exit_code = $2, run = $3 WHERE job = $4 AND due = $5';
    await this.#db.run(sql, [endedAt, exitCode, run ?? null, job, due]);
  }

  async last(job: string): Promise<ScheduledTime | undefined> {
    const sql = 'SELECT * FROM schedule_times WHERE job = $1 ORDER BY due DESC LIMIT 1';
    const found = await this.#db.get<TimeRecord>(sql, [job]);
    return found && toScheduledTime(found);
  }

  async runsBefore(job: string, due: number, limit: number): Promise<readonly string[]> {
    return (await this.#db.all<{ run: string }>(RUNS_BEFORE, [job, due, limit])).map((it) => it.run);
  }

  async pause(job: string, at: number, who: string): Promise<void> {
    await this.#db.runFirst(PAUSE, [job, at, who]);
  }

  async goOn(job: string, at: number): Promise<void> {
    const sql = 'UPDATE schedule_pauses SET continued_at = $1 WHERE job = $2 AND continued_at IS NULL';
    await this.#db.runFirst(sql, [at, job]);
  }

  async paused(job: string): Promise<SchedulePause | undefined> {
    const found = await this.#db.get<PauseRecord>('SELECT * FROM schedule_pauses WHERE job = $1', [job]);
    return found && toPause(found);
  }
}
