import { type Message, message } from '../errors/message.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { PendingFile } from '../ledger/contract/pending-files.js';
import type { Run } from '../ledger/contract/run.js';
import { isFinished } from '../ledger/rules/run-states.js';
import { onPlatform } from '../ledger/rules/scopes.js';
import type { Connection } from '../model/connection.js';
import { EXIT } from '../model/exit-code.js';
import { type SendingJob, workOf } from '../model/job.js';
import { operationNamed } from '../platform/operations/index.js';
import { approvalMissing, approvalStanding } from '../run/approval/standing.js';
import { isOver } from './finish-file.js';

/** What to do with a file, by what earlier runs did with the same bytes. */
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
  /** The note of an earlier start that didn't get to move the file. */
  readonly taken: PendingFile | undefined;
}

/**
 * Decides so that nothing is sent twice: a run that was begun is resumed, and a file whose rows all went through is
 * only moved. A file with rows that didn't go through is run again if keys, or harmless repeats, protect the others.
 */
export async function decideFile(
  ledger: Ledger,
  job: SendingJob,
  connection: Connection,
  { sha256, taken }: FileHistory,
  now: number,
): Promise<FileDecision> {
  const of = { job: job.name, ...onPlatform(connection) };
  const found = await ledger.runs.listOf({ ...of, inputSha256: sha256, plans: true });
  const plan = found[0];
  if (plan?.kind === 'plan' && plan.operation === workOf(job)) {
    const waits = await waitsForApproval(ledger, plan, now);
    if (waits) return waits;
  }
  const all = found.filter(({ kind }) => kind !== 'plan');
  // The job's operation may have been changed since.
  const earlier = all.filter((it) => it.operation === workOf(job));
  const last = earlier.find((it) => it.parent === undefined);
  const since = last ? earlier.slice(0, earlier.indexOf(last)) : earlier;
  const retry = since.find(isOpen);
  if (retry) {
    const reason = message('inbox.retry_open', { run: retry.id });
    return { kind: 'leave', reason, exitCode: EXIT.safety };
  }
  if (last && isOpen(last)) return { kind: 'resume', run: last };
  if (last && isOver(last) && taken?.sha256 === sha256 && taken.at <= last.startedAt) {
    const reason = message('inbox.left_over', { run: last.id });
    return { kind: 'move', run: last, reason, exitCode: last.exitCode, onlyMove: true };
  }
  return repeat(earlier, job);
}

/** What its plan wants is said; rejected, the file is as one whose rows didn't go through. */
async function waitsForApproval(ledger: Ledger, plan: Run, now: number): Promise<FileDecision | undefined> {
  const { state } = approvalStanding(await ledger.approvals.list(plan.id), now);
  const missing = await approvalMissing(ledger, plan, now);
  if (state === 'rejected' && missing)
    return { kind: 'move', run: plan, reason: missing, exitCode: EXIT.safety };
  const reason = missing ?? message('inbox.approved', { plan: plan.id });
  return { kind: 'leave', reason, exitCode: EXIT.safety };
}

function repeat(earlier: readonly Run[], job: SendingJob): FileDecision {
  const { duplicates } = job.safety;
  if (duplicates === 'send') return { kind: 'start' };
  const through = earlier.find((it) => it.parent === undefined && it.exitCode === EXIT.ok);
  if (through && duplicates === 'abort') {
    const reason = message('inbox.repeat_refused', { run: through.id });
    return { kind: 'move', run: through, reason, exitCode: EXIT.safety };
  }
  if (through) {
    const reason = message('inbox.repeat', { run: through.id });
    return { kind: 'move', run: through, reason, exitCode: EXIT.ok };
  }
  // Rows of a job of steps are known again in every step.
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
