import type { Message } from '../../errors/message.js';
import type { JsonObject } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import type { Run, RunKind, RunOperation, RunState } from '../contract/run.js';

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
