import type { Message } from '../../errors/message.js';
import type { JsonObject } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import type { Run, RunKind, RunOperation, RunState } from '../contract/run.js';
import type { RunTotals } from '../contract/runs.js';
import type { Database } from './database.js';

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
}

export const SELECT_RUN =
  'SELECT runs.*, scopes.name AS scope_name FROM runs JOIN scopes ON scopes.id = runs.scope';

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
    ...(it.ended_at === null ? {} : { endedAt: it.ended_at }),
    ...(it.exit_code === null ? {} : { exitCode: it.exit_code }),
    ...(it.output === null ? {} : { output: it.output }),
    ...(it.reason_json === null ? {} : { reason: JSON.parse(it.reason_json) as Message }),
    ...(it.pruned_at === null ? {} : { prunedAt: it.pruned_at }),
  };
}

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
