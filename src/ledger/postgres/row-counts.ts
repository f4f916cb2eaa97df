import type { RunCounts } from '../../model/run-outcome.js';
import type { Status } from '../../model/status.js';
import { idRange } from '../shared/ids.js';
import {
  type CountLine,
  countedStep,
  countRowsSql,
  countStepRowsSql,
  STEP_RUNS_OF,
  toCounts,
} from '../shared/row-counts.js';
import type { Queryable } from './transaction.js';

const STEP_RUNS = STEP_RUNS_OF('$1');
const COUNT_ROWS = countRowsSql('$1::bigint', '$2::bigint', '$3::text');

/**
 * Counts by status; they add up to the run's planned rows. Pruned runs and reconciliations have those that were kept, as runs that are over
 * do until anything of them changes.
 */
export async function countRows(db: Queryable, run: number): Promise<RunCounts> {
  const sql =
    'SELECT kind, operation, coalesce(counts_json, sums_json) AS known_json FROM runs WHERE id = $1';
  const at = await db.get<{ kind: string; operation: string; known_json: string | null }>(sql, [run]);
  if (at?.known_json) return JSON.parse(at.known_json) as RunCounts;
  const pending: Status = at?.kind === 'run' ? 'not_sent' : 'valid';
  if (at?.operation === 'steps') {
    const steps = (await db.all<{ id: number; state: string }>(STEP_RUNS, [run])).map(countedStep);
    if (steps.length === 0) return {};
    return toCounts(await db.all<CountLine>(countStepRowsSql(steps, '$1::text'), [pending]));
  }
  const { first, end } = idRange(run);
  return toCounts(await db.all<CountLine>(COUNT_ROWS, [first, end, pending]));
}
