import type { RunCounts } from '../../model/run-outcome.js';
import { STATUSES, type Status, severity } from '../../model/status.js';
import { idRange } from './ids.js';
import { TO_BE_SENT, waitsInDoubt } from './item-standing.js';

const SEVERITY_OF_STATUS = STATUSES.map((it) => `WHEN '${it}' THEN ${severity(it)}`).join(' ');

/** The severity of a row's status, over its own statuses and its items' (`statusOfRow`). */
const ROW_SEVERITY = `CASE
  WHEN max(CASE status ${SEVERITY_OF_STATUS} END) = ${severity('rejected')}
    AND max(CASE WHEN status IN ('succeeded', 'accepted') THEN 1 ELSE 0 END) = 1 THEN ${severity('failed')}
  ELSE max(CASE status ${SEVERITY_OF_STATUS} END) END`;

/**
 * Statuses of all rows of a run in one pass: each row counts once, with the worst of its own and its items'. An
 * attempt that is open or doubtful makes its unsettled items unknown. Takes its parameters as they stand in a statement;
 * `pending` is what items without an outcome count as.
 */
export const countRowsSql = (first: string, end: string, pending: string): string => `
${statusesSql(first, end, pending)}, worst AS (
  SELECT ${ROW_SEVERITY} AS severity FROM statuses GROUP BY "row"
)
SELECT severity, count(*) AS n FROM worst GROUP BY severity`;

/** The first row of a range with one of these statuses; `pending` as above. */
export const nextRowSql = (
  first: string,
  end: string,
  pending: string,
  statuses: readonly Status[],
): string => `
SELECT "row" AS "row" FROM (
  SELECT item_rows."row" AS "row", CASE WHEN ${waitsInDoubt('item_rows.item')} THEN 'unknown'
    ELSE coalesce(outcomes.status, ${pending}) END AS status
  FROM item_rows LEFT JOIN outcomes ON outcomes.item = item_rows.item
  WHERE item_rows."row" > ${first} AND item_rows."row" <= ${end}
  UNION ALL
  SELECT "row", status FROM verdicts WHERE "row" > ${first} AND "row" <= ${end}
) AS statuses GROUP BY "row"
HAVING (${ROW_SEVERITY}) IN (${statuses.map(severity).join(', ')}) ORDER BY "row" LIMIT 1`;

/** Rows that are looked through for one of a status at a time. */
export const LOOKED_THROUGH = 5_000;

/** `statuses`: each row's own and those of its items. */
const statusesSql = (first: string, end: string, pending: string): string => `
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
)`;

/** A step run as its rows are counted: first and end of its ids, as they stand in a statement. */
interface CountedStep {
  readonly first: number;
  readonly end: number;
  /** Rows that it lacks are still to come: until then they are pending, whatever became of them in other steps. */
  readonly isPlanned: boolean;
}

/** The same of a run of several steps, over all its step runs: each source row counts once. */
export const countStepRowsSql = (counted: readonly CountedStep[], pending: string): string => {
  const steps = counted.map(
    ({ first, end }) =>
      `SELECT "row" - ${first} AS "row", ${ROW_SEVERITY} AS severity, ${first} AS part FROM (${statusesSql(`${first}`, `${end}`, pending)} SELECT * FROM statuses) AS step_${first} GROUP BY "row"`,
  );
  // A step that left a row out has no say (`worstOfSteps`).
  const worst = `max(CASE severity WHEN ${severity('skipped')} THEN -1 ELSE severity END)`;
  const planned = counted.filter((it) => it.isPlanned).map(({ first }) => first);
  const isLacking = `count(DISTINCT CASE WHEN part IN (${planned.join()}) THEN part END) < ${planned.length}`;
  const waits = `CASE ${pending} ${SEVERITY_OF_STATUS} END`;
  return `
SELECT CASE severity WHEN -1 THEN ${severity('skipped')} ELSE severity END AS severity, count(*) AS n FROM (
  SELECT ${planned.length === 0 ? worst : `CASE WHEN ${isLacking} AND ${worst} < ${waits} THEN ${waits} ELSE ${worst} END`} AS severity
  FROM (${steps.join(' UNION ALL ')}) AS steps GROUP BY "row"
) AS worst GROUP BY 1`;
};

/** A line of what follows, as its rows are counted. */
export function countedStep({ id, state }: { readonly id: number; readonly state: string }): CountedStep {
  return { ...idRange(id), isPlanned: state === 'planning' };
}

/** A run's step runs. */
export const STEP_RUNS_OF = (run: string): string => `
SELECT step.id, step.state FROM runs AS step JOIN runs AS whole ON whole.name = step.parent
WHERE whole.id = ${run} AND step.step IS NOT NULL ORDER BY step.id`;

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
