import { type Message, message } from '../../errors/message.js';
import type { RowResult } from '../../ledger/contract/report.js';
import type { Run } from '../../ledger/contract/run.js';
import type { Undoing } from '../../ledger/contract/undoings.js';
import type { Job } from '../../model/job.js';
import type { Operation } from '../../model/operation.js';
import { type Status, WENT_THROUGH } from '../../model/status.js';
import { wholeRunOf } from '../../util/run-id.js';
import type { LiveState } from '../live-state.js';
import { repeatsHarm } from '../retry-chain.js';
import type { OtherOutcomes } from '../settle/other-runs.js';
import { heldBackBy } from './held-rows.js';

interface RowFacts {
  readonly run: Run;
  readonly result: RowResult;
  readonly operation: Operation;
  /** True when the platform can be asked what became of the row. */
  readonly verifiable: boolean;
  /** The job's rule for items that an earlier run carried out. */
  readonly duplicates: Job['safety']['duplicates'];
  /** The run's state, as it is now. */
  readonly liveState: LiveState;
  /** Outcomes of the same row in other runs. */
  readonly otherRuns: OtherOutcomes;
  /** By what the row was taken back since, or may have been. */
  readonly undone?: readonly Undoing[];
  /** The present status of another run's unknown row that holds this row back. */
  readonly holding?: Status;
}

/** What is safe to do about a row, by its status. Pure. */
export function nextForRow(facts: RowFacts): Message {
  const { run, result, operation, verifiable, duplicates, liveState } = facts;
  const { id, state } = run;
  const known = undoneStep(facts) ?? otherRunsStep(facts) ?? runningStep(facts);
  if (known) return known;
  const cutOff = liveState === 'cut off';
  // Running the whole file again would repeat what went through, unless keys prevent it.
  const repeats = repeatsHarm(operation, duplicates);
  switch (result.status) {
    case 'succeeded':
      if (result.messages.some(({ reason }) => reason?.kind === 'resolved_by_person')) {
        return resolvedByPersonStep(facts);
      }
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
      // The step that held it back was settled since; a run that is over can't be gone on with.
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

/** What was taken back may be wanted anew; what may have been has to be settled first. */
function undoneStep({ undone = [], result: { status } }: RowFacts): Message | undefined {
  if (!WENT_THROUGH.has(status)) return undefined;
  const by = (wanted: Undoing['status']) => {
    const found = undone.find((it) => it.status === wanted);
    return found && { ...found, run: wholeRunOf(found.run) };
  };
  const doubted = by('unknown');
  if (doubted) return message('next.perhaps_undone', { other: doubted.run, row: doubted.row });
  const accepted = by('accepted');
  if (accepted) return message('next.undone_accepted', { other: accepted.run, row: accepted.row });
  const sure = by('succeeded');
  return sure && message('next.undone', { other: sure.run, row: sure.row });
}

/** For a row that a person resolved: the platform never confirmed it, and another run may have sent it since. */
function resolvedByPersonStep({ run, result: { row }, otherRuns: { through } }: RowFacts): Message {
  const params = { run: run.id, row };
  if (!through) return message('next.settled_by_hand', params);
  return message('next.settled_twice', { ...params, other: through.run, otherRow: through.row });
}

/** While the run is being executed, the row's outcome may still change. */
function runningStep({ liveState, result: { status }, run }: RowFacts): Message | undefined {
  const going = liveState === 'executing' || (liveState === 'planned' && run.kind === 'run');
  const open = status === 'unknown' || status === 'not_sent' || OPEN_TO_RETRY.has(status);
  return going && open ? message('next.going_on', { run: run.id }) : undefined;
}

const OPEN_TO_RETRY: ReadonlySet<Status> = new Set(['failed', 'rejected', 'not_sent', 'invalid', 'valid']);

/**
 * What other runs made of the row comes before its own status: this run may have done nothing, and another one may have
 * sent it.
 */
function otherRunsStep({ result: { status, row }, otherRuns, run }: RowFacts): Message | undefined {
  const { through, doubted } = otherRuns;
  if (through && status === 'unknown') {
    return message('next.unknown_taken_up', { run: run.id, row, other: through.run, otherRow: through.row });
  }
  if (!OPEN_TO_RETRY.has(status)) return undefined;
  if (through) {
    return message('next.taken_up', { other: through.run, row: through.row, status: through.status });
  }
  return doubted && message('next.doubted', { other: doubted.run, row: doubted.row, status });
}

/** Left out by the job, or held back by another run. */
function skipped({ result, holding, otherRuns: { through } }: RowFacts, repeats: boolean): Message {
  const held = heldBackBy(result);
  if (!held) return message(repeats ? 'next.left_out_repeats' : 'next.left_out');
  const there = { other: held.run, row: held.row };
  if (held.kind === 'held_changed') return message('next.held_changed', there);
  if (held.kind === 'held_done') return message('next.got_through', there);
  if (through) return message('next.got_through', { other: through.run, row: through.row });
  if (holding !== undefined && WENT_THROUGH.has(holding)) return message('next.got_through', there);
  if (holding !== undefined && holding !== 'unknown') {
    return message(repeats ? 'next.let_go_repeats' : 'next.let_go', { ...there, status: holding });
  }
  return message(repeats ? 'next.held_repeats' : 'next.held', there);
}
