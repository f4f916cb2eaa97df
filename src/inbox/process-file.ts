import { type Message, message } from '../errors/message.js';
import type { PendingFile } from '../ledger/contract/inputs.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run } from '../ledger/contract/runs.js';
import { InputNotKeptError, keepInput } from '../ledger/inputs.js';
import { isFinished } from '../ledger/rules/run-states.js';
import { onPlatform } from '../ledger/rules/scopes.js';
import type { Connection } from '../model/connection.js';
import { type SendingJob, workOf } from '../model/job.js';
import { EXIT } from '../model/run-outcome.js';
import { operationNamed } from '../platform/operations/catalogue.js';
import { approvalMissing, approvalState } from '../run/approval/approval-state.js';
import type { RunServices } from '../run/run-context.js';
import { resumeRun, startRun } from '../run/start-run.js';
import { sha256Of } from '../util/files.js';
import {
  type FoundFile,
  forgetPending,
  type LeftFile,
  pendingFile,
  rememberPending,
  unreadable,
  whyBusy,
} from './find-files.js';
import { finishFile, isOver } from './finish-file.js';
import type { InboxOptions, InboxRun, MovedFile } from './inbox.js';
import { type Inbox, lockFile } from './open-inbox.js';
import { runFile } from './run-file.js';

/** What to do with a file, depending on earlier runs of the same bytes. */
export type FileDecision =
  | { readonly kind: 'start' }
  | { readonly kind: 'resume'; readonly run: Run }
  | { readonly kind: 'leave'; readonly reason: Message; readonly exitCode: number }
  /** Not run, only moved. `onlyMove`: its own run ended and was killed before it moved the file. */
  | {
      readonly kind: 'move';
      readonly run: Run;
      readonly reason: Message;
      readonly exitCode: number;
      readonly onlyMove?: true;
    };

interface FileHistory {
  readonly sha256: string;
  /** The record of an earlier start that did not move the file. */
  readonly pending: PendingFile | undefined;
}

/**
 * Decides so that nothing is sent twice: an unfinished run is resumed, and a file whose rows all succeeded is only moved. A
 * file with other rows is run again if keys or repeatable requests protect the rows that succeeded.
 */
async function decideFile(
  ledger: Ledger,
  job: SendingJob,
  connection: Connection,
  { sha256, pending }: FileHistory,
  now: number,
): Promise<FileDecision> {
  const of = { job: job.name, ...onPlatform(connection) };
  const runs = await ledger.runs.listOf({ ...of, inputSha256: sha256, plans: true });
  const plan = runs[0];
  if (plan?.kind === 'plan' && plan.operation === workOf(job)) {
    const waits = await waitsForApproval(ledger, plan, now);
    if (waits) return waits;
  }
  const all = runs.filter(({ kind }) => kind !== 'plan');
  // The job's operation may have changed since.
  const earlier = all.filter((it) => it.operation === workOf(job));
  const last = earlier.find((it) => it.parent === undefined);
  const since = last ? earlier.slice(0, earlier.indexOf(last)) : earlier;
  const retry = since.find(isOpen);
  if (retry) {
    const reason = message('inbox.retry_open', { run: retry.id });
    return { kind: 'leave', reason, exitCode: EXIT.safety };
  }
  if (last && isOpen(last)) return { kind: 'resume', run: last };
  if (last && isOver(last) && pending?.sha256 === sha256 && pending.at <= last.startedAt) {
    const reason = message('inbox.left_over', { run: last.id });
    return { kind: 'move', run: last, reason, exitCode: last.exitCode, onlyMove: true };
  }
  return repeat(earlier, job);
}

/** The decision for a file whose plan waits for approval. A rejected plan fails the file. */
async function waitsForApproval(ledger: Ledger, plan: Run, now: number): Promise<FileDecision | undefined> {
  const { state } = await approvalState(ledger, plan, now);
  const missing = await approvalMissing(ledger, plan, now);
  if (state === 'rejected' && missing)
    return { kind: 'move', run: plan, reason: missing, exitCode: EXIT.safety };
  const reason = missing ?? message('inbox.approved', { plan: plan.id });
  return { kind: 'leave', reason, exitCode: EXIT.safety };
}

function repeat(earlier: readonly Run[], job: SendingJob): FileDecision {
  const { duplicates } = job.safety;
  if (duplicates === 'send') return { kind: 'start' };
  const succeeded = earlier.find((it) => it.parent === undefined && it.exitCode === EXIT.ok);
  if (succeeded && duplicates === 'abort') {
    const reason = message('inbox.repeat_refused', { run: succeeded.id });
    return { kind: 'move', run: succeeded, reason, exitCode: EXIT.safety };
  }
  if (succeeded) {
    const reason = message('inbox.repeat', { run: succeeded.id });
    return { kind: 'move', run: succeeded, reason, exitCode: EXIT.ok };
  }
  // Rows of a job of steps are recognised in every step.
  const operation = 'steps' in job ? undefined : operationNamed(job.operation);
  if (!operation || operation.repeatable || operation.key !== undefined) return { kind: 'start' };
  // An invalid run sent nothing.
  const sent = earlier.find((it) => it.state !== 'invalid');
  if (!sent) return { kind: 'start' };
  const reason = message('inbox.repeat_unguarded', { run: sent.id, operation: operation.name });
  return { kind: 'move', run: sent, reason, exitCode: EXIT.someRowsWrong };
}

