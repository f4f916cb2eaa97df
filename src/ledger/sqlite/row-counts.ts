import type { RunCounts } from '../../model/run-outcome.js';
import type { Status } from '../../model/status.js';
import { idRange } from '../shared/ids.js';
import { type CountLine, countRowsSql, toCounts } from '../shared/row-counts.js';
import type { Database } from './database.js';

const COUNT_ROWS = countRowsSql(':first', ':end', ':pending');

/** Counts by status; they add up to the run's planned rows. Pruned runs and reconciliations have those that were kept. */
export function countRows(db: Database, run: number): RunCounts {
  const at = db.get<{ kind: string; counts_json: string | null }>(
    'SELECT kind, counts_json FROM runs WHERE id = ?',
    run,
  );
  if (at?.counts_json) return JSON.parse(at.counts_json) as RunCounts;
  const pending: Status = at?.kind === 'run' ? 'not_sent' : 'valid';
  return toCounts(db.allNamed<CountLine>(COUNT_ROWS, { ...idRange(run), pending }));
}
