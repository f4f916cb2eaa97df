import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { RunCounts } from '../../model/run-outcome.js';
import type { Clock } from '../../util/clock.js';
import type { AuditAct } from '../contract/audit.js';
import type { Run, RunKind, RunPatch, RunStart, RunState } from '../contract/run.js';
import type { RunFilter, RunQuery, RunStore, RunTotals } from '../contract/runs.js';
import { prunableRuns } from '../rules/pruning.js';
import { mayFollow, NEEDS_PROCESS } from '../rules/run-states.js';
import { type NamedScope, scopesOf } from '../rules/scopes.js';
import { runEntry } from '../shared/audit.js';
import { sqlList } from '../shared/item-standing.js';
import {
  BEGUN,
  changedColumns,
  filterSql,
  LISTED,
  PLANS_TOO,
  type RunRecord,
  SELECT_RUN,
  startValues,
  TO_PRUNE,
  type ToPruneLine,
  toPrunable,
  toRun,
  versionsOfStepsSql,
} from '../shared/run-record.js';
import { appendAudit } from './audit.js';
import type { Database } from './database.js';
import type { GroupCommit } from './group-commit.js';
import { pruneRun } from './prune.js';
import { countRows } from './row-counts.js';
import type { RunNumbers } from './run-numbers.js';
import { runTotals } from './run-totals.js';

export class SqliteRunStore implements RunStore {
  readonly #db: Database;
  readonly #numbers: RunNumbers;
  readonly #group: GroupCommit;
  readonly #clock: Clock;

  constructor(db: Database, numbers: RunNumbers, group: GroupCommit, clock: Clock) {
    this.#db = db;
    this.#numbers = numbers;
    this.#group = group;
    this.#clock = clock;
  }

