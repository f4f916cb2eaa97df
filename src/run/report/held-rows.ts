import type { RowResult } from '../../ledger/contract/report.js';
import type { OutcomeReason } from '../../model/outcome.js';

type HeldBack = Extract<OutcomeReason, { readonly run: string }>;

/** The other item that holds the key of one of the row's items, where that is why the item was left out. */
export function heldBackBy({ messages }: RowResult): HeldBack | undefined {
  for (const { reason } of messages) if (reason && reason.kind !== 'resolved_by_person') return reason;
  return undefined;
}

/** The row of an earlier run whose outcome isn't known and which therefore holds this one back: a person must see to it. */
export function heldByUnknown({ messages }: RowResult): HeldBack | undefined {
  for (const { reason } of messages) if (reason?.kind === 'held_unknown') return reason;
  return undefined;
}
