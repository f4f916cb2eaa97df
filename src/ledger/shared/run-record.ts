import type { Message } from '../../errors/message.js';
import type { JsonObject } from '../../model/json.js';
import { exactParse, exactStringify } from '../../util/exact-json.js';
import type { Run, RunKind, RunOperation, RunPatch, RunStart, RunState } from '../contract/run.js';
import type { RunFilter, RunTotals } from '../contract/runs.js';
import { forgetsAt } from '../rules/run-states.js';
import { sqlList } from './item-standing.js';

/** A row of `runs`, its scope by name. */
export interface RunRecord {
  readonly name: string;
  readonly kind: string;
  readonly state: string;
  readonly job: string;
  readonly job_file: string;
  readonly job_sha256: string;
  readonly operation: string;
  readonly connection: string;
  readonly scope_name: string;
  readonly input_file: string;
  readonly input_sha256: string;
  readonly settings_json: string;
  readonly parent: string | null;
  readonly step: number | null;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly exit_code: number | null;
  readonly output: string | null;
  readonly reason_json: string | null;
  readonly execute_ms: number;
  readonly requests: number;
  readonly retries: number;
  readonly rows: number;
  readonly items: number;
  readonly pruned_at: number | null;
  readonly made_by: string | null;
  readonly made_by_subject: string | null;
  readonly plan_hash: string | null;
  readonly needs_approval: number;
  readonly applied_at: number | null;
}

const APPLIED_AT = '(SELECT at FROM plan_applications WHERE plan_applications.run = runs.id)';

export const SELECT_RUN = `SELECT runs.*, scopes.name AS scope_name, ${APPLIED_AT} AS applied_at
  FROM runs JOIN scopes ON scopes.id = runs.scope`;

/** Since when there was work on a run that ended: a plan may have waited for days until it was sent. */
export const WORK_BEGAN = `coalesce(${APPLIED_AT}, started_at)`;

/** What a run begins with, in the order of `CREATE` in each dialect. */
export function startValues(start: RunStart): readonly (string | number | null)[] {
  const { id, kind, job, jobFile, jobSha256, operation, connection, inputFile, inputSha256 } = start;
  return [
    ...[id, kind, job, jobFile, jobSha256, operation, connection, inputFile, inputSha256],
    ...[exactStringify(start.settings), start.parent ?? null, start.step ?? null, start.startedAt],
    ...[start.by ?? null, start.bySubject ?? null, start.scope],
  ];
}

export function toRun(it: RunRecord): Run {
  return {
    id: it.name,
    kind: it.kind as RunKind,
    state: it.state as RunState,
    job: it.job,
    jobFile: it.job_file,
    jobSha256: it.job_sha256,
    operation: it.operation as RunOperation,
    connection: it.connection,
    scope: it.scope_name,
    inputFile: it.input_file,
    inputSha256: it.input_sha256,
    settings: exactParse(it.settings_json) as JsonObject,
    startedAt: it.started_at,
    executeMs: it.execute_ms,
    requests: it.requests,
    retries: it.retries,
    rows: it.rows,
    items: it.items,
    ...(it.parent === null ? {} : { parent: it.parent }),
    ...(it.step === null ? {} : { step: it.step }),
    ...(it.ended_at === null ? {} : { endedAt: it.ended_at }),
    ...(it.exit_code === null ? {} : { exitCode: it.exit_code }),
    ...(it.output === null ? {} : { output: it.output }),
    ...(it.reason_json === null ? {} : { reason: JSON.parse(it.reason_json) as Message }),
    ...(it.pruned_at === null ? {} : { prunedAt: it.pruned_at }),
    ...(it.made_by === null ? {} : { by: it.made_by }),
    ...(it.made_by_subject === null ? {} : { bySubject: it.made_by_subject }),
    ...(it.plan_hash === null ? {} : { planHash: it.plan_hash }),
    ...(it.needs_approval === 0 ? {} : { needsApproval: true }),
    ...(it.applied_at === null ? {} : { appliedAt: it.applied_at }),
  };
}

