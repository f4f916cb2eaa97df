import type { RunTotals } from '../contract/runs.js';
import {
  ENDED,
  type ExitCodeLine,
  type RunRecord,
  SELECT_RUN,
  type TotalRecord,
  toTotals,
  WORK_BEGAN,
} from '../shared/run-record.js';
import type { Database } from './database.js';

const TOTALS = `
SELECT max(id) AS newest, sum(requests) AS requests, sum(retries) AS retries,
  sum(max(ended_at - ${WORK_BEGAN}, 0)) AS duration_ms, max(CASE exit_code WHEN 0 THEN ended_at END) AS last_success_at
FROM runs WHERE ${ENDED} GROUP BY job, connection, operation ORDER BY job, connection, operation`;

const BY_EXIT_CODE = `
SELECT exit_code, count(*) AS n FROM runs
WHERE ${ENDED} AND job = ? AND connection = ? AND operation = ? GROUP BY exit_code ORDER BY exit_code`;

/** Sums over the ended runs of each job, connection and operation. */
export function runTotals(db: Database): readonly RunTotals[] {
  return db.all<TotalRecord>(TOTALS).flatMap((it) => {
    const newest = db.get<RunRecord>(`${SELECT_RUN} WHERE runs.id = ?`, it.newest);
    if (!newest) return [];
    const { job, connection, operation } = newest;
    return [toTotals(it, newest, db.all<ExitCodeLine>(BY_EXIT_CODE, job, connection, operation))];
  });
}
