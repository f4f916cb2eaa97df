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

export class SqliteScheduleStore implements ScheduleStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async begin(job: string, due: number, at: number): Promise<boolean> {
    return this.#db.firstWrite(() => {
      const sql = 'INSERT INTO schedule_times (job, due, begun_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
      return this.#db.run(sql, job, due, at) === 1;
    });
  }

  async end(
    job: string,
    due: number,
    { endedAt, exitCode, run }: { endedAt: number; exitCode: number; run?: string },
  ): Promise<void> {
    this.#db.write(() => {
      const sql = 'UPDATE schedule_times SET ended_at = ?, exit_code = ?, run = ? WHERE job = ? AND due = ?';
      this.#db.run(sql, endedAt, exitCode, run ?? null, job, due);
    });
  }

  async last(job: string): Promise<ScheduledTime | undefined> {
    const sql = 'SELECT * FROM schedule_times WHERE job = ? ORDER BY due DESC LIMIT 1';
    const found = this.#db.read(() => this.#db.get<TimeRecord>(sql, job));
    return found && toScheduledTime(found);
  }

  async runsBefore(job: string, due: number, limit: number): Promise<readonly string[]> {
    const sql = runsBeforeSql('?', '?', '?');
    return this.#db.read(() => this.#db.all<{ run: string }>(sql, job, due, limit)).map((it) => it.run);
  }

  async pause(job: string, at: number, who: string): Promise<void> {
    this.#db.firstWrite(() => this.#db.run(pauseSql('?', '?', '?'), job, at, who));
  }

  async goOn(job: string, at: number): Promise<void> {
    const sql = 'UPDATE schedule_pauses SET continued_at = ? WHERE job = ? AND continued_at IS NULL';
    this.#db.firstWrite(() => this.#db.run(sql, at, job));
  }

  async paused(job: string): Promise<SchedulePause | undefined> {
    const sql = 'SELECT * FROM schedule_pauses WHERE job = ?';
    const found = this.#db.read(() => this.#db.get<PauseRecord>(sql, job));
    return found && toPause(found);
  }
}
