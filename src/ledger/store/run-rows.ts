import type { Message } from '../../errors/message.js';
import type { JsonObject } from '../../model/json.js';
import { exactParse, exactStringify } from '../../util/exact-json.js';
import type { Run, RunFilter, RunPatch, RunQuery, RunTotals } from '../contract/runs.js';
import { prunableRuns } from '../rules/pruning.js';
import { forgetsAt, NEEDS_PROCESS } from '../rules/run-states.js';
import type { Dialect } from './dialect.js';
import { sqlList } from './item-state.js';
import { list, query, type Sql, type SqlParameter, type Store } from './statement.js';

const APPLIED_AT = '(SELECT min(at) FROM plan_applications WHERE plan_applications.run = runs.id)';

/** The hash of the last step that requires a separate approval. */
const STEP_HASH =
  '(SELECT step_seals.plan_hash FROM step_seals WHERE step_seals.run = runs.id ORDER BY n DESC LIMIT 1)';

/** The hash that must be approved for a row of `runs`. */
export const HASH_NOW = `coalesce(${STEP_HASH}, runs.plan_hash)`;

const NEEDS_APPROVAL = `(needs_approval <> 0 OR ${STEP_HASH} IS NOT NULL)`;

/** The current hash requires an approval and was not applied. */
const AWAITS_APPROVAL = `${NEEDS_APPROVAL} AND kind = 'run' AND step IS NULL AND pruned_at IS NULL AND NOT EXISTS (
  SELECT 1 FROM plan_applications AS done WHERE done.run = runs.id AND done.plan_hash = ${HASH_NOW})`;

/** Columns by the members of a run. */
const columns = ({ runSums }: Dialect): Record<keyof Run, string> => ({
  id: 'runs.name',
  kind: 'kind',
  state: 'state',
  job: 'job',
  jobFile: 'job_file',
  jobSha256: 'job_sha256',
  operation: 'operation',
  connection: 'connection',
  scope: 'scopes.name',
  inputFile: 'input_file',
  inputSha256: 'input_sha256',
  settings: 'settings_json',
  parent: 'parent',
  step: 'step',
  startedAt: 'started_at',
  endedAt: 'ended_at',
  exitCode: 'exit_code',
  output: 'output',
  reason: 'reason_json',
  executeMs: 'execute_ms',
  requests: runSums.requests,
  retries: runSums.retries,
  rows: 'runs."rows"',
  items: 'runs.items',
  prunedAt: 'pruned_at',
  by: 'made_by',
  bySubject: 'made_by_subject',
  planHash: HASH_NOW,
  needsApproval: `CASE WHEN ${NEEDS_APPROVAL} THEN 1 END`,
  awaitsApproval: `CASE WHEN ${AWAITS_APPROVAL} THEN 1 END`,
  appliedAt: APPLIED_AT,
});

type RunRow = Omit<Run, 'settings' | 'reason' | 'needsApproval' | 'awaitsApproval'> & {
  readonly settings: string;
  readonly reason?: string;
  readonly needsApproval?: number;
  readonly awaitsApproval?: number;
};

/** Selects runs. @param rest the part after FROM, with its parameters in `values` */
export function* selectRuns(rest: string | Sql, ...values: readonly SqlParameter[]): Store<Run[]> {
  const sql = (dialect: Dialect): string => {
    const selected = Object.entries(columns(dialect)).map(([member, column]) => `${column} AS "${member}"`);
    return `SELECT ${selected.join(', ')} FROM runs JOIN scopes ON scopes.id = runs.scope ${dialect.runSums.join}
      ${typeof rest === 'string' ? rest : rest(dialect)}`;
  };
  return (yield* list<RunRow>(sql, ...values)).map(toRun);
}

function toRun({ settings, reason, needsApproval, awaitsApproval, ...columns }: RunRow): Run {
  return {
    ...columns,
    settings: exactParse(settings) as JsonObject,
    ...(reason === undefined ? {} : { reason: JSON.parse(reason) as Message }),
    ...(needsApproval === undefined ? {} : { needsApproval: true }),
    ...(awaitsApproval === undefined ? {} : { awaitsApproval: true }),
  };
}

