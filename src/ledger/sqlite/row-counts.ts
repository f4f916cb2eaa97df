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
import type { Database } from './database.js';

const STEP_RUNS = STEP_RUNS_OF('?');
const COUNT_ROWS = countRowsSql(':first', ':end', ':pending');

/**
 * Counts by status; they add up to the run's planned rows. Pruned runs and reconciliations have those that were kept, as runs that are over
 * do until anything of them changes.
 */
export function countRows(db: Database, run: number): RunCounts {
  const at = db.get<{ kind: string; operation: string; known_json: string | null }>(
    'SELECT kind, operation, coalesce(counts_json, sums_json) AS known_json FROM runs WHERE id = ?',
    run,
  );
  if (at?.known_json) return JSON.parse(at.known_json) as RunCounts;
  const pending: Status = at?.kind === 'run' ? 'not_sent' : 'valid';
  if (at?.operation === 'steps') {
    const steps = db.all<{ id: number; state: string }>(STEP_RUNS, run).map(countedStep);
    if (steps.length === 0) return {};
    return toCounts(db.allNamed<CountLine>(countStepRowsSql(steps, ':pending'), { pending }));
  }
  return toCounts(db.allNamed<CountLine>(COUNT_ROWS, { ...idRange(run), pending }));
}
