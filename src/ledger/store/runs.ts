import { hostname } from 'node:os';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { RunCounts } from '../../model/run-outcome.js';
import { exactStringify } from '../../util/exact-json.js';
import type { AuditAct } from '../contract/audit.js';
import type {
  Run,
  RunFilter,
  RunKind,
  RunPatch,
  RunQuery,
  RunStart,
  RunState,
  RunTotals,
} from '../contract/runs.js';
import { mayFollow, TurnPassed } from '../rules/run-states.js';
import { type NamedScope, scopesOf } from '../rules/scopes.js';
import { appendAudit, runEntry } from './audit.js';
import type { Dialect } from './dialect.js';
import { sqlList } from './item-state.js';
import { pruneRuns } from './prune.js';
import { countRows } from './row-counts.js';
import {
  changedColumns,
  chosenSql,
  filterSql,
  LISTED,
  runTotals,
  selectRuns,
  VERSIONS_OF_STEPS,
} from './run-rows.js';
import { ClockedSqlStore } from './runner.js';
import { execute, query, queryOne, type Store, serverOnly } from './statement.js';

const ADD = `
INSERT INTO runs (name, kind, state, job, job_file, job_sha256, operation, connection, scope, input_file, input_sha256,
  settings_json, parent, step, started_at, made_by, made_by_subject, things_indexed)
SELECT $1, $2, 'planning', $3, $4, $5, $6, $7, id, $8, $9, $10, $11, $12, $13, $14, $15, 1 FROM scopes WHERE name = $16`;

export class SqlRunStore extends ClockedSqlStore {
  /** @param act how the run was created: an audit entry, written in the same transaction */
  create(start: RunStart, act?: AuditAct): Promise<void> {
    const parent = start.step === undefined ? undefined : start.parent;
    return this.db.write(() => create(start, act, this.clock.now()), 'first', parent ?? start.id);
  }

  patch(id: string, patch: RunPatch): Promise<void> {
    const sets = changedColumns(patch);
    const assignments = [...sets.keys()].map((column, at) => `, ${column} = $${at + 3}`);
    const sql = `UPDATE runs SET execute_ms = execute_ms + $1${assignments.join('')} WHERE id = $2`;
    return this.db.writeRun(id, function* ({ number }) {
      if (patch.turn !== undefined) yield* requireTurn(number, patch.turn);
      if (patch.state !== undefined) yield* refuseState(id, number, patch.state);
      yield* execute(sql, patch.addExecuteMs ?? 0, number, ...sets.values());
    });
  }

  /** undefined when no run has this id. */
  async get(id: string): Promise<Run | undefined> {
    return (await this.db.read(() => selectRuns('WHERE runs.name = $1', id), 'outcomes'))[0];
  }

  /** The newest run of the given kinds (default: all); never a step run. */
  async last(kinds?: readonly RunKind[]): Promise<Run | undefined> {
    const ofKinds = kinds ? `AND kind IN (${sqlList(kinds)})` : '';
    const rest = `WHERE ${LISTED} ${ofKinds} ORDER BY runs.id DESC LIMIT 1`;
    return (await this.db.read(() => selectRuns(rest), 'outcomes'))[0];
  }

  /** Runs that name this one as their parent, oldest first: its step runs and its retries. */
  children(id: string): Promise<readonly Run[]> {
    return this.db.read(() => selectRuns('WHERE parent = $1 ORDER BY runs.id', id), 'outcomes');
  }

  /**
   * Runs of several steps whose keys apply to this run: for each version of each job the newest run, which may be pruned.
   * Runs of the same job come first, then the newest.
   */
  versionsOfSteps(id: string, limit: number): Promise<readonly string[]> {
    const { runs } = this.db;
    return this.db.read(function* () {
      const { number } = yield* runs.of(id);
      const scopes = yield* runs.scopes(id);
      const found = yield* query<{ name: string }>(VERSIONS_OF_STEPS, number, scopes, limit);
      return found.map(({ name }) => name);
    });
  }

  /** Newest first; step runs only on request. */
  list(limit: number, which?: 'steps too'): Promise<readonly Run[]> {
    const rest = `${which ? '' : `WHERE ${LISTED}`} ORDER BY runs.id DESC LIMIT $1`;
    return this.db.read(() => selectRuns(rest, limit), 'outcomes');
  }

