import type { ScheduledTime, SchedulePause, ScheduleStore } from '../contract/schedule.js';
import {
  type PauseRecord,
  pauseSql,
  runsBeforeSql,
  type TimeRecord,
  toPause,
  toScheduledTime,
} from '../shared/schedule.js';
import type { Database } from './database.js';

export class PostgresScheduleStore implements ScheduleStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async begin(job: string, due: number, at: number): Promise<boolean> {
    const sql = 'INSERT INTO schedule_times (job, due, begun_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';
    return (await this.#db.run(sql, [job, due, at])) === 1;
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
    const sql = runsBeforeSql('$1', '$2::bigint', '$3::bigint');
    return (await this.#db.all<{ run: string }>(sql, [job, due, limit])).map((it) => it.run);
  }

  async pause(job: string, at: number, who: string): Promise<void> {
    await this.#db.run(pauseSql('$1', '$2', '$3'), [job, at, who]);
  }

  async goOn(job: string, at: number): Promise<void> {
    const sql = 'UPDATE schedule_pauses SET continued_at = $1 WHERE job = $2 AND continued_at IS NULL';
    await this.#db.run(sql, [at, job]);
  }

  async paused(job: string): Promise<SchedulePause | undefined> {
    const found = await this.#db.get<PauseRecord>('SELECT * FROM schedule_pauses WHERE job = $1', [job]);
    return found && toPause(found);
  }
}
