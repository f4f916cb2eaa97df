import { type Message, message } from '../errors/message.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run } from '../ledger/contract/runs.js';
import { wholeRunOf } from '../util/run-id.js';
import { rowsByStatus } from './report/row-results.js';
import { outcomesInOtherRuns } from './resolve/other-runs.js';
import { reversalOf } from './revert/reversal-lines.js';
import { revertedParts } from './revert/reverted-rows.js';
import { hasSteps } from './step-runs.js';

/**
 * Why no failed row of a run has to be sent again: all of them succeeded in other runs since. Undefined if one is left,
 * or if that is unknown after `maxRows` rows.
 */
export async function nothingToRetry(
  ledger: Ledger,
  run: Run,
  maxRows: number,
): Promise<Message | undefined> {
  let left = maxRows;
  let otherRun: string | undefined;
  for await (const { rows } of rowsByStatus(ledger, run, ['failed'], 0)) {
    for (const { row } of rows) {
      left -= 1;
      otherRun = left < 0 ? undefined : await succeededIn(ledger, run, row);
      if (otherRun === undefined) return undefined;
    }
  }
  return otherRun === undefined ? undefined : message('retry.all_through', { run: run.id, other: otherRun });
}

/** The run that sent the row successfully, unless that was reverted. */
async function succeededIn(ledger: Ledger, run: Run, row: number): Promise<string | undefined> {
  // In a run of several steps a key proves nothing about the later steps.
  const { sent: success } = await outcomesInOtherRuns(ledger, run, row, hasSteps(run) ? [] : undefined);
  if (!success) return undefined;
  const reversals = await ledger.reversals.ofRow(success.run, success.row);
  return reversals.length > 0 ? undefined : success.run;
}

/**
 * Why nothing of a run can be reverted (any more): no item is reversible, or all were reverted. Undefined if something
 * can be reverted, or if that is unknown after `maxItems` items.
 */
export async function nothingToRevert(
  ledger: Ledger,
  run: Run,
  maxItems: number,
): Promise<Message | undefined> {
  let left = maxItems;
  const reasons: Message[] = [];
  for (const { run: part, operation } of await revertedParts(ledger, run)) {
    for await (const effects of ledger.reversals.effects(part.id)) {
      for (const effect of effects) {
        const reversal = reversalOf(operation, effect);
        if (reversal.kind === 'item') return undefined;
        reasons.push(reversal.reason);
      }
      // No item of this operation can be reverted.
      if (operation.reversal.kind === 'none') break;
      left -= effects.length;
      if (left <= 0) return undefined;
    }
  }
  return noReversalReason(run.id, reasons);
}

/** Why rows of a run are not reverted, as one message. */
export function noReversalReason(run: string, reasons: readonly Message[]): Message {
  const [first] = reasons;
  if (first === undefined) return message('revert.nothing_done', { run });
  if (reasons.some((reason) => reason.code !== first.code)) return message('revert.none', { run });
  if (first.code === 'revert.undone') {
    const reverting = new Set(reasons.map((reason) => wholeRunOf(String(reason.params.run))));
    return message('revert.all_undone', { run, by: [...reverting].join(', ') });
  }
  // A reason that names a row applies to that row only.
  return 'row' in first.params
    ? message('revert.none', { run })
    : message('revert.none_why', { run, reason: first });
}
