import { type Message, message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import { rowsByStatus } from '../report/steps/steps-rows.js';
import { outcomesInOtherRuns } from '../settle/other-runs.js';
import { hasSteps } from '../step-runs.js';

/**
 * Why none of the failed rows of a run need be sent again: other runs got all of them through since. Undefined where one
 * is left, and where that isn't known after so many rows.
 */
export async function nothingToRetry(
  ledger: Ledger,
  run: Run,
  lookedAt: number,
): Promise<Message | undefined> {
  let left = lookedAt;
  let other: string | undefined;
  for await (const { rows } of rowsByStatus(ledger, run, ['failed'], 0)) {
    for (const { row } of rows) {
      left -= 1;
      other = left < 0 ? undefined : await gotThrough(ledger, run, row);
      if (other === undefined) return undefined;
    }
  }
  return other === undefined ? undefined : message('retry.all_through', { run: run.id, other });
}

/** The run that carried the row out, unless that was taken back. */
async function gotThrough(ledger: Ledger, run: Run, row: number): Promise<string | undefined> {
  // Of a run of several steps a key says nothing of the steps after it.
  const { through } = await outcomesInOtherRuns(ledger, run, row, hasSteps(run) ? [] : undefined);
  if (!through) return undefined;
  const undone = await ledger.undoings.ofRow(through.run, through.row);
  return undone.length > 0 ? undefined : through.run;
}