  /** Newest first, no step runs. */
  find(filter: RunFilter, limit: number): Promise<readonly Run[]> {
    const { where, values } = filterSql(filter);
    const rest = `WHERE ${where} ORDER BY runs.id DESC LIMIT $${values.length + 1}`;
    return this.db.read(() => selectRuns(rest, ...values, limit), 'outcomes');
  }

  /** The newest matching run (of kind `run` or `reconcile`, no step run), by start time. */
  async lastOf(filter: RunQuery): Promise<Run | undefined> {
    return (await this.db.read(() => chosen(filter, 'LIMIT 1'), 'outcomes'))[0];
  }

  /** All matching runs, newest first. */
  listOf(filter: RunQuery): Promise<readonly Run[]> {
    return this.db.read(() => chosen(filter, ''), 'outcomes');
  }

  /** Totals over all ended runs except checks and step runs, one entry for each job, connection and operation. */
  totals(): Promise<readonly RunTotals[]> {
    return this.db.read(() => runTotals(), 'snapshot');
  }

  /**
   * Removes all personal data of runs that ended before a time. Keys stay, so that repeats are still detected. Runs with
   * unknown rows are not pruned, because they could never be resolved afterwards. Nor are runs that can be resumed, and runs
   * whose rows those need.
   * @param only these runs, regardless of their end: checks that a later check of the same rows has replaced
   */
  prune(endedBefore: number, only?: readonly string[]): Promise<number> {
    return pruneRuns(this.db, this.clock, endedBefore, only);
  }

  /**
   * Rows by status, adding up to the run's rows, as the last report would show them: pending rows are `not_sent` in a run,
   * `valid` in a dry run or a plan. For a run of several steps: over the step runs so far, each row counted once with the
   * status of `worstOfSteps`.
   */
  counts(id: string): Promise<RunCounts> {
    return this.readRun(id, countRows, 'outcomes');
  }
}

function* create(start: RunStart, act: AuditAct | undefined, at: number): Store<void> {
  const { id, kind, job, jobFile, jobSha256, operation, connection, inputFile, inputSha256 } = start;
  const { settings, parent, step, startedAt, by, bySubject, scope } = start;
  yield* execute('INSERT INTO scopes (name) VALUES ($1) ON CONFLICT DO NOTHING', scope);
  yield* execute(
    ADD,
    ...[id, kind, job, jobFile, jobSha256, operation, connection, inputFile, inputSha256],
    ...[exactStringify(settings), parent, step, startedAt, by, bySubject, scope],
  );
  yield* serverOnly('UPDATE runs SET host = $1 WHERE name = $2', hostname(), id);
  if (act) yield* appendAudit(runEntry(start, act), at);
}

function* chosen(filter: RunQuery, limit: string): Store<Run[]> {
  const { job, connection, inputSha256, scope } = filter;
  const scopes = scopesOf({ scope, connection }, yield* query<NamedScope>('SELECT id, name FROM scopes'));
  const input = inputSha256 === undefined ? [] : [inputSha256];
  const rest = (dialect: Dialect): string => `${chosenSql(filter)(dialect)} ${limit}`;
  return yield* selectRuns(rest, job, scopes, ...input);
}

const STATE = ({ forUpdate }: Dialect) => `SELECT state FROM runs WHERE id = $1 ${forUpdate}`;

/** Another process may have finished the run since the caller read its state. */
function* refuseState(run: string, number: number, to: RunState): Store<void> {
  const from = (yield* queryOne<{ state: RunState }>(STATE, number))?.state;
  if (from !== undefined && mayFollow(from, to)) return;
  throw new ProductError('internal', message('ledger.state_passed', { run, from: from ?? '', to }));
}

/** A run of several steps is queued with one of its steps, always for the same turn. */
const IN_QUEUE = `
SELECT 1 FROM queued_runs WHERE n = $2 AND (run = $1 OR run IN (
  SELECT step.id FROM runs AS step JOIN runs AS whole ON whole.name = step.parent
  WHERE whole.id = $1 AND step.step IS NOT NULL)) FOR KEY SHARE`;

/**
 * Locks the run's turn in the queue until the transaction ends.
 * @throws TurnPassed when the run isn't queued for this turn
 */
export function* requireTurn(run: number, turn: number): Store<void> {
  if ((yield* serverOnly(IN_QUEUE, run, turn)) === 0) throw new TurnPassed();
}
