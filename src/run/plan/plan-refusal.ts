import { existsSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Message, message } from '../../errors/message.js';
import { countedParts } from '../../job/parts/effective.js';
import type { Run } from '../../ledger/contract/run.js';
import { keptConnection } from '../../ledger/kept-settings.js';
import { isFinished, isRefusedApply } from '../../ledger/rules/run-states.js';
import type { Connection } from '../../model/connection.js';
import type { Job } from '../../model/job.js';
import { CATALOGUE_SHAPES } from '../../platform/operations/index.js';
import { sha256Of } from '../../util/file-identity.js';
import { unpackSettings } from '../settings.js';

/** What a plan is compared with before it is applied. */
export interface PlanConditions {
  readonly connection: Connection;
  readonly job: FileNow;
  readonly input: FileNow;
  /** What of `license-sync.yaml` counts in the job now; `why` where that can't be told. */
  readonly parts: Job['parts'] | { readonly why: string };
  readonly maxAgeMs: number;
}

/** A file that the plan was made from, as it is now. `why`: the system's error code when it can't be read. */
type FileNow = { readonly sha256: string } | { readonly why: string };

/** Reads the files that a plan was made from. */
export async function readPlanFiles(
  plan: Run,
  connection: Connection,
  maxAgeMs: number,
): Promise<PlanConditions> {
  // No file tells what a run did that is taken back, or retried: its rows and its job are the ledger's.
  const { job: kept, retry } = unpackSettings(plan.settings);
  if (kept?.undoes || retry) {
    return {
      connection,
      job: { sha256: plan.jobSha256 },
      input: { sha256: plan.inputSha256 },
      parts: kept?.parts,
      maxAgeMs,
    };
  }
  const [job, input] = await Promise.all([plan.jobFile, plan.inputFile].map(hashOf));
  const parts = await countedParts(plan.jobFile, CATALOGUE_SHAPES).catch((error: unknown) => ({
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
  // It doesn't lie here: the plan is applied elsewhere than it was made, and the ledger has what it was made from.
  if (isGone(now)) return undefined;
  return message('run.plan_file_unread', { plan, file, reason: now.why });
}

export function isGone(file: FileNow): boolean {
  return 'why' in file && (file.why === 'ENOENT' || file.why === 'ENOTDIR');
}

/** A fragment or a default of `license-sync.yaml` that counted in the job, or counts in it now, and is another one. */
function partsRefusal(plan: Run, { job, parts: now }: PlanConditions): Message | undefined {
  const before = unpackSettings(plan.settings).job.parts;
  // Without the job there is no telling, and settings that aren't there weren't edited.
  if (isGone(job) || (before && !now && !existsSync(before.file))) return undefined;
  if (now && 'why' in now) {
    const file = before?.file ?? plan.jobFile;
    return message('run.plan_file_unread', { plan: plan.id, file, reason: now.why });
  }
  if (before?.sha256 === now?.sha256) return undefined;
  return message('run.plan_changed', { plan: plan.id, what: (now ?? before)!.file });
}

/** A token's file that doesn't lie here was that of another machine, whose own is named alike. */
function isSameConnection(before: Connection, connection: Connection): boolean {
  const now = keptConnection(connection);
  if (isDeepStrictEqual(now, before)) return true;
  if (before.token.kind !== 'file' || now.token.kind !== 'file' || existsSync(before.token.path))
    return false;
  const isNamedAlike = path.basename(before.token.path) === path.basename(now.token.path);
  return isNamedAlike && isDeepStrictEqual({ ...now, token: before.token }, before);
}

/** Why a run is no plan that somebody could still apply, or say anything of. */
export function standsNoMore(plan: Run): Message | undefined {
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

/** Why a plan may not be applied; undefined when it may. `now`: milliseconds since 1970. */
export function planRefusal(plan: Run, world: PlanConditions, now: number): Message | undefined {
  const no = isRefusedApply(plan) ? undefined : standsNoMore(plan);
  if (no) return no;
  const { id } = plan;
  const file =
    fileRefusal(id, plan.inputFile, plan.inputSha256, world.input) ??
    fileRefusal(id, plan.jobFile, plan.jobSha256, world.job) ??
    partsRefusal(plan, world);
  if (file) return file;
  if (!isSameConnection(unpackSettings(plan.settings).connection, world.connection)) {
    return message('run.plan_changed', { plan: id, what: plan.connection });
  }
  // An approval says itself how long it holds.
  if (!plan.needsApproval && now - plan.startedAt > world.maxAgeMs) {
    const hours = Math.floor((now - plan.startedAt) / 3_600_000);
    return message('run.plan_too_old', { plan: id, hours });
  }
  return undefined;
}
