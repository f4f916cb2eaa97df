import { existsSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Message, message } from '../../errors/message.js';
import { sharedPartsOf } from '../../job/parts/effective.js';
import type { Run } from '../../ledger/contract/runs.js';
import { isFinished, isRefusedApply } from '../../ledger/rules/run-states.js';
import { keptConnection } from '../../ledger/stored-settings.js';
import type { Connection } from '../../model/connection.js';
import type { Job } from '../../model/job.js';
import { ALL_OPERATIONS } from '../../platform/operations/catalogue.js';
import { sha256Of } from '../../util/files.js';
import { unpackSettings } from '../settings.js';

/** What a plan is compared with before it is applied. */
export interface PlanConditions {
  readonly connection: Connection;
  readonly job: FileNow;
  readonly input: FileNow;
  /** The part of `license-sync.yaml` that the job uses now; `why` if it cannot be determined. */
  readonly parts: Job['parts'] | { readonly why: string };
  readonly maxAgeMs: number;
}

/** The present state of a file that the plan was created from. `why`: the system's error code if it cannot be read. */
type FileNow = { readonly sha256: string } | { readonly why: string };

/** Reads the files that a plan was created from. */
export async function readPlanFiles(
  plan: Run,
  connection: Connection,
  maxAgeMs: number,
): Promise<PlanConditions> {
  // A revert or a retry has no such files: its rows and its job are in the ledger.
  const { job: plannedJob, retry } = unpackSettings(plan.settings);
  if (plannedJob?.undoes || retry) {
    return {
      connection,
      job: { sha256: plan.jobSha256 },
      input: { sha256: plan.inputSha256 },
      parts: plannedJob?.parts,
      maxAgeMs,
    };
  }
  const [job, input] = await Promise.all([plan.jobFile, plan.inputFile].map(hashOf));
  const parts = await sharedPartsOf(plan.jobFile, ALL_OPERATIONS).catch((error: unknown) => ({
    why: error instanceof Error ? error.message : String(error),
  }));
  return { connection, job: job!, input: input!, parts, maxAgeMs };
}

async function hashOf(file: string): Promise<FileNow> {
  return sha256Of(file).then(
    (sha256) => ({ sha256 }),
    (error: NodeJS.ErrnoException) => ({ why: error.code ?? error.message }),
  );
}

function fileRefusal(plan: string, file: string, before: string, now: FileNow): Message | undefined {
  if ('sha256' in now)
    return now.sha256 === before ? undefined : message('run.plan_changed', { plan, what: file });
  // The plan is applied in another place than it was created in. The ledger has the content.
  if (isMissing(now)) return undefined;
  return message('run.plan_file_unread', { plan, file, reason: now.why });
}

export function isMissing(file: FileNow): boolean {
  return 'why' in file && (file.why === 'ENOENT' || file.why === 'ENOTDIR');
}

/** Rejects a plan if the fragments or defaults of `license-sync.yaml` that the job uses have changed. */
function partsRefusal(plan: Run, { job, parts: current }: PlanConditions): Message | undefined {
  const before = unpackSettings(plan.settings).job.parts;
  // Without the job file this cannot be determined, and missing settings were not edited.
  if (isMissing(job) || (before && !current && !existsSync(before.file))) return undefined;
  if (current && 'why' in current) {
    const file = before?.file ?? plan.jobFile;
    return message('run.plan_file_unread', { plan: plan.id, file, reason: current.why });
  }
  if (before?.sha256 === current?.sha256) return undefined;
  return message('run.plan_changed', { plan: plan.id, what: (current ?? before)!.file });
}

/** True if the connections are equal. A token file missing here matches a local one with the same name. */
function isSameConnection(before: Connection, connection: Connection): boolean {
  const current = keptConnection(connection);
  if (isDeepStrictEqual(current, before)) return true;
  if (before.token.kind !== 'file' || current.token.kind !== 'file' || existsSync(before.token.path))
    return false;
  const hasSameName = path.basename(before.token.path) === path.basename(current.token.path);
  return hasSameName && isDeepStrictEqual({ ...current, token: before.token }, before);
}

/** Why a run is not a plan that can still be applied or approved. */
export function isOutdated(plan: Run): Message | undefined {
  const { id, state } = plan;
  if (plan.prunedAt !== undefined) return message('run.pruned', { run: id });
  if (plan.kind === 'run') {
    return isFinished(plan)
      ? message('run.plan_used', { plan: id })
      : message('run.plan_begun', { plan: id, state });
  }
  if (plan.reason?.code === 'approval.replaced') return plan.reason;
  if (plan.kind !== 'plan' || plan.state !== 'planned')
    return message('run.not_a_plan', { plan: id, state: plan.state });
  return unpackSettings(plan.settings).offline ? message('lookup.offline_plan', { plan: id }) : undefined;
}

/** Why a plan may not be applied; undefined if it may. `now`: milliseconds since 1970. */
export function planRefusal(plan: Run, conditions: PlanConditions, now: number): Message | undefined {
  const outdated = isRefusedApply(plan) ? undefined : isOutdated(plan);
  if (outdated) return outdated;
  const { id } = plan;
  const file =
    fileRefusal(id, plan.inputFile, plan.inputSha256, conditions.input) ??
    fileRefusal(id, plan.jobFile, plan.jobSha256, conditions.job) ??
    partsRefusal(plan, conditions);
  if (file) return file;
  if (!isSameConnection(unpackSettings(plan.settings).connection, conditions.connection))
    return message('run.plan_changed', { plan: id, what: plan.connection });
  // An approval has its own time limit.
  if (!plan.needsApproval && now - plan.startedAt > conditions.maxAgeMs) {
    const hours = Math.floor((now - plan.startedAt) / 3_600_000);
    return message('run.plan_too_old', { plan: id, hours });
  }
  return undefined;
}