/** Values of a patch by column, except `execute_ms`, which is incremented. */
export function changedColumns(patch: RunPatch): ReadonlyMap<string, string | number | null> {
  const sets = new Map<string, string | number | null>();
  if (patch.state !== undefined) {
    sets.set('state', patch.state);
    const forgotten = forgetsAt(patch.state);
    if (forgotten.reason) sets.set('reason_json', null);
    if (forgotten.end) sets.set('ended_at', null).set('exit_code', null);
  }
  const { kind, endedAt, exitCode, output, requests, retries, rows, items } = patch;
  const values = {
    kind,
    ended_at: endedAt,
    exit_code: exitCode,
    output,
    requests,
    retries,
    '"rows"': rows,
    items,
  };
  for (const [column, value] of Object.entries(values)) if (value !== undefined) sets.set(column, value);
  if (patch.settings !== undefined) sets.set('settings_json', exactStringify(patch.settings));
  if (patch.reason !== undefined) sets.set('reason_json', JSON.stringify(patch.reason));
  if (patch.sums !== undefined) sets.set('sums_json', JSON.stringify(patch.sums));
  if (patch.counts !== undefined) {
    sets.set('counts_json', JSON.stringify(patch.counts));
    sets.set(
      '"rows"',
      Object.values(patch.counts).reduce((sum, it) => sum + it, 0),
    );
  }
  return sets;
}

/** Runs shown to users: step runs are shown with their whole run. */
export const LISTED = 'runs.step IS NULL';

/** The condition of a filter, and its values from $1. */
export function filterSql(filter: RunFilter) {
  const { job, person, kinds, states, inputSha256, from, to, before, without } = filter;
  const values: (string | number)[] = [];
  const parts = [LISTED];
  const add = (sql: (parameter: string) => string, value: string | number | undefined): void => {
    if (value !== undefined) parts.push(sql(`$${values.push(value)}`));
  };
  add((name) => `lower(job) LIKE ${name} ESCAPE '!'`, job === undefined ? undefined : part(job));
  add((name) => `lower(made_by) LIKE ${name} ESCAPE '!'`, person === undefined ? undefined : part(person));
  add((sha256) => `runs.input_sha256 = ${sha256}`, inputSha256);
  if (kinds) parts.push(`kind IN (${sqlList(kinds)})`);
  if (states) parts.push(`state IN (${sqlList(states)})`);
  if (without) parts.push(`NOT ${CHECK_OF_IMPORT}`);
  add((at) => `started_at >= ${at}`, from);
  add((at) => `started_at < ${at}`, to);
  add((run) => `runs.id < (SELECT older.id FROM runs AS older WHERE older.name = ${run})`, before);
  return { where: parts.join(' AND '), values };
}

/** A pruned check was replaced by another one. A check that is in progress or failed belongs to no import yet. */
const CHECK_OF_IMPORT = `(kind = 'dry_run' AND (runs.pruned_at IS NOT NULL OR EXISTS (
  SELECT 1 FROM imports WHERE imports.input_sha256 = runs.input_sha256 AND imports.job_file = runs.job_file)))`;

function part(text: string): string {
  return `%${text.toLowerCase().replaceAll(/[!%_]/g, '!$&')}%`;
}

/** Runs that send or compare; `PLANS_TOO` also includes kept plans that require an approval. */
const BEGUN = "kind IN ('run', 'reconcile')";
const PLANS_TOO = `(${BEGUN} OR (kind = 'plan' AND needs_approval <> 0))`;

/** Runs that match a query. $1: the job, $2: ids of scopes, $3: the digest of the input, if given. */
export const chosenSql =
  ({ plans, inputSha256, unended }: RunQuery) =>
  (dialect: Dialect) =>
    `
WHERE ${LISTED} AND ${plans ? PLANS_TOO : BEGUN} AND job = $1 AND runs.scope ${dialect.in('$2', 'bigint')}
  ${inputSha256 === undefined ? '' : 'AND input_sha256 = $3'}
  ${unended ? `AND state IN (${sqlList(NEEDS_PROCESS)})` : ''} ORDER BY runs.id DESC`;

