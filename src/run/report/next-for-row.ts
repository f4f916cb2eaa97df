import { type Message, message } from '../../errors/message.js';
import type { RowResult } from '../../ledger/contract/report.js';
import type { RevertedBy } from '../../ledger/contract/reversals.js';
import type { Run } from '../../ledger/contract/runs.js';
import type { Job } from '../../model/job.js';
import type { Operation } from '../../model/operation.js';
import { type Status, WENT_THROUGH } from '../../model/status.js';
import { wholeRunOf } from '../../util/run-id.js';
import type { LiveState } from '../live-state.js';
import type { OtherOutcomes } from '../resolve/other-runs.js';
import { repeatsHarm } from '../retry-chain.js';
import { heldBackBy } from './row-results.js';

interface RowFacts {
  readonly run: Run;
  readonly result: RowResult;
  readonly operation: Operation;
  /** True if the platform can be asked about the row's outcome. */
  readonly verifiable: boolean;
  /** The job's rule for items that an earlier run sent. */
  readonly duplicates: Job['safety']['duplicates'];
  /** The run's current state. */
  readonly liveState: LiveState;
  /** Outcomes of the same row in other runs. */
  readonly otherRuns: OtherOutcomes;
  /** Rows that have reverted this row, or may have. */
  readonly undone?: readonly RevertedBy[];
  /** The current status of another run's unknown row that blocks this one. */
  readonly holding?: Status;
}

/** The safe next action for a row, by its status. Pure. */
export function nextForRow(facts: RowFacts): Message {
  const { run, result, operation, verifiable, duplicates, liveState } = facts;
  const { id, state } = run;
  const known = revertedStep(facts) ?? otherRunsStep(facts) ?? runningStep(facts);
  if (known) return known;
  const cutOff = liveState === 'cut off';
  // Running the whole file again would repeat rows that succeeded, unless keys prevent it.
  const repeats = repeatsHarm(operation, duplicates);
  switch (result.status) {
    case 'succeeded':
      if (result.messages.some(({ reason }) => reason?.kind === 'resolved_by_person'))
        return resolvedByPersonStep(facts);
      if (operation.key === undefined || duplicates === 'send') return message('next.succeeded_repeats');
      return duplicates === 'abort' ? message('next.succeeded_aborts') : message('next.succeeded');
    case 'accepted':
      return message('next.accepted');
    case 'rejected':
      if (cutOff) return message('next.settled_unfinished', { run: id });
      return repeats ? message('next.rejected_repeats', { run: id }) : message('next.rejected', { run: id });
    case 'failed':
      if (cutOff) return message('next.settled_unfinished', { run: id });
      return message('next.failed', { run: id });
    case 'unknown': {
      if (cutOff) return message('next.unfinished', { run: id });
      const params = { run: id, row: result.row };
      return verifiable ? message('next.unknown_verify', params) : message('next.unknown_look', params);
    }
    case 'invalid':
      return repeats ? message('next.invalid_repeats') : message('next.invalid');
    case 'skipped':
      return skipped(facts, repeats);
    case 'not_sent':
      if (state === 'invalid') return message('next.not_sent_invalid');
      // The step that blocked it got an outcome since; a completed run cannot be resumed.
      if (state === 'completed') return message('next.not_sent_later');
      return message('next.not_sent_resume', { run: id });
    case 'valid':
      return run.kind === 'plan'
        ? message('next.valid_plan', { run: id })
        : message('next.valid_dry_run', {
            jobFile: run.jobFile,
            input: run.inputFile,
            connection: run.connection,
          });
  }
}

/** A reverted row may be sent again. An uncertain revert has to be resolved first. */
function revertedStep({ undone = [], result: { status } }: RowFacts): Message | undefined {
  if (!WENT_THROUGH.has(status)) return undefined;
  const revertedWith = (revertStatus: RevertedBy['status']) => {
    const found = undone.find((reversal) => reversal.status === revertStatus);
    return found && { ...found, run: wholeRunOf(found.run) };
  };
  const uncertain = revertedWith('unknown');
  if (uncertain) return message('next.perhaps_undone', { other: uncertain.run, row: uncertain.row });
  const accepted = revertedWith('accepted');
  if (accepted) return message('next.undone_accepted', { other: accepted.run, row: accepted.row });
  const certain = revertedWith('succeeded');
  return certain && message('next.undone', { other: certain.run, row: certain.row });
}

/** For a row that a user resolved: the platform never confirmed it, and another run may have sent it since. */
function resolvedByPersonStep({ run, result: { row }, otherRuns: { sent } }: RowFacts): Message {
  const params = { run: run.id, row };
  if (!sent) return message('next.settled_by_hand', params);
  return message('next.settled_twice', { ...params, other: sent.run, otherRow: sent.row });
}

/** The row's outcome may still change while the run is being executed. */
function runningStep({ liveState, result: { status }, run }: RowFacts): Message | undefined {
  const isRunning = liveState === 'executing' || (liveState === 'planned' && run.kind === 'run');
  const open = status === 'unknown' || status === 'not_sent' || OPEN_TO_RETRY.has(status);
  return isRunning && open ? message('next.going_on', { run: run.id }) : undefined;
}

const OPEN_TO_RETRY: ReadonlySet<Status> = new Set(['failed', 'rejected', 'not_sent', 'invalid', 'valid']);

/** Other runs have priority over the row's own status: this run may not have sent it, and another one may have. */
function otherRunsStep({ result: { status, row }, otherRuns, run }: RowFacts): Message | undefined {
  const { sent, unknown } = otherRuns;
  if (sent && status === 'unknown')
    return message('next.unknown_taken_up', { run: run.id, row, other: sent.run, otherRow: sent.row });
  if (!OPEN_TO_RETRY.has(status)) return undefined;
  if (sent) return message('next.taken_up', { other: sent.run, row: sent.row, status: sent.status });
  return unknown && message('next.doubted', { other: unknown.run, row: unknown.row, status });
}

/** For a row that the job excluded, or another run blocks. */
function skipped({ result, holding, otherRuns: { sent } }: RowFacts, repeats: boolean): Message {
  const held = heldBackBy(result);
  if (!held) return message(repeats ? 'next.left_out_repeats' : 'next.left_out');
  const params = { other: held.run, row: held.row };
  if (held.kind === 'held_changed') return message('next.held_changed', params);
  if (held.kind === 'held_done') return message('next.got_through', params);
  if (sent) return message('next.got_through', { other: sent.run, row: sent.row });
  if (holding !== undefined && WENT_THROUGH.has(holding)) return message('next.got_through', params);
  if (holding !== undefined && holding !== 'unknown')
    return message(repeats ? 'next.let_go_repeats' : 'next.let_go', { ...params, status: holding });
  return message(repeats ? 'next.held_repeats' : 'next.held', params);
}
