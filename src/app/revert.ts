import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run } from '../ledger/contract/run.js';
import { nothingToTakeBack } from '../run/revert/nothing-left.js';
import { refuseRevert, revertRun as revertKept } from '../run/revert/revert.js';
import { refuseOtherConnection } from '../run/run-connection.js';
import type { CarriedRun, RunChanges, WatchedContext } from './context.js';
import { runNamed } from './open.js';
import { changing } from './resume.js';
import { inRunFrame } from './run-frame.js';

export interface RevertInput extends RunChanges {
  /** Only these rows of the run, as Excel numbers them; all where none is named. */
  readonly rows?: readonly number[];
  /** Where nothing is left to take back nothing is made, in place of a dry run that tells of each row why it stays. */
  readonly planOnly?: boolean;
}

/** `revert`: a kept plan that takes back what a run did; `apply` carries it out. */
export function revertRun(context: WatchedContext, id: string, input: RevertInput): Promise<CarriedRun> {
  return inRunFrame(context, input, async (frame) => {
    const rows = input.rows && input.rows.length > 0 ? input.rows : undefined;
    const find = async (ledger: Ledger): Promise<Run> => {
      const run = await runNamed(ledger, id);
      refuseOtherConnection(run, input.connection);
      return run;
    };
    // A plan is nobody's news.
    return frame.continueRun(
      find,
      { act: 'revert', run: id, notifies: false },
      async (parts, run, connection) => {
        // Of rows that somebody names they are told one by one why they stay.
        if (input.planOnly && !rows) {
          await refuseRevert(parts.ledger, run);
          const nothing = await nothingToTakeBack(parts.ledger, run, Number.POSITIVE_INFINITY);
          if (nothing) return { nothing, parent: run };
        }
        return revertKept(parts, run, {
          rows,
          connection,
          wording: context.wording,
          change: changing(context, input),
        });
      },
    );
  });
}
