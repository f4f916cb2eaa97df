import type { ItemStatus } from '../../model/item.js';
import type { RunCounts } from '../../model/run-outcome.js';
import { STATUSES, type Status, severity } from '../../model/status.js';
import type { ExecutionStore } from '../contract/execution.js';
import { idRange, type KnownRuns } from './ids.js';
import { countsAsUnknown, TO_BE_SENT } from './item-state.js';
import { query, queryOne, type Store } from './statement.js';

const SEVERITY_OF_STATUS = STATUSES.map((it) => `WHEN '${it}' THEN ${severity(it)}`).join(' ');

/** The severity of a row's status, over the statuses of its verdicts and items (`statusOfRow`). */
const ROW_SEVERITY = `CASE
  WHEN max(CASE status ${SEVERITY_OF_STATUS} END) = ${severity('rejected')}
    AND max(CASE WHEN status IN ('succeeded', 'accepted') THEN 1 ELSE 0 END) = 1 THEN ${severity('failed')}
  ELSE max(CASE status ${SEVERITY_OF_STATUS} END) END`;

/**
 * Statuses of all rows of a run in one pass. Each row is counted once, with the worst status of its verdicts and items. An open
 * or uncertain attempt makes its items without an outcome unknown. $3: the status of other items without an outcome.
 */
const countRowsSql = (): string => `
${statusesSql('$1', '$2', 'CAST($3 AS text)')}, worst AS (
  SELECT ${ROW_SEVERITY} AS severity FROM statuses GROUP BY "row"
)
SELECT severity, count(*) AS n FROM worst GROUP BY severity`;

/** The first row of a range with one of these statuses; $3 as above. */
const nextRowSql = (statuses: readonly Status[]): string => `
SELECT "row" AS "row" FROM (
  SELECT item_rows."row" AS "row", CASE WHEN ${countsAsUnknown('item_rows.item')} THEN 'unknown'
    ELSE coalesce(outcomes.status, CAST($3 AS text)) END AS status
  FROM item_rows LEFT JOIN outcomes ON outcomes.item = item_rows.item
  WHERE item_rows."row" > $1 AND item_rows."row" <= $2
  UNION ALL
  SELECT "row", status FROM verdicts WHERE "row" > $1 AND "row" <= $2
) AS statuses GROUP BY "row"
HAVING (${ROW_SEVERITY}) IN (${statuses.map(severity).join(', ')}) ORDER BY "row" LIMIT 1`;

/** The id of the first row of (after, last] with one of these statuses. */
export function* nextRow(
  after: number,
  last: number,
  statuses: readonly Status[],
  pendingAs: Status,
): Store<number | undefined> {
  return (yield* queryOne<{ row: number }>(nextRowSql(statuses), after, last, pendingAs))?.row;
}

/** Rows searched at a time for one with a status. */
export const LOOKED_THROUGH = 5_000;

/** `statuses`: each row's statuses, of verdicts and items. */
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

/** A step run whose rows are counted, with the range of its ids. */
interface CountedStep {
  readonly first: number;
  readonly end: number;
  /** It is still being planned: rows that it lacks are pending, unless they have a worse status in other steps. */
  readonly isPlanned: boolean;
}

/** Counts rows of a run of several steps, over all its step runs: each source row is counted once. */
const countStepRowsSql = (counted: readonly CountedStep[]): string => {
  const pending = 'CAST($1 AS text)';
  const steps = counted.map(
    ({ first, end }) =>
      `SELECT "row" - ${first} AS "row", ${ROW_SEVERITY} AS severity, ${first} AS part FROM (${statusesSql(`${first}`, `${end}`, pending)} SELECT * FROM statuses) AS step_${first} GROUP BY "row"`,
  );
  // A step that skipped a row is ignored (`worstOfSteps`).
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

/** A run's step runs. */
const STEP_RUNS = `
SELECT step.id, step.state FROM runs AS step JOIN runs AS whole ON whole.name = step.parent
WHERE whole.id = $1 AND step.step IS NOT NULL ORDER BY step.id`;

interface CountLine {
  readonly severity: number;
  readonly n: number;
}

/**
 * Counts by status, adding up to the run's planned rows. Pruned runs and reconciliations have stored counts, and so do ended
 * runs until they change.
 */
export function* countRows(run: number): Store<RunCounts> {
  const at = yield* queryOne<{ kind: string; operation: string; known: string | null }>(KNOWN, run);
  if (at?.known) return JSON.parse(at.known) as RunCounts;
  const pending: Status = at?.kind === 'run' ? 'not_sent' : 'valid';
  if (at?.operation === 'steps') {
    const steps = (yield* query<{ id: number; state: string }>(STEP_RUNS, run)).map(
      ({ id, state }): CountedStep => ({ ...idRange(id), isPlanned: state === 'planning' }),
    );
    return steps.length === 0 ? {} : toCounts(yield* query<CountLine>(countStepRowsSql(steps), pending));
  }
  const { first, end } = idRange(run);
  return toCounts(yield* query<CountLine>(countRowsSql(), first, end, pending));
}

const KNOWN = 'SELECT kind, operation, coalesce(counts_json, sums_json) AS known FROM runs WHERE id = $1';

function toCounts(found: readonly CountLine[]): RunCounts {
  const counts: Partial<Record<Status, number>> = {};
  for (const status of STATUSES) {
    const n = found.find((it) => it.severity === severity(status))?.n;
    if (n !== undefined) counts[status] = n;
  }
  return counts;
}

const REMAINING = `
SELECT
  (SELECT count(*) FROM batches WHERE id > $1 AND id < $2 AND done = 0) AS batches,
  (SELECT count(*) FROM batch_items WHERE batch > $1 AND batch < $2)
    - (SELECT count(*) FROM outcomes WHERE item > $1 AND item < $2 AND status <> 'not_sent') AS items`;

const FINISHED_ROWS = `
SELECT status, count(*) AS n FROM outcomes
WHERE item > $1 AND item < $2 AND status <> 'not_sent' GROUP BY status`;

const OPEN = `
SELECT count(*) AS n FROM attempts
JOIN batch_items ON batch_items.batch = attempts.batch
LEFT JOIN outcomes ON outcomes.item = batch_items.item
WHERE attempts.ended_at IS NULL AND attempts.batch > $1 AND attempts.batch < $2
  AND ${TO_BE_SENT}`;

type Remaining = Awaited<ReturnType<ExecutionStore['remaining']>>;
type ItemCounts = Awaited<ReturnType<ExecutionStore['itemCounts']>>;

/** See `ExecutionStore.remaining`. */
export function* remaining(runs: KnownRuns, run: string): Store<Remaining> {
  const { first, end } = idRange((yield* runs.of(run)).number);
  return (yield* queryOne<Remaining>(REMAINING, first, end))!;
}

/** See `ExecutionStore.itemCounts`. */
export function* itemCounts(runs: KnownRuns, run: string): Store<ItemCounts> {
  const { first, end } = idRange((yield* runs.of(run)).number);
  const finished = yield* query<{ status: ItemStatus; n: number }>(FINISHED_ROWS, first, end);
  const open = (yield* queryOne<{ n: number }>(OPEN, first, end))?.n ?? 0;
  const pending = (yield* remaining(runs, run)).items - open;
  return {
    ...Object.fromEntries(finished.map(({ status, n }) => [status, n])),
    ...(open > 0 ? { open } : {}),
    ...(pending > 0 ? { pending } : {}),
  };
}
