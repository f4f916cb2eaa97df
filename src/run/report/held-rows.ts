import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowResult } from '../../ledger/contract/report.js';
import type { Run } from '../../ledger/contract/run.js';
import type { OutcomeReason } from '../../model/outcome.js';
import type { RunCounts } from '../../model/run-outcome.js';
import { hasSteps } from '../step-runs.js';
import { reportRows } from './steps/steps-rows.js';

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

/** How many rows of a run are held back so. Such a row is skipped; in a run of several steps those after it aren't sent. */
export async function countHeld(
  ledger: Pick<Ledger, 'runs' | 'report'>,
  run: Run,
  counts: RunCounts,
): Promise<number> {
  if (!counts.skipped && !(hasSteps(run) && counts.not_sent)) return 0;
  let held = 0;
  for await (const page of reportRows(ledger, run)) held += page.filter(heldByUnknown).length;
  return held;
}
