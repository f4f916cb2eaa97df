import type { RunCounts } from '../../model/run-outcome.js';
import { STATUSES, type Status, severity } from '../../model/status.js';
import type { Database } from './database.js';
import { idRange } from './ids.js';
import { TO_BE_SENT } from './item-standing.js';

const SEVERITY_OF_STATUS = STATUSES.map((it) => `WHEN '${it}' THEN ${severity(it)}`).join(' ');

/**
 * Statuses of all rows of a run in one pass: each row counts once, with the worst of its own and its items'. An
 * attempt that is open or doubtful makes its unsettled items unknown; the last parameter is what items without an
 * outcome count as.
 */
const COUNT_ROWS = `
WITH open_items AS MATERIALIZED (
  SELECT batch_items.item FROM attempts JOIN batch_items ON batch_items.batch = attempts.batch
  WHERE (attempts.ended_at IS NULL OR attempts.doubtful = 1)
    AND attempts.batch > :first AND attempts.batch < :end
), statuses AS (
  SELECT item_rows."row" AS "row", CASE
      WHEN ${TO_BE_SENT}
        AND item_rows.item IN (SELECT item FROM open_items) THEN 'unknown'
      ELSE coalesce(outcomes.status, :pending) END AS status
  FROM item_rows LEFT JOIN outcomes ON outcomes.item = item_rows.item
  WHERE item_rows."row" > :first AND item_rows."row" < :end
  UNION ALL
  SELECT "row", status FROM verdicts WHERE "row" > :first AND "row" < :end
), worst AS (
  SELECT max(CASE status ${SEVERITY_OF_STATUS} END) AS severity FROM statuses GROUP BY "row"
)
SELECT severity, count(*) AS n FROM worst GROUP BY severity`;

/** Counts by status; they add up to the run's planned rows. Pruned runs and reconciliations have those that were kept. */
export function countRows(db: Database, run: number): RunCounts {
  const at = db.get<{ kind: string; counts_json: string | null }>(
    'SELECT kind, counts_json FROM runs WHERE id = ?',
    run,
  );
  if (at?.counts_json) return JSON.parse(at.counts_json) as RunCounts;
  const pending: Status = at?.kind === 'run' ? 'not_sent' : 'valid';
  const found = db.allNamed<{ severity: number; n: number }>(COUNT_ROWS, { ...idRange(run), pending });
  const counts: Partial<Record<Status, number>> = {};
  for (const status of STATUSES) {
    const n = found.find((it) => it.severity === severity(status))?.n;
    if (n !== undefined) counts[status] = n;
  }
  return counts;
}
