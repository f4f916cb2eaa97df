import { type Message, message } from '../errors/message.js';
import type { RowResult, Run } from '../ledger/contract.js';
import type { Operation } from '../model/operation.js';

export interface RowFacts {
  readonly run: Run;
  readonly result: RowResult;
  readonly operation: Operation;
  /** The platform can be asked what became of it. */
  readonly verifiable: boolean;
}

const HELD_UNKNOWN: ReadonlySet<string> = new Set(['run.held_unknown', 'ledger.held_unknown']);

/** What is safe to do about a row, by its status. Pure. */
export function nextStep({ run, result, operation, verifiable }: RowFacts): Message {
  const { id, state } = run;
  switch (result.status) {
    case 'succeeded':
      return operation.key === undefined ? message('next.succeeded_repeats') : message('next.succeeded');
    case 'accepted':
      return message('next.accepted');
    case 'rejected':
      return message('next.rejected', { run: id });
    case 'failed':
      return message('next.failed', { run: id });
    case 'unknown': {
      if (state === 'executing') return message('next.unfinished', { run: id });
      const params = { run: id, row: result.row };
      return verifiable ? message('next.unknown_verify', params) : message('next.unknown_look', params);
    }
    case 'invalid':
      return message('next.invalid');
    case 'skipped':
      return skipped(result);
    case 'not_sent':
      return state === 'invalid'
        ? message('next.not_sent_invalid')
        : message('next.not_sent_resume', { run: id });
    case 'valid':
      return run.kind === 'plan'
        ? message('next.valid_plan', { run: id })
        : message('next.valid_dry_run', { jobFile: run.jobFile });
  }
}

/** Left out by the job, or held back by another run, which its message names. */
function skipped({ messages }: RowResult): Message {
  for (const { text } of messages) {
    if (typeof text === 'string') continue;
    const { run: other, row } = text.params;
    if (other === undefined || row === undefined) continue;
    return HELD_UNKNOWN.has(text.code)
      ? message('next.held', { other, row })
      : message('next.got_through', { other, row });
  }
  return message('next.left_out');
}
