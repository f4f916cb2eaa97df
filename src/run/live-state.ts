import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run, RunState } from '../ledger/contract/run.js';
import { isUnderWay } from '../model/under-way.js';
import { isAlive } from '../util/process-alive.js';
import { unpackSettings } from './settings.js';

type LooksAtRuns = Pick<Ledger, 'holder' | 'queue' | 'runs'>;

/** A run's state as people are told it. A run whose process died is cut off, whatever state it wrote last. */
export type LiveState = RunState | 'cut off';

export async function liveStateOf(ledger: LooksAtRuns, run: Run): Promise<LiveState> {
  return (await isCutOff(ledger, run)) ? 'cut off' : run.state;
}

/** True when the process of a run died before the run ended, and no worker carries it. */
export async function isCutOff(ledger: LooksAtRuns, run: Run): Promise<boolean> {
  if (!(await isLeftAlone(ledger, run))) return false;
  // Whoever ends a run writes so before letting go of it: the run may have ended since it was read.
  const now = await ledger.runs.get(run.id);
  return now !== undefined && needsProcess(now);
}

/** Nobody is at work on the run, which was not over when it was read. */
async function isLeftAlone(ledger: LooksAtRuns, run: Run): Promise<boolean> {
  if (!needsProcess(run)) return false;
  if (run.step !== undefined) return isStepCutOff(ledger, run);
  if (run.kind === 'dry_run' || run.kind === 'plan') {
    // They hold no lock, because several may be planned at once.
    const { begunBy } = unpackSettings(run.settings);
    return begunBy !== undefined && !isAlive(begunBy);
  }
  const holder = await ledger.holder(run.job, run.scope);
  // Only one run of a job sends at a time: if another one holds the lock, this one is not running.
  if (holder?.run === run.id) return false;
  return (await ledger.queue?.carrying(run.job, run.scope))?.includes(run.id) !== true;
}

/** A step lives and dies with its whole run; one whose turn hasn't come needs nobody. */
async function isStepCutOff(ledger: LooksAtRuns, run: Run): Promise<boolean> {
  if (run.state === 'planning' || run.state === 'planned') return false;
  const whole = run.parent === undefined ? undefined : await ledger.runs.get(run.parent);
  return whole !== undefined && isCutOff(ledger, whole);
}

/**
 * True when the run can only get further with a process. A dry run and a kept plan need one only while they are
 * planned.
 */
function needsProcess({ kind, state, prunedAt }: Run): boolean {
  if (prunedAt !== undefined) return false;
  return isUnderWay(state, kind);
}
