import { type Message, message } from '../errors/message.js';
import type { Run } from '../ledger/contract/runs.js';
import { EXIT } from '../model/run-outcome.js';
import { coveredUntil, endOfRun, isResumable, type JobHistory, lacksEnd } from './job-history.js';
import { type ScheduledJob, startTime } from './scheduled-job.js';
import { COUNTED_AT_MOST, lastTime, localText, type Missed, missedSince } from './timetable.js';

/**
 * Why a run is started: at its time, for missed times, after an overlapping run, again because the first start created no
 * run, or to resume an interrupted run.
 */
export type StartReason = 'due' | 'missed' | 'queued' | 'again' | 'resumed';

/** A run to start for a due time. */
export interface StartOrder {
  readonly due: number;
  readonly reason: StartReason;
  /** This due time is already recorded as started in the ledger, but has no finished run. */
  readonly claimed?: boolean;
  /** The run to resume instead of starting a new one. */
  readonly resume?: Run;
}

/** The recorded end of a due time that the scheduler does not run itself. */
interface ClosedTime {
  readonly due: number;
  readonly endedAt: number;
  readonly exitCode: number;
  readonly run?: string;
}

export interface StartDecision {
  /** In the order of execution. */
  readonly orders: readonly StartOrder[];
  readonly closed: readonly ClosedTime[];
  readonly notes: readonly Message[];
  /** Due times up to here are processed. */
  readonly doneUntil: number;
}

/** A later start is treated as missed. */
const LATE_MS = 60_000;

export function decideAtStart(job: ScheduledJob, history: JobHistory, now: number): StartDecision {
  const covered = coveredUntil(history, job);
  // The history may be from a clock that was ahead; then nothing was missed yet.
  const since = Math.min(covered ?? now, now);
  const interrupted = decideCutOff(job, history, now);
  const missed = missedSince(job.timetable, since, now);
  if (!missed) return { ...interrupted, doneUntil: since };
  if (startTime(job, missed.newest) > now) {
    // Jitter only delays the start. This one start also covers the older times.
    const before = lastTime(job.timetable, missed.newest - 1) ?? since;
    return { ...interrupted, doneUntil: Math.max(since, before) };
  }
  const made = makeUpFor(job, missed);
  if (made.orders.length === 0)
    return { ...interrupted, notes: [...interrupted.notes, ...made.notes], doneUntil: missed.newest };
  // This run also covers a time without a run.
  const resumed = interrupted.orders.filter((it) => it.resume);
  const again = interrupted.orders.filter((it) => !it.resume);
  return {
    orders: [...resumed, ...made.orders],
    closed: [...interrupted.closed, ...again.map(({ due }) => closedWithoutRun(due, now))],
    notes: [...(again.length > 0 ? [] : interrupted.notes), ...made.notes],
    doneUntil: missed.newest,
  };
}

/** Decides what to do for the last due time if it has no end, or was interrupted by a stop of the scheduler. */
export function decideCutOff(
  job: ScheduledJob,
  history: JobHistory,
  now: number,
): Omit<StartDecision, 'doneUntil'> {
  const { last, lastRun, cutOff, processedElsewhere } = history;
  if (!last || processedElsewhere || !lacksEnd(last)) return { orders: [], closed: [], notes: [] };
  const { due } = last;
  const params = { job: job.name, due: localText(job.timetable.zone, due) };
  const ended = cutOff && !job.isInbox && endOfRun(cutOff);
  if (ended) return { orders: [], closed: [{ due, ...ended }], notes: [] };
  const run = cutOff?.id;
  if (job.schedule.onMissed === 'skip') {
    const note =
      run === undefined
        ? message('schedule.cut_off_skipped', params)
        : message('schedule.cut_off_left', { ...params, run });
    const closed = last.endedAt === undefined ? [closedWithoutRun(due, now, run)] : [];
    return { orders: [], closed, notes: [note] };
  }
  const again: StartOrder = { due, reason: 'again', claimed: true };
  // Every file is a run: the command itself resumes an interrupted one and processes the others.
  if (job.isInbox) return { orders: [again], closed: [], notes: [message('schedule.cut_off_files', params)] };
  if (cutOff && lastRun && lastRun.startedAt > cutOff.startedAt) {
    // Sending the rest of an older input after a newer one would overwrite the newer one.
    const note = message('schedule.cut_off_overtaken', { ...params, run: cutOff.id, newer: lastRun.id });
    return { orders: [], closed: [closedWithoutRun(due, last.endedAt ?? now, cutOff.id)], notes: [note] };
  }
  if (!cutOff || !isResumable(cutOff)) {
    return { orders: [again], closed: [], notes: [message('schedule.cut_off_again', params)] };
  }
  const note = message('schedule.cut_off_resumed', { ...params, run: cutOff.id });
  return { orders: [{ ...again, reason: 'resumed', resume: cutOff }], closed: [], notes: [note] };
}

function closedWithoutRun(due: number, now: number, run?: string): ClosedTime {
  return { due, endedAt: now, exitCode: EXIT.interrupted, run };
}

/** One run for all missed times, or none. */
function makeUpFor(job: ScheduledJob, missed: Missed): Pick<StartDecision, 'orders' | 'notes'> {
  const { zone } = job.timetable;
  const count = missed.count >= COUNTED_AT_MOST ? `${COUNTED_AT_MOST}+` : missed.count;
  const params = {
    job: job.name,
    count,
    oldest: localText(zone, missed.oldest),
    newest: localText(zone, missed.newest),
  };
  return job.schedule.onMissed === 'run'
    ? { orders: [{ due: missed.newest, reason: 'missed' }], notes: [message('schedule.missed_run', params)] }
    : { orders: [], notes: [message('schedule.missed_skipped', params)] };
}

/** Decides for times due since `doneUntil`: one, or several after a sleep or a jump of the clock. */
export function decideDue(job: ScheduledJob, doneUntil: number, now: number): StartDecision {
  const nothing = { orders: [], closed: [], notes: [], doneUntil };
  let newest = lastTime(job.timetable, now);
  if (newest !== undefined && startTime(job, newest) > now) newest = lastTime(job.timetable, newest - 1);
  const missed = newest === undefined ? undefined : missedSince(job.timetable, doneUntil, newest);
  if (!missed) return nothing;
  const { newest: due, count } = missed;
  if (now - startTime(job, due) > LATE_MS) return { ...nothing, ...makeUpFor(job, missed), doneUntil: due };
  const params = { job: job.name, count: count - 1, due: localText(job.timetable.zone, due) };
  const notes = count > 1 ? [message('schedule.missed_covered', params)] : [];
  return { ...nothing, orders: [{ due, reason: 'due' }], notes, doneUntil: due };
}
