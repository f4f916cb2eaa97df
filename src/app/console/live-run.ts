import type { RunCounts } from '../../model/run-outcome.js';
import { isUnderWay } from '../../model/under-way.js';
import { type LiveState, liveStateOf } from '../../run/live-state.js';
import { hasSteps, stepRunsOf } from '../../run/step-runs.js';
import type { AppContext } from '../context.js';
import { runNamed, withLedger } from '../open.js';

/** How far a run is by its ledger, whoever carries it. */
export interface LiveRunData {
  readonly state: LiveState;
  /** Something still happens by itself. */
  readonly goesOn: boolean;
  /** Rows by status; absent while they are planned. */
  readonly counts: RunCounts;
  /** Items with an outcome, of how many. */
  readonly done: number;
  readonly total: number;
  readonly exitCode?: number;
  /** Whoever carries it tells of one step at a time: all of them are counted in the ledger alone. */
  readonly ofSteps: boolean;
}

/** @param wish `state`: nothing is counted, as long as the run goes on */
export function liveRunData(context: AppContext, id: string, wish: 'state' | 'all'): Promise<LiveRunData> {
  return withLedger(context, async ({ ledger }) => {
    const run = await runNamed(ledger, id);
    const state = await liveStateOf(ledger, run);
    const { exitCode, items } = run;
    const goesOn = isUnderWay(state, run.kind);
    const told = { state, goesOn, ofSteps: hasSteps(run), ...(exitCode === undefined ? {} : { exitCode }) };
    if (state === 'planning' || (wish === 'state' && goesOn))
      return { ...told, counts: {}, done: 0, total: items };
    const counts = await ledger.runs.counts(id);
    let done = 0;
    let total = 0;
    const steps = hasSteps(run) ? (await stepRunsOf(ledger, run)).flatMap((it) => it.run ?? []) : [run];
    for (const it of steps) {
      total += it.items;
      if (it.state === 'planning' || it.state === 'planned') continue;
      if (it.state === 'completed') done += it.items;
      else {
        const { pending = 0, open = 0 } = await ledger.execution.itemCounts(it.id);
        done += Math.max(0, it.items - pending - open);
      }
    }
    return { ...told, counts, done, total };
  });
}