  async create(start: RunStart, act?: AuditAct): Promise<void> {
    this.#db.firstWrite(() => {
      this.#db.run('INSERT INTO scopes (name) VALUES (?) ON CONFLICT DO NOTHING', start.scope);
      this.#db.run(
        `INSERT INTO runs (name, kind, state, job, job_file, job_sha256, operation, connection, scope, input_file,
           input_sha256, settings_json, parent, step, started_at, made_by, made_by_subject, things_indexed)
         SELECT ?, ?, 'planning', ?, ?, ?, ?, ?, id, ?, ?, ?, ?, ?, ?, ?, ?, 1 FROM scopes WHERE name = ?`,
        ...startValues(start),
      );
      if (act) appendAudit(this.#db, runEntry(start, act), this.#clock.now());
    });
  }

  async patch(id: string, patch: RunPatch): Promise<void> {
    const sets = changedColumns(patch);
    const assignments = [...sets.keys()].map((column) => `${column} = ?`);
    assignments.push('execute_ms = execute_ms + ?');
    this.#db.write(() => {
      const { number } = this.#numbers.of(id);
      if (patch.state !== undefined) this.#refuseState(id, number, patch.state);
      const sql = `UPDATE runs SET ${assignments.join(', ')} WHERE id = ?`;
      this.#db.run(sql, ...sets.values(), patch.addExecuteMs ?? 0, number);
    });
  }

  /** Another process may have finished the run since its caller looked. */
  #refuseState(run: string, number: number, to: RunState): void {
    const from = this.#db.get<{ state: RunState }>('SELECT state FROM runs WHERE id = ?', number)?.state;
    if (from !== undefined && mayFollow(from, to)) return;
    throw new ProductError('internal', message('ledger.state_passed', { run, from: from ?? '', to }));
  }

  async get(id: string): Promise<Run | undefined> {
    this.#group.catchUp();
    const found = this.#db.read(() => this.#db.get<RunRecord>(`${SELECT_RUN} WHERE runs.name = ?`, id));
    return found && toRun(found);
  }

  async last(kinds?: readonly RunKind[]): Promise<Run | undefined> {
    this.#group.catchUp();
    const found = this.#db.read(() => {
      if (!kinds)
        return this.#db.get<RunRecord>(`${SELECT_RUN} WHERE ${LISTED} ORDER BY runs.id DESC LIMIT 1`);
      const sql = `${SELECT_RUN} WHERE ${LISTED} AND kind IN (SELECT value FROM json_each(?)) ORDER BY runs.id DESC LIMIT 1`;
      return this.#db.get<RunRecord>(sql, JSON.stringify(kinds));
    });
    return found && toRun(found);
  }

  async children(id: string): Promise<readonly Run[]> {
    this.#group.catchUp();
    const sql = `${SELECT_RUN} WHERE parent = ? ORDER BY runs.id`;
    return this.#db.read(() => this.#db.all<RunRecord>(sql, id).map(toRun));
  }

  async versionsOfSteps(id: string, limit: number): Promise<readonly string[]> {
    const sql = versionsOfStepsSql({
      scopes: 'IN (SELECT value FROM json_each(?2))',
      steps: (job) => `json_extract(settings_json, '$.${job}.steps')`,
      run: '?1',
      limit: '?3',
    });
    return this.#db.read(() => {
      const { number } = this.#numbers.of(id);
      const scopes = JSON.stringify(this.#numbers.scopes(id));
      return this.#db.all<{ name: string }>(sql, number, scopes, limit).map(({ name }) => name);
    });
  }

  async list(limit: number, which?: 'steps too'): Promise<readonly Run[]> {
    this.#group.catchUp();
    const sql = `${SELECT_RUN} ${which ? '' : `WHERE ${LISTED}`} ORDER BY runs.id DESC LIMIT ?`;
    return this.#db.read(() => this.#db.all<RunRecord>(sql, limit).map(toRun));
  }

  async find(wanted: RunFilter, limit: number): Promise<readonly Run[]> {
    this.#group.catchUp();
    const { where, values } = filterSql(wanted, () => '?');
    const sql = `${SELECT_RUN} WHERE ${where} ORDER BY runs.id DESC LIMIT ?`;
    return this.#db.read(() => this.#db.all<RunRecord>(sql, ...values, limit).map(toRun));
  }

  async lastOf(wanted: RunQuery): Promise<Run | undefined> {
    return this.#chosen(wanted, 'LIMIT 1')[0];
  }

  async listOf(wanted: RunQuery): Promise<readonly Run[]> {
    return this.#chosen(wanted, '');
  }

  #chosen(wanted: RunQuery, limit: string): readonly Run[] {
    this.#group.catchUp();
    const { job, connection, inputSha256, scope, unended, plans } = wanted;
    const input = inputSha256 === undefined ? '' : 'AND input_sha256 = ?';
    const open = unended ? `AND state IN (${sqlList(NEEDS_PROCESS)})` : '';
    const sql = `${SELECT_RUN} WHERE ${LISTED} AND ${plans ? PLANS_TOO : BEGUN} AND job = ? ${input} AND runs.scope IN (SELECT value FROM json_each(?)) ${open}
      ORDER BY runs.id DESC ${limit}`;
    return this.#db.read(() => {
      const scopes = this.#db.all<NamedScope>('SELECT id, name FROM scopes');
      const of = JSON.stringify(scopesOf({ scope, connection }, scopes));
      const values = [job, inputSha256, of].filter((it) => it !== undefined);
      return this.#db.all<RunRecord>(sql, ...values).map(toRun);
    });
  }

  async totals(): Promise<readonly RunTotals[]> {
    this.#group.catchUp();
    return this.#db.read(() => runTotals(this.#db));
  }

  async counts(id: string): Promise<RunCounts> {
    this.#group.catchUp();
    return this.#db.read(() => countRows(this.#db, this.#numbers.of(id).number));
  }

  async prune(endedBefore: number, only?: readonly string[]): Promise<number> {
    this.#group.catchUp();
    const runs = this.#db.read(() => {
      const all = this.#db.all<ToPruneLine>(TO_PRUNE).map(toPrunable);
      return prunableRuns(all, endedBefore, only).filter(
        (it) => !countRows(this.#db, it.whole ?? it.number).unknown,
      );
    });
    let pruned = 0;
    // Deleted data must not linger in free pages or in the write-ahead log.
    this.#db.exec('PRAGMA secure_delete = ON');
    try {
      for (const { number, whole } of runs) {
        pruned += this.#group.write(() => {
          // Somebody may have left something unknown since.
          if (countRows(this.#db, whole ?? number).unknown) return 0;
          pruneRun(this.#db, number, this.#clock.now());
          return whole === undefined ? 1 : 0;
        });
      }
    } finally {
      this.#db.exec('PRAGMA secure_delete = OFF');
      this.#db.pragma('wal_checkpoint(TRUNCATE)');
    }
    return pruned;
  }
}
