import { type Message, message } from '../errors/message.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run, RunQuery, RunState } from '../ledger/contract/runs.js';
import { isUnderWay } from '../model/run-outcome.js';
import { isAlive } from '../util/process.js';
import { unpackSettings } from './settings.js';

type LooksAtRuns = Pick<Ledger, 'holder' | 'queue' | 'runs'>;

/** A run's state as it is shown. A run whose process exited is cut off, whatever state it wrote last. */
export type LiveState = RunState | 'cut off';

export async function liveStateOf(ledger: LooksAtRuns, run: Run): Promise<LiveState> {
  return (await isCutOff(ledger, run)) ? 'cut off' : run.state;
}

/** True when the process of a run exited before the run ended, and no worker processes it. */
export async function isCutOff(ledger: LooksAtRuns, run: Run): Promise<boolean> {
  if (!(await hasNoProcess(ledger, run))) return false;
  // A run gets its final state before its lock is released: it may have ended since it was read.
  const current = await ledger.runs.get(run.id);
  return current !== undefined && needsProcess(current);
}

/** True if no process works on the run, which had not ended when it was read. */
async function hasNoProcess(ledger: LooksAtRuns, run: Run): Promise<boolean> {
  if (!needsProcess(run)) return false;
  if (run.step !== undefined) return isStepCutOff(ledger, run);
  if (run.kind === 'dry_run' || run.kind === 'plan') {
    // They have no lock, because several may be planned at once.
    const { begunBy } = unpackSettings(run.settings);
    return begunBy !== undefined && !isAlive(begunBy);
  }
  const holder = await ledger.holder(run.job, run.scope);
  // Only one run of a job sends at a time: if another one has the lock, this one is not running.
  if (holder?.run === run.id) return false;
  return (await ledger.queue?.runsInQueue(run.job, run.scope))?.includes(run.id) !== true;
}

/** A step is cut off with its whole run; a step whose turn has not come needs no process. */
async function isStepCutOff(ledger: LooksAtRuns, run: Run): Promise<boolean> {
  if (run.state === 'planning' || run.state === 'planned') return false;
  const parent = run.parent === undefined ? undefined : await ledger.runs.get(run.parent);
  return parent !== undefined && isCutOff(ledger, parent);
}

/** True if the run needs a process to continue. A dry run and a stored plan need one only while they are planned. */
function needsProcess({ kind, state, prunedAt }: Run): boolean {
  return prunedAt === undefined && isUnderWay(state, kind);
}

/** A run of the same job whose process exited before the run ended. */
export interface CutOffRun {
  readonly run: string;
  readonly input: string;
  /** Rows that may have been executed and were not reported. */
  readonly unknown: number;
  readonly notSent: number;
}

type JobOnPlatform = Pick<RunQuery, 'job' | 'connection' | 'scope'>;

/**
 * The job's runs that were cut off and never resumed, newest first. A new run must report them; after it, their unknown
 * rows would be forgotten.
 * @param except the run that reports them
 */
export async function cutOffRuns(
  ledger: Ledger,
  { job, connection, scope }: JobOnPlatform,
  except?: string,
): Promise<readonly CutOffRun[]> {
  const found: CutOffRun[] = [];
  for (const run of await ledger.runs.listOf({ job, connection, scope, unended: true })) {
    if (run.id === except || run.kind !== 'run' || !(await isCutOff(ledger, run))) continue;
    const { unknown = 0, not_sent: notSent = 0 } = await ledger.runs.counts(run.id);
    found.push({ run: run.id, input: run.inputFile, unknown, notSent });
  }
  return found;
}

/** The cut-off runs that have unknown rows. */
export async function findUncertainRuns(
  ledger: Ledger,
  job: JobOnPlatform,
  except?: string,
): Promise<readonly CutOffRun[]> {
  return (await cutOffRuns(ledger, job, except)).filter((run) => run.unknown > 0);
}

/** A new run's warnings: one for each cut-off run with unknown rows, and one for the newest in any case. */
export function cutOffWarnings(runs: readonly CutOffRun[]): readonly Message[] {
  return runs.flatMap((run, index) => {
    if (run.unknown > 0) return [uncertainRunsWarning(run)];
    const { run: id, input, notSent } = run;
    return index === 0 && notSent > 0
      ? [message('run.cut_off_unsent', { run: id, input, rows: notSent })]
      : [];
  });
}

export function uncertainRunsWarning({ run, input, unknown }: CutOffRun): Message {
  return message('run.cut_off_unknown', { run, input, rows: unknown });
}
