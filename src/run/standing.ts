import type { Ledger, Run, RunState } from '../ledger/contract.js';

/** Where a run stands as people are told: one whose process is gone isn't executing, whatever it wrote last. */
export type Standing = RunState | 'cut off';

/** States in which a process is at work on a run. A dry run and a kept plan hold no lock, so nothing tells of theirs. */
const AT_WORK: ReadonlySet<RunState> = new Set(['planning', 'planned', 'executing', 'executed']);

export async function standingOf(ledger: Pick<Ledger, 'holder'>, run: Run): Promise<Standing> {
  return (await isCutOff(ledger, run)) ? 'cut off' : run.state;
}

/** Whether the process of a run is gone that never came to its end. */
export async function isCutOff(ledger: Pick<Ledger, 'holder'>, run: Run): Promise<boolean> {
  if (!mayBeCutOff(run)) return false;
  const holder = await ledger.holder(run.job, run.connection);
  // Where another run is at work, this one is not: there is one at a time.
  return holder?.run !== run.id;
}

/** Whether a run is in a state in which it needs a process. */
export function mayBeCutOff({ kind, state, prunedAt }: Run): boolean {
  return (kind === 'run' || kind === 'reconcile') && prunedAt === undefined && AT_WORK.has(state);
}
