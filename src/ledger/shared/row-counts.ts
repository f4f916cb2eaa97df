import type { RunCounts } from '../../model/run-outcome.js';
import { STATUSES, type Status, severity } from '../../model/status.js';
import { TO_BE_SENT } from './item-standing.js';

const SEVERITY_OF_STATUS = STATUSES.map((it) => `WHEN '${it}' THEN ${severity(it)}`).join(' ');

/**
 * Statuses of all rows of a run in one pass: each row counts once, with the worst of its own and its items'. An
 * attempt that is open or doubtful makes its unsettled items unknown. Takes its parameters as they stand in a statement;
 * `pending` is what items without an outcome count as.
 */
export const countRowsSql = (first: string, end: string, pending: string): string => `
WITH open_items AS MATERIALIZED (
  SELECT batch_items.item FROM attempts JOIN batch_items ON batch_items.batch = attempts.batch
  WHERE (attempts.ended_at IS NULL OR attempts.doubtful = 1)
    AND attempts.batch > ${first} AND attempts.batch < ${end}
), statuses AS (
  SELECT item_rows."row" AS "row", CASE
      WHEN ${TO_BE_SENT}
        AND item_rows.item IN (SELECT item FROM open_items) THEN 'unknown'
      ELSE coalesce(outcomes.status, ${pending}) END AS status
  FROM item_rows LEFT JOIN outcomes ON outcomes.item = item_rows.item
  WHERE item_rows."row" > ${first} AND item_rows."row" < ${end}
  UNION ALL
  SELECT "row", status FROM verdicts WHERE "row" > ${first} AND "row" < ${end}
), worst AS (
  SELECT max(CASE status ${SEVERITY_OF_STATUS} END) AS severity FROM statuses GROUP BY "row"
)
SELECT severity, count(*) AS n FROM worst GROUP BY severity`;

export interface CountLine {
  readonly severity: number;
  readonly n: number;
}

export function toCounts(found: readonly CountLine[]): RunCounts {
  const counts: Partial<Record<Status, number>> = {};
  for (const status of STATUSES) {
    const n = found.find((it) => it.severity === severity(status))?.n;
    if (n !== undefined) counts[status] = n;
  }
  return counts;
}
