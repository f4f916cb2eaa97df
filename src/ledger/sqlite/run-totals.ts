import type { RunTotals } from '../contract/runs.js';
import type { Database } from './database.js';
import { type RunRecord, SELECT_RUN, toRun } from './run-record.js';

interface TotalRecord {
  readonly newest: number;
  readonly requests: number;
  readonly retries: number;
  readonly duration_ms: number;
  readonly last_success_at: number | null;
}

const ENDED = "kind IN ('run', 'reconcile') AND ended_at IS NOT NULL AND exit_code IS NOT NULL";

const TOTALS = `
SELECT max(id) AS newest, sum(requests) AS requests, sum(retries) AS retries,
  sum(max(ended_at - started_at, 0)) AS duration_ms, max(CASE exit_code WHEN 0 THEN ended_at END) AS last_success_at
FROM runs WHERE ${ENDED} GROUP BY job, connection, operation ORDER BY job, connection, operation`;

const BY_EXIT_CODE = `
SELECT exit_code, count(*) AS n FROM runs
WHERE ${ENDED} AND job = ? AND connection = ? AND operation = ? GROUP BY exit_code ORDER BY exit_code`;

/** Sums over the ended runs of each job, connection and operation. */
export function runTotals(db: Database): readonly RunTotals[] {
  return db.all<TotalRecord>(TOTALS).flatMap((it) => {
    const record = db.get<RunRecord>(`${SELECT_RUN} WHERE runs.id = ?`, it.newest);
    if (!record) return [];
    const { job, connection, operation } = toRun(record);
    const codes = db.all<{ exit_code: number; n: number }>(BY_EXIT_CODE, job, connection, operation);
    const total: RunTotals = {
      job,
      connection,
      operation,
      runs: new Map(codes.map(({ exit_code, n }) => [exit_code, n])),
      requests: it.requests,
      retries: it.retries,
      durationMs: it.duration_ms,
      last: toRun(record),
      ...(it.last_success_at === null ? {} : { lastSuccessAt: it.last_success_at }),
    };
    return [total];
  });
}
