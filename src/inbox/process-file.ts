import { message } from '../errors/message.js';
import type { Run } from '../ledger/contract/run.js';
import { InputNotKeptError, keepInput } from '../ledger/inputs.js';
import type { RunServices } from '../run/run-context.js';
import { resumeRun, startRun } from '../run/run-job.js';
import { sha256Of } from '../util/file-identity.js';
import type { InboxOptions, InboxRun, MovedFile } from './contract.js';
import { decideFile, type FileDecision } from './decide-file.js';
import { type FoundFile, type LeftFile, unreadable, whyBusy } from './find-files.js';
import { finishFile } from './finish-file.js';
import { lockFile } from './lock.js';
import type { Inbox } from './open-inbox.js';
import { forgetPending, pendingFile, rememberPending } from './pending-files.js';
import { runFile } from './run-file.js';

/** What became of one file. `ends`: no other file is processed. */
export interface FileEnd {
  readonly run?: InboxRun;
  readonly moved?: MovedFile;
  readonly left?: LeftFile;
  readonly ends?: boolean;
}

/**
 * Processes one file: it is run, its run is resumed, or it is only moved, depending on what earlier runs did with the
 * same bytes. No other process of this ledger can have the file meanwhile.
 * @throws what keeps any run of the job from beginning
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
    // Checked again under the lock: whoever held it before may have moved the file.
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
  it: ReadFile,
): Promise<FileEnd> {
  const { file, sha256 } = it;
  const { job, connection } = options;
  const taken = await pendingFile(services.ledger, file);
  const history = { sha256, taken };
  const decision = await decideFile(services.ledger, job, connection, history, services.clock.now());
  if (decision.kind === 'leave') {
    const { reason, exitCode } = decision;
    return { left: { file, reason, exitCode } };
  }
  if (decision.kind === 'move') {
    const { reason, exitCode } = decision;
    const run = decision.run.id;
    const { movedTo, left } = await finishFile(services, {
      ...it,
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
  return runClaimedFile(services, options, inbox, it, decision);
}

async function runClaimedFile(
  services: RunServices,
  options: InboxOptions,
  inbox: Inbox,
  it: ReadFile,
  decision: Exclude<FileDecision, { readonly kind: 'leave' | 'move' }>,
): Promise<FileEnd> {
  const { file, sha256 } = it;
  const { ledger } = services;
  const begun = decision.kind === 'resume' ? decision.run : undefined;
  // Stored before anything is sent: whatever happens from here on, the next start knows of the file.
  await rememberPending(ledger, { file, sha256, at: begun?.startedAt ?? services.clock.now() });
  const given = await runFile(services, options, file, (own) =>
    begun ? resumeWith(own, options, begun) : startWith(own, options, inbox, it),
  ).catch(async (error: unknown) => {
    if (!begun) await forgetPending(ledger, file);
    throw error;
  });
  if (given.kind === 'not_run') {
    if (!begun) await forgetPending(ledger, file);
    return { left: { file, reason: given.reason }, ends: given.ends };
  }
  const { run, over, ends } = given;
  const { end } = run;
  if (!over) {
    // Nobody can go on with a plan that waits for a second person.
    const code = end.kind === 'plan' && end.needsApproval ? 'inbox.stays_for_approval' : 'inbox.stays';
    return { run, ends, left: { file, reason: message(code, { run: end.run }) } };
  }
  const { movedTo, left } = await finishFile(services, {
    ...it,
    run: end.run,
    exitCode: end.ownExitCode ?? end.exitCode,
  });
  return {
    run: movedTo === undefined ? run : { ...run, end: { ...end, movedTo } },
    left: left && { file, reason: left },
    ends,
  };
}

/** Runs the bytes that the decision was made about, whatever becomes of the file meanwhile. */
async function startWith(own: RunServices, options: InboxOptions, inbox: Inbox, { file, sha256 }: ReadFile) {
  const kept = await keepInput(own.ledger.inputs, file);
  if (kept.sha256 !== sha256) throw new InputNotKeptError('changed', file);
  const { connection, canary } = options;
  return startRun(own, inbox.jobOf(file), connection, 'run', { inputSha256: sha256, canary });
}

/** Resumes the run with today's limits and connection: they may have been what stopped it. */
function resumeWith(own: RunServices, { job, connection }: InboxOptions, run: Run) {
  return resumeRun(own, run, (before) => {
    const { maxItems, maxDeletes } = job.safety;
    const safety = { ...before.job.safety, maxItems, maxDeletes };
    const output = job.output.defaulted ? before.job.output : job.output;
    return { ...before, connection, job: { ...before.job, run: job.run, safety, output } };
  });
}