/** True when the run can be resumed. */
function isOpen(run: Run): boolean {
  return !isFinished(run) && run.prunedAt === undefined;
}

/** The outcome of one file. `ends`: no other file is processed. */
export interface FileEnd {
  readonly run?: InboxRun;
  readonly moved?: MovedFile;
  readonly left?: LeftFile;
  readonly ends?: boolean;
}

/**
 * Processes one file: it is run, its run is resumed, or it is only moved, depending on earlier runs of the same bytes. The
 * file is locked for other processes of this ledger.
 * @throws errors that prevent every run of the job
 */
export async function processFile(
  services: RunServices,
  options: InboxOptions,
  inbox: Inbox,
  found: FoundFile,
): Promise<FileEnd> {
  const { file } = found;
  const lock = await lockFile(services.ledger, file);
  if ('busy' in lock) return { left: { file, reason: lock.busy } };
  try {
    // Checked again under the lock: the previous holder may have moved the file.
    const busy = await whyBusy(found);
    if (busy) return { left: { file, reason: busy } };
    let sha256: string;
    try {
      sha256 = await sha256Of(file);
    } catch (error) {
      return { left: unreadable(file, error) };
    }
    return await decideAndProcess(services, options, inbox, { ...found, sha256 });
  } finally {
    await lock.release();
  }
}

interface ReadFile extends FoundFile {
  /** Hex. */
  readonly sha256: string;
}

async function decideAndProcess(
  services: RunServices,
  options: InboxOptions,
  inbox: Inbox,
  found: ReadFile,
): Promise<FileEnd> {
  const { file, sha256 } = found;
  const { job, connection } = options;
  const pending = await pendingFile(services.ledger, file);
  const history = { sha256, pending };
  const decision = await decideFile(services.ledger, job, connection, history, services.clock.now());
  if (decision.kind === 'leave') {
    const { reason, exitCode } = decision;
    return { left: { file, reason, exitCode } };
  }
  if (decision.kind === 'move') {
    const { reason, exitCode } = decision;
    const run = decision.run.id;
    const { movedTo, left } = await finishFile(services, {
      ...found,
      run,
      exitCode,
      // If only the move was left to do, the run's own outcome is the reason.
      reason: decision.onlyMove ? undefined : reason,
    });
    return {
      moved: { file, run, reason, exitCode, movedTo },
      left: left && { file, reason: left },
    };
  }
  return runClaimedFile(services, options, inbox, found, decision);
}

async function runClaimedFile(
  services: RunServices,
  options: InboxOptions,
  inbox: Inbox,
  found: ReadFile,
  decision: Exclude<FileDecision, { readonly kind: 'leave' | 'move' }>,
): Promise<FileEnd> {
  const { file, sha256 } = found;
  const { ledger } = services;
  const unfinished = decision.kind === 'resume' ? decision.run : undefined;
  // Stored before anything is sent, so that the next start recognises the file after a crash.
  await rememberPending(ledger, { file, sha256, at: unfinished?.startedAt ?? services.clock.now() });
  const result = await runFile(services, options, file, (fileServices) =>
    unfinished
      ? resumeWith(fileServices, options, unfinished)
      : startWith(fileServices, options, inbox, found),
  ).catch(async (error: unknown) => {
    if (!unfinished) await forgetPending(ledger, file);
    throw error;
  });
  if (result.kind === 'not_run') {
    if (!unfinished) await forgetPending(ledger, file);
    return { left: { file, reason: result.reason }, ends: result.ends };
  }
  const { run, over: isEnded, ends } = result;
  const { end } = run;
  if (!isEnded) {
    // A plan that waits for approval cannot be resumed.
    const code = end.kind === 'plan' && end.needsApproval ? 'inbox.stays_for_approval' : 'inbox.stays';
    return { run, ends, left: { file, reason: message(code, { run: end.run }) } };
  }
  const { movedTo, left } = await finishFile(services, {
    ...found,
    run: end.run,
    exitCode: end.ownExitCode ?? end.exitCode,
  });
  return {
    run: movedTo === undefined ? run : { ...run, end: { ...end, movedTo } },
    left: left && { file, reason: left },
    ends,
  };
}

/** Runs the bytes that the decision is based on, even if the file changes in the meantime. */
async function startWith(
  services: RunServices,
  options: InboxOptions,
  inbox: Inbox,
  { file, sha256 }: ReadFile,
) {
  const kept = await keepInput(services.ledger.inputs, file);
  if (kept.sha256 !== sha256) throw new InputNotKeptError('changed', file);
  const { connection, canary } = options;
  return startRun(services, inbox.jobOf(file), connection, 'run', { inputSha256: sha256, canary });
}

/** Resumes the run with the current limits and connection, which may have stopped it before. */
function resumeWith(services: RunServices, { job, connection }: InboxOptions, run: Run) {
  return resumeRun(services, run, (before) => {
    const { maxItems, maxDeletes } = job.safety;
    const safety = { ...before.job.safety, maxItems, maxDeletes };
    const output = job.output.defaulted ? before.job.output : job.output;
    return { ...before, connection, job: { ...before.job, run: job.run, safety, output } };
  });
}
