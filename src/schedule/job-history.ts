import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run, RunState } from '../ledger/contract/runs.js';
import type { ScheduledTime, SchedulePause } from '../ledger/contract/schedule.js';
import { EXIT } from '../model/run-outcome.js';
import type { ScheduledJob } from './scheduled-job.js';

/** The history of a job in the ledger. */
export interface JobHistory {
  /** The newest due time that a scheduler started. */
  readonly last?: ScheduledTime;
  /** The newest run of the job on its connection, however it was started; without retries, which read no new input. */
  readonly lastRun?: Run;
  /** The run of `last`, if it was interrupted. */
  readonly cutOff?: Run;
  /** End of the job's last pause. */
  readonly continuedAt?: number;
  /** Set while the job is paused. */
  readonly pause?: SchedulePause;
  /** Another scheduler is processing `last`. */
  readonly processedElsewhere?: boolean;
}

/**
 * Reads a job's history.
 * @param ledger undefined if there is none yet: the history is empty
 * @throws ProductError errors of the ledger
 */
export async function readHistory(
  ledger: Pick<Ledger, 'runs' | 'schedule'> | undefined,
  { name, connection, scope }: Pick<ScheduledJob, 'name' | 'connection' | 'scope'>,
): Promise<JobHistory> {
  if (!ledger) return {};
  const last = await ledger.schedule.last(name);
  const lastRun = await newestRun(ledger, { job: name, connection, scope });
  const cutOff = last && lacksEnd(last) ? await runOf(ledger, last, lastRun) : undefined;
  const pause = await ledger.schedule.paused(name);
  const continuedAt = pause?.continuedAt;
  return { last, lastRun, cutOff, continuedAt, pause: continuedAt === undefined ? pause : undefined };
}

async function newestRun(
  { runs }: Pick<Ledger, 'runs'>,
  of: { readonly job: string; readonly connection: string; readonly scope: string },
): Promise<Run | undefined> {
  const newest = await runs.lastOf(of);
  if (newest?.parent === undefined) return newest;
  return (await runs.listOf(of)).find((it) => it.parent === undefined);
}

/** True if the due time has no end (its scheduler crashed), or was interrupted (its scheduler was stopped). */
export function lacksEnd(last: ScheduledTime): boolean {
  return last.endedAt === undefined || last.exitCode === EXIT.interrupted;
}

async function runOf(
  ledger: Pick<Ledger, 'runs'>,
  last: ScheduledTime,
  lastRun: Run | undefined,
): Promise<Run | undefined> {
  if (last.run !== undefined) return ledger.runs.get(last.run);
  return lastRun && lastRun.startedAt >= last.begunAt ? lastRun : undefined;
}

const RESUMABLE: ReadonlySet<RunState> = new Set([
  'planning',
  'planned',
  'executing',
  'interrupted',
  'executed',
]);

/**
 * True if `resume` may continue the run unattended. Not after a safety limit stopped it, which a person must check. A
 * reconciliation is run again instead.
 */
export function isResumable(run: Run): boolean {
  return run.kind === 'run' && run.prunedAt === undefined && RESUMABLE.has(run.state);
}

/** The exit code of a run that was killed before it recorded one. */
const ENDED: Partial<Readonly<Record<RunState, number>>> = {
  completed: EXIT.ok,
  stopped: EXIT.safety,
  invalid: EXIT.input,
};

/** The end of a run; undefined while it may continue. */
export function endOfRun(
  run: Run,
): { readonly endedAt: number; readonly exitCode: number; readonly run: string } | undefined {
  const exitCode = ENDED[run.state];
  if (exitCode === undefined) return undefined;
  return { endedAt: run.endedAt ?? run.startedAt, exitCode: run.exitCode ?? exitCode, run: run.id };
}

/** The instant up to which no due time was missed; undefined for a job that never ran. */
export function coveredUntil(
  { last, lastRun, continuedAt }: JobHistory,
  job: ScheduledJob,
): number | undefined {
  if (!last && !lastRun) return undefined;
  const times = [lastRun?.startedAt ?? 0, last?.due ?? 0, last?.begunAt ?? 0, continuedAt ?? 0];
  // Times during a run were skipped on purpose.
  if (job.schedule.onOverlap === 'skip') times.push(last?.endedAt ?? 0);
  return Math.max(...times);
}
