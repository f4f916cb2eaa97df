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
import type { Queryable } from './transaction.js';

/** What each process added to the sums of its runs. */
const ADDED = `CROSS JOIN LATERAL (SELECT coalesce(sum(run_sums.requests), 0) AS requests,
  coalesce(sum(run_sums.retries), 0) AS retries FROM run_sums WHERE run_sums.run = runs.id) AS added`;

/** `SELECT_RUN` with all that was added: of two columns with one name the later counts. */
export const SELECT_RUN_SUMMED = SELECT_RUN.replace(
  ' FROM runs',
  ', runs.requests + added.requests AS requests, runs.retries + added.retries AS retries FROM runs',
).concat(` ${ADDED}`);

const TOTALS = `
SELECT max(id) AS newest, sum(runs.requests + added.requests) AS requests, sum(runs.retries + added.retries) AS retries,
  sum(greatest(ended_at - ${WORK_BEGAN}, 0)) AS duration_ms,
  max(CASE exit_code WHEN 0 THEN ended_at END) AS last_success_at
FROM runs ${ADDED} WHERE ${ENDED} GROUP BY job, connection, operation ORDER BY job, connection, operation`;

const BY_EXIT_CODE = `
SELECT exit_code, count(*) AS n FROM runs
WHERE ${ENDED} AND job = $1 AND connection = $2 AND operation = $3 GROUP BY exit_code ORDER BY exit_code`;

/** Sums over the ended runs of each job, connection and operation. */
export async function runTotals(db: Queryable): Promise<readonly RunTotals[]> {
  const found: RunTotals[] = [];
  for (const it of await db.all<TotalRecord>(TOTALS)) {
    const newest = await db.get<RunRecord>(`${SELECT_RUN_SUMMED} WHERE runs.id = $1`, [it.newest]);
    if (!newest) continue;
    const { job, connection, operation } = newest;
    found.push(toTotals(it, newest, await db.all<ExitCodeLine>(BY_EXIT_CODE, [job, connection, operation])));
  }
  return found;
}
