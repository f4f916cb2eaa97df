import { type Message, message } from '../errors/message.js';
import type { RowResult, Run } from '../ledger/contract.js';
import type { Job } from '../model/job.js';
import type { Operation } from '../model/operation.js';
import type { Status } from '../model/status.js';

export interface RowFacts {
  readonly run: Run;
  readonly result: RowResult;
  readonly operation: Operation;
  /** The platform can be asked what became of it. */
  readonly verifiable: boolean;
  /** What the job says of items that an earlier run got through. */
  readonly duplicates: Job['safety']['duplicates'];
  /** What runs that are bound to this one by retrying know of the same row. */
  readonly kin?: KinFacts;
}

export interface KinFacts {
  /** A run that the row is unknown in. */
  readonly doubted?: string;
  /** A run that got the row through. */
  readonly taken?: { readonly run: string; readonly status: Status };
}

const HELD_UNKNOWN: ReadonlySet<string> = new Set(['run.held_unknown', 'ledger.held_unknown']);

/** What is safe to do about a row, by its status. Pure. */
export function nextStep(facts: RowFacts): Message {
  const { run, result, operation, verifiable, duplicates } = facts;
  const { id, state } = run;
  const known = kinStep(facts);
  if (known) return known;
  // Running the whole file again repeats what got through, unless keys hold it back.
  const repeats = !operation.repeatable && (operation.key === undefined || duplicates === 'send');
  switch (result.status) {
    case 'succeeded':
      if (operation.key === undefined || duplicates === 'send') return message('next.succeeded_repeats');
      return duplicates === 'abort' ? message('next.succeeded_aborts') : message('next.succeeded');
    case 'accepted':
      return message('next.accepted');
    case 'rejected':
      if (unfinished(state)) return message('next.settled_unfinished', { run: id });
      return repeats ? message('next.rejected_repeats', { run: id }) : message('next.rejected', { run: id });
    case 'failed':
      if (unfinished(state)) return message('next.settled_unfinished', { run: id });
      return message('next.failed', { run: id });
    case 'unknown': {
      if (state === 'executing') return message('next.unfinished', { run: id });
      const params = { run: id, row: result.row };
      return verifiable ? message('next.unknown_verify', params) : message('next.unknown_look', params);
    }
    case 'invalid':
      return repeats ? message('next.invalid_repeats') : message('next.invalid');
    case 'skipped':
      return skipped(result, repeats);
    case 'not_sent':
      return state === 'invalid'
        ? message('next.not_sent_invalid')
        : message('next.not_sent_resume', { run: id });
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

/** A run that was cut off takes no retry: it has to be gone on with first. */
function unfinished(state: Run['state']): boolean {
  return state === 'planning' || state === 'planned' || state === 'executing';
}

const OPEN_TO_RETRY: ReadonlySet<Status> = new Set(['failed', 'rejected', 'not_sent']);

/** What goes before the row's own status: that this run did nothing doesn't mean that none of its kin did. */
function kinStep({ result: { status, row }, kin }: RowFacts): Message | undefined {
  if (!OPEN_TO_RETRY.has(status)) return undefined;
  if (kin?.taken) {
    return message('next.taken_up', { other: kin.taken.run, row, status: kin.taken.status });
  }
  if (kin?.doubted === undefined) return undefined;
  return message('next.doubted', { other: kin.doubted, row, status });
}

/** Left out by the job, or held back by another run, which its message names. */
function skipped({ messages }: RowResult, repeats: boolean): Message {
  for (const { text } of messages) {
    if (typeof text === 'string') continue;
    const { run: other, row } = text.params;
    if (other === undefined || row === undefined) continue;
    if (text.code === 'ledger.held_changed') return message('next.held_changed', { other, row });
    if (!HELD_UNKNOWN.has(text.code)) return message('next.got_through', { other, row });
    return repeats ? message('next.held_repeats', { other, row }) : message('next.held', { other, row });
  }
  return repeats ? message('next.left_out_repeats') : message('next.left_out');
}
