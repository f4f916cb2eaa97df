import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run, RunState } from '../ledger/contract/run.js';
import { NEEDS_PROCESS } from '../ledger/rules/run-states.js';
import { isAlive } from '../util/process-alive.js';
import { unpackSettings } from './settings.js';

/** Where a run stands as people are told: one whose process is gone isn't executing, whatever it wrote last. */
export type LiveState = RunState | 'cut off';

export async function liveStateOf(ledger: Pick<Ledger, 'holder'>, run: Run): Promise<LiveState> {
  return (await isCutOff(ledger, run)) ? 'cut off' : run.state;
}

/** Whether the process of a run is gone that never came to its end. */
export async function isCutOff(ledger: Pick<Ledger, 'holder'>, run: Run): Promise<boolean> {
  if (!needsProcess(run)) return false;
  if (run.kind === 'dry_run' || run.kind === 'plan') {
    // They hold no lock, as several may go on at once.
    const { begunBy } = unpackSettings(run.settings);
    return begunBy !== undefined && !isAlive(begunBy);
  }
  const holder = await ledger.holder(run.job, run.connection);
  // Where another run is at work, this one is not: there is one at a time.
  return holder?.run !== run.id;
}

/** Whether a run is in a state in which it needs a process; a dry run and a kept plan only while they are planned. */
function needsProcess({ kind, state, prunedAt }: Run): boolean {
  if (prunedAt !== undefined) return false;
  return kind === 'run' || kind === 'reconcile' ? NEEDS_PROCESS.includes(state) : state === 'planning';
}