/** Ended runs, without checks and steps. */
const ENDED = `${LISTED} AND ${BEGUN} AND ended_at IS NOT NULL AND exit_code IS NOT NULL`;

/** Duration of a run; for a kept plan from its application, because it may have waited for days. */
const WORKED = `ended_at - coalesce(${APPLIED_AT}, started_at)`;

const TOTALS = ({ runSums }: Dialect) => `
SELECT max(id) AS newest, sum(${runSums.requests}) AS requests, sum(${runSums.retries}) AS retries,
  sum(CASE WHEN ${WORKED} > 0 THEN ${WORKED} ELSE 0 END) AS "durationMs",
  max(CASE exit_code WHEN 0 THEN ended_at END) AS "lastSuccessAt"
FROM runs ${runSums.join} WHERE ${ENDED} GROUP BY job, connection, operation ORDER BY job, connection, operation`;

const BY_EXIT_CODE = `
SELECT exit_code AS code, count(*) AS n FROM runs
WHERE ${ENDED} AND job = $1 AND connection = $2 AND operation = $3 GROUP BY exit_code ORDER BY exit_code`;

/** Totals over the ended runs of each job, connection and operation. */
export function* runTotals(): Store<readonly RunTotals[]> {
  type TotalsRow = Pick<RunTotals, 'requests' | 'retries' | 'durationMs' | 'lastSuccessAt'>;
  const found: RunTotals[] = [];
  for (const { newest, ...totals } of yield* list<TotalsRow & { readonly newest: number }>(TOTALS)) {
    const [last] = yield* selectRuns('WHERE runs.id = $1', newest);
    if (!last) continue;
    const { job, connection, operation } = last;
    const codes = yield* query<{ code: number; n: number }>(BY_EXIT_CODE, job, connection, operation);
    const runs = new Map(codes.map(({ code, n }) => [code, n]));
    found.push({ ...totals, job, connection, operation, runs, last });
  }
  return found;
}

/** `whole`: of a step run, the number of its whole run. */
const TO_PRUNE = `
SELECT id AS number, name AS id, kind, state, parent, step, ended_at AS "endedAt", pruned_at AS "prunedAt",
  (SELECT whole.id FROM runs AS whole WHERE runs.step IS NOT NULL AND whole.name = runs.parent) AS whole
FROM runs ORDER BY id`;

export type PrunableRow = Parameters<typeof prunableRuns>[0][number] & {
  readonly number: number;
  readonly whole?: number;
};

/** Candidates for pruning, with their numbers. Those with unknown rows must still be excluded. */
export function* runsToPrune(endedBefore: number, only?: readonly string[]): Store<readonly PrunableRow[]> {
  return prunableRuns(yield* list<PrunableRow>(TO_PRUNE), endedBefore, only);
}

/** The steps of the job that the settings have under this name, as text. */
const steps = ({ json }: Dialect, job: 'job' | 'prunedJob'): string =>
  `CAST(${json('settings_json')} -> '${job}' -> 'steps' AS text)`;

/**
 * The newest run of each version of each job of several steps, the run's own job first. The effective steps are part of the
 * version, because shared parts and variables change them. $1: the run, $2: scopes whose keys apply to it.
 */
export const VERSIONS_OF_STEPS = (dialect: Dialect) => `
SELECT max(name) AS name FROM (
  SELECT name, job, job_sha256, coalesce(${steps(dialect, 'job')}, ${steps(dialect, 'prunedJob')}) AS steps
  FROM runs WHERE operation = 'steps' AND scope ${dialect.in('$2', 'bigint')}) AS whole
GROUP BY job, job_sha256, steps
ORDER BY CASE WHEN job = (SELECT job FROM runs WHERE id = $1) THEN 0 ELSE 1 END, max(name) DESC LIMIT $3`;
