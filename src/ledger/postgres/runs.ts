import { hostname } from 'node:os';
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
  startValues,
  TO_PRUNE,
  type ToPruneLine,
  toPrunable,
  toRun,
  versionsOfStepsSql,
} from '../shared/run-record.js';
import { appendAudit } from './audit.js';
import type { Database } from './database.js';
import { pruneRun, vacuum } from './prune.js';
import { countRows } from './row-counts.js';
import { type RunNumbers, requireTurn } from './run-numbers.js';
import { runTotals, SELECT_RUN_SUMMED } from './run-totals.js';
import type { Queryable } from './transaction.js';

const CREATE = `
INSERT INTO runs (name, kind, state, job, job_file, job_sha256, operation, connection, scope, input_file, input_sha256,
  settings_json, parent, step, started_at, made_by, made_by_subject, host, things_indexed)
SELECT $1, $2, 'planning', $3, $4, $5, $6, $7, id, $8, $9, $10, $11, $12, $13, $14, $15, $17, 1 FROM scopes WHERE name = $16`;

export class PostgresRunStore implements RunStore {
  readonly #db: Database;
  readonly #numbers: RunNumbers;
  readonly #clock: Clock;

  constructor(db: Database, numbers: RunNumbers, clock: Clock) {
    this.#db = db;
    this.#numbers = numbers;
    this.#clock = clock;
  }

  async create(start: RunStart, act?: AuditAct): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await tx.run('INSERT INTO scopes (name) VALUES ($1) ON CONFLICT DO NOTHING', [start.scope]);
      await tx.run(CREATE, [...startValues(start), hostname()]);
      if (act) await appendAudit(tx, runEntry(start, act), this.#clock.now());
    });
  }

  async patch(id: string, patch: RunPatch): Promise<void> {
    const sets = changedColumns(patch);
    const assignments = [...sets.keys()].map((column, at) => `${column} = $${at + 3}`);
    const sql = `UPDATE runs SET ${['execute_ms = execute_ms + $1', ...assignments].join(', ')} WHERE id = $2`;
    const { number } = await this.#numbers.of(id);
    await this.#db.transaction(async (tx) => {
      if (patch.turn !== undefined) await requireTurn(tx, number, patch.turn);
      if (patch.state !== undefined) await refuseState(tx, id, number, patch.state);
      await tx.run(sql, [patch.addExecuteMs ?? 0, number, ...sets.values()]);
    });
  }

  async get(id: string): Promise<Run | undefined> {
    return (await this.#select('WHERE runs.name = $1', [id]))[0];
  }

  async last(kinds?: readonly RunKind[]): Promise<Run | undefined> {
    const of = kinds ? `WHERE ${LISTED} AND kind = ANY($1::text[])` : `WHERE ${LISTED}`;
    return (await this.#select(`${of} ORDER BY runs.id DESC LIMIT 1`, kinds ? [kinds] : []))[0];
  }

  async children(id: string): Promise<readonly Run[]> {
    return this.#select('WHERE parent = $1 ORDER BY runs.id', [id]);
  }

  async versionsOfSteps(id: string, limit: number): Promise<readonly string[]> {
    const sql = versionsOfStepsSql({
      scopes: '= ANY($2::bigint[])',
      // Not jsonb: that takes no U+0000, which a text may hold.
      steps: (job) => `(settings_json::json -> '${job}' -> 'steps')::text`,
      run: '$1',
      limit: '$3',
    });
    const { number } = await this.#numbers.of(id);
    const found = await this.#db.all<{ name: string }>(sql, [number, await this.#numbers.scopes(id), limit]);
    return found.map(({ name }) => name);
  }

  async list(limit: number, which?: 'steps too'): Promise<readonly Run[]> {
    return this.#select(`${which ? '' : `WHERE ${LISTED}`} ORDER BY runs.id DESC LIMIT $1`, [limit]);
  }

  async find(wanted: RunFilter, limit: number): Promise<readonly Run[]> {
    const { where, values } = filterSql(wanted, (at) => `$${at}`);
    return this.#select(`WHERE ${where} ORDER BY runs.id DESC LIMIT $${values.length + 1}`, [
      ...values,
      limit,
    ]);
  }

  async lastOf(wanted: RunQuery): Promise<Run | undefined> {
    return (await this.#chosen(wanted, 'LIMIT 1'))[0];
  }

  async listOf(wanted: RunQuery): Promise<readonly Run[]> {
    return this.#chosen(wanted, '');
  }

  async #chosen(wanted: RunQuery, limit: string): Promise<readonly Run[]> {
    const { job, connection, inputSha256, scope, unended, plans } = wanted;
    const open = unended ? `AND state IN (${sqlList(NEEDS_PROCESS)})` : '';
    const sql = `WHERE ${LISTED} AND ${plans ? PLANS_TOO : BEGUN} AND job = $1
      AND ($2::text IS NULL OR input_sha256 = $2) AND runs.scope = ANY($3::bigint[]) ${open}
      ORDER BY runs.id DESC ${limit}`;
    const scopes = await this.#db.all<NamedScope>('SELECT id, name FROM scopes');
    return this.#select(sql, [job, inputSha256 ?? null, scopesOf({ scope, connection }, scopes)]);
  }

  async #select(rest: string, params: readonly unknown[]): Promise<readonly Run[]> {
    return (await this.#db.all<RunRecord>(`${SELECT_RUN_SUMMED} ${rest}`, params)).map(toRun);
  }

  async totals(): Promise<readonly RunTotals[]> {
    return this.#db.snapshot(runTotals);
  }

  async counts(id: string): Promise<RunCounts> {
    return countRows(this.#db, (await this.#numbers.of(id)).number);
  }

  async prune(endedBefore: number, only?: readonly string[]): Promise<number> {
    const all = (await this.#db.all<ToPruneLine>(TO_PRUNE)).map(toPrunable);
    let pruned = 0;
    for (const { number, whole } of prunableRuns(all, endedBefore, only)) {
      const gone = await this.#db.transaction(async (tx) => {
        if (whole !== undefined && (await countRows(tx, whole)).unknown) return false;
        return pruneRun(tx, number, this.#clock.now());
      });
      if (gone && whole === undefined) pruned += 1;
    }
    // What another check holds as well needs no such haste.
    if (pruned > 0 && !only) await vacuum(this.#db);
    return pruned;
  }
}

/** Another process may have finished the run since its caller looked. */
async function refuseState(tx: Queryable, run: string, number: number, to: RunState): Promise<void> {
  const sql = 'SELECT state FROM runs WHERE id = $1 FOR UPDATE';
  const from = (await tx.get<{ state: RunState }>(sql, [number]))?.state;
  if (from !== undefined && mayFollow(from, to)) return;
  throw new ProductError('internal', message('ledger.state_passed', { run, from: from ?? '', to }));
}