/** What a patch sets, by column; `execute_ms` is added to instead. */
export function changedColumns(patch: RunPatch): ReadonlyMap<string, string | number | null> {
  const sets = new Map<string, string | number | null>();
  if (patch.state !== undefined) {
    sets.set('state', patch.state);
    const forgotten = forgetsAt(patch.state);
    if (forgotten.reason) sets.set('reason_json', null);
    if (forgotten.end) sets.set('ended_at', null).set('exit_code', null);
  }
  if (patch.settings !== undefined) sets.set('settings_json', exactStringify(patch.settings));
  if (patch.kind !== undefined) sets.set('kind', patch.kind);
  if (patch.endedAt !== undefined) sets.set('ended_at', patch.endedAt);
  if (patch.exitCode !== undefined) sets.set('exit_code', patch.exitCode);
  if (patch.output !== undefined) sets.set('output', patch.output);
  if (patch.reason !== undefined) sets.set('reason_json', JSON.stringify(patch.reason));
  if (patch.requests !== undefined) sets.set('requests', patch.requests);
  if (patch.retries !== undefined) sets.set('retries', patch.retries);
  if (patch.rows !== undefined) sets.set('"rows"', patch.rows);
  if (patch.items !== undefined) sets.set('items', patch.items);
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

/**
 * What a filter asks of `runs`, and the values that it compares with in this order.
 * @param value how the dialect writes the next parameter
 */
export function filterSql(wanted: RunFilter, value: (at: number) => string) {
  const { job, person, kinds, states, inputSha256, from, to, before, without } = wanted;
  const values: (string | number)[] = [];
  const parts = [LISTED];
  const add = (sql: (it: string) => string, it: string | number | undefined): void => {
    if (it === undefined) return;
    values.push(it);
    parts.push(sql(value(values.length)));
  };
  add((it) => `lower(job) LIKE ${it} ESCAPE '!'`, job === undefined ? undefined : part(job));
  add((it) => `lower(made_by) LIKE ${it} ESCAPE '!'`, person === undefined ? undefined : part(person));
  add((it) => `runs.input_sha256 = ${it}`, inputSha256);
  if (kinds) parts.push(`kind IN (${sqlList(kinds)})`);
  if (states) parts.push(`state IN (${sqlList(states)})`);
  if (without) parts.push(`NOT ${CHECK_OF_IMPORT}`);
  add((it) => `started_at >= ${it}`, from);
  add((it) => `started_at < ${it}`, to);
  add((it) => `runs.id < (SELECT older.id FROM runs AS older WHERE older.name = ${it})`, before);
  return { where: parts.join(' AND '), values };
}

/** One that was pruned has had another one take its place; one under way, or that failed, stands with no import yet. */
const CHECK_OF_IMPORT = `(kind = 'dry_run' AND (runs.pruned_at IS NOT NULL OR EXISTS (
  SELECT 1 FROM imports WHERE imports.input_sha256 = runs.input_sha256 AND imports.job_file = runs.job_file)))`;

function part(text: string): string {
  return `%${text.toLowerCase().replaceAll(/[!%_]/g, '!$&')}%`;
}

/** Runs that people know of: step runs are told with the run that they belong to. */
export const LISTED = 'runs.step IS NULL';

/** Runs that send or compare; and with them kept plans that want an approval. */
export const BEGUN = "kind IN ('run', 'reconcile')";
export const PLANS_TOO = `(${BEGUN} OR (kind = 'plan' AND needs_approval <> 0))`;

/** Runs that ended and were neither mere checks nor steps. */
export const ENDED =
  "runs.step IS NULL AND kind IN ('run', 'reconcile') AND ended_at IS NOT NULL AND exit_code IS NOT NULL";

/** Sums over them, by job, connection and operation. */
export interface TotalRecord {
  readonly newest: number;
  readonly requests: number;
  readonly retries: number;
  readonly duration_ms: number;
  readonly last_success_at: number | null;
}

export interface ExitCodeLine {
  readonly exit_code: number;
  readonly n: number;
}

/** @param newest the newest of the runs that were summed up */
export function toTotals(it: TotalRecord, newest: RunRecord, codes: readonly ExitCodeLine[]): RunTotals {
  const last = toRun(newest);
  return {
    job: last.job,
    connection: last.connection,
    operation: last.operation,
    runs: new Map(codes.map(({ exit_code, n }) => [exit_code, n])),
    requests: it.requests,
    retries: it.retries,
    durationMs: it.duration_ms,
    last,
    ...(it.last_success_at === null ? {} : { lastSuccessAt: it.last_success_at }),
  };
}

/** As `prunableRuns` wants them, by the ids of their table. */
export const TO_PRUNE = `
SELECT id AS number, name AS id, kind, state, parent, step, ended_at, pruned_at,
  (SELECT whole.id FROM runs AS whole WHERE runs.step IS NOT NULL AND whole.name = runs.parent) AS whole
FROM runs ORDER BY id`;

export interface ToPruneLine {
  readonly number: number;
  readonly id: string;
  readonly kind: RunKind;
  readonly state: RunState;
  readonly parent: string | null;
  readonly step: number | null;
  readonly ended_at: number | null;
  readonly pruned_at: number | null;
  /** Of a step run: the number of the run that it belongs to. */
  readonly whole: number | null;
}

export function toPrunable({ parent, step, whole, ended_at, pruned_at, ...rest }: ToPruneLine) {
  return {
    ...rest,
    whole: whole ?? undefined,
    step: step ?? undefined,
    parent: parent ?? undefined,
    endedAt: ended_at ?? undefined,
    prunedAt: pruned_at ?? undefined,
  };
}

/** How a dialect writes what the query of versions asks for. */
interface VersionsSql {
  /** Condition that a scope is one of those whose keys hold for the run. */
  readonly scopes: string;
  /** A member of a job of steps, as text, where the settings have the job under this name. */
  readonly steps: (job: 'job' | 'prunedJob') => string;
  readonly run: string;
  readonly limit: string;
}

/**
 * Of each version of each job of steps the newest run, those of the run's own job first. By its steps as they counted, too:
 * shared parts and variables make another version of the same file.
 */
export function versionsOfStepsSql({ scopes, steps, run, limit }: VersionsSql): string {
  return `SELECT max(name) AS name FROM (
      SELECT name, job, job_sha256, coalesce(${steps('job')}, ${steps('prunedJob')}) AS steps
      FROM runs WHERE operation = 'steps' AND scope ${scopes}) AS whole
    GROUP BY job, job_sha256, steps
    ORDER BY CASE WHEN job = (SELECT job FROM runs WHERE id = ${run}) THEN 0 ELSE 1 END, max(name) DESC LIMIT ${limit}`;
}
