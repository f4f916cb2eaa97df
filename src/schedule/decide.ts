import { type Message, message } from '../errors/message.js';
import type { Run } from '../ledger/contract/run.js';
import { EXIT } from '../model/exit-code.js';
import { coveredUntil, endOfRun, isResumable, type JobHistory, lacksEnd } from './job-history.js';
import { type ScheduledJob, startTime } from './scheduled-job.js';
import { COUNTED_AT_MOST, lastTime, localText, type Missed, missedSince } from './timetable.js';

/**
 * Why a run is started: at its time, for missed times, after an overlapping run, again since nothing came of it, or as
 * the rest of a cut-off run.
 */
export type StartReason = 'due' | 'missed' | 'queued' | 'again' | 'resumed';

/** A run to start for a due time. */
export interface StartOrder {
  readonly due: number;
  readonly reason: StartReason;
  /** The ledger already has this due time as taken, but no run came of it. */
  readonly claimed?: boolean;
  /** The run to resume instead of starting a new one. */
  readonly resume?: Run;
}

/** The end that the ledger records for a due time that the scheduler doesn't run itself. */
interface ClosedTime {
  readonly due: number;
  readonly endedAt: number;
  readonly exitCode: number;
  readonly run?: string;
}

export interface StartDecision {
  /** To be carried out in this order. */
  readonly orders: readonly StartOrder[];
  readonly closed: readonly ClosedTime[];
  readonly told: readonly Message[];
  /** Due times up to here are dealt with. */
  readonly doneUntil: number;
}

/** A start up to so many milliseconds late is on time; later, the time was missed. */
const LATE_MS = 60_000;

/** What to do about a job when the scheduler starts, by the job's history in the ledger. */
export function decideAtStart(job: ScheduledJob, memory: JobHistory, now: number): StartDecision {
  const remembered = coveredUntil(memory, job);
  // The history may come from a clock that was ahead; then nothing was missed yet.
  const since = Math.min(remembered ?? now, now);
  const cut = decideCutOff(job, memory, now);
  const missed = missedSince(job.timetable, since, now);
  if (!missed) return { ...cut, doneUntil: since };
  if (startTime(job, missed.newest) > now) {
    // Jitter only delays its start; it also covers the older times.
    const before = lastTime(job.timetable, missed.newest - 1) ?? since;
    return { ...cut, doneUntil: Math.max(since, before) };
  }
  const made = makeUpFor(job, missed);
  if (made.orders.length === 0)
    return { ...cut, told: [...cut.told, ...made.told], doneUntil: missed.newest };
  // The one run also covers a time that no run came of.
  const resumed = cut.orders.filter((it) => it.resume);
  const again = cut.orders.filter((it) => !it.resume);
  return {
    orders: [...resumed, ...made.orders],
    closed: [...cut.closed, ...again.map(({ due }) => closedWithoutRun(due, now))],
    told: [...(again.length > 0 ? [] : cut.told), ...made.told],
    doneUntil: missed.newest,
  };
}

/** What to do about the last due time if it has no end, or was interrupted when a scheduler was stopped. */
export function decideCutOff(
  job: ScheduledJob,
  memory: JobHistory,
  now: number,
): Omit<StartDecision, 'doneUntil'> {
  const { last, lastRun, cutOff, carried } = memory;
  if (!last || carried || !lacksEnd(last)) return { orders: [], closed: [], told: [] };
  const { due } = last;
  const params = { job: job.name, due: localText(job.timetable.zone, due) };
  const ended = cutOff && !job.isInbox && endOfRun(cutOff);
  if (ended) return { orders: [], closed: [{ due, ...ended }], told: [] };
  const run = cutOff?.id;
  if (job.schedule.onMissed === 'skip') {
    const told =
      run === undefined
        ? message('schedule.cut_off_skipped', params)
        : message('schedule.cut_off_left', { ...params, run });
    const closed = last.endedAt === undefined ? [closedWithoutRun(due, now, run)] : [];
    return { orders: [], closed, told: [told] };
  }
  const again: StartOrder = { due, reason: 'again', claimed: true };
  // Every file is a run: the command itself resumes a cut-off one and processes the others.
  if (job.isInbox) return { orders: [again], closed: [], told: [message('schedule.cut_off_files', params)] };
  if (cutOff && lastRun && lastRun.startedAt > cutOff.startedAt) {
    // The rest of an older input, sent after a newer one, would undo the newer one.
    const told = message('schedule.cut_off_overtaken', { ...params, run: cutOff.id, newer: lastRun.id });
    return { orders: [], closed: [closedWithoutRun(due, last.endedAt ?? now, cutOff.id)], told: [told] };
  }
  if (!cutOff || !isResumable(cutOff)) {
    return { orders: [again], closed: [], told: [message('schedule.cut_off_again', params)] };
  }
  const told = message('schedule.cut_off_resumed', { ...params, run: cutOff.id });
  return { orders: [{ ...again, reason: 'resumed', resume: cutOff }], closed: [], told: [told] };
}

function closedWithoutRun(due: number, now: number, run?: string): ClosedTime {
  return { due, endedAt: now, exitCode: EXIT.interrupted, run };
}

/** One run for all missed times, or none. */
function makeUpFor(job: ScheduledJob, missed: Missed): Pick<StartDecision, 'orders' | 'told'> {
  const { zone } = job.timetable;
  const count = missed.count >= COUNTED_AT_MOST ? `${COUNTED_AT_MOST}+` : missed.count;
  const params = {
    job: job.name,
    count,
    oldest: localText(zone, missed.oldest),
    newest: localText(zone, missed.newest),
  };
  return job.schedule.onMissed === 'run'
    ? { orders: [{ due: missed.newest, reason: 'missed' }], told: [message('schedule.missed_run', params)] }
    : { orders: [], told: [message('schedule.missed_skipped', params)] };
}

/** What has become due since `doneUntil`: one time, or several at once after a sleep or a jump of the clock. */
export function decideDue(job: ScheduledJob, doneUntil: number, now: number): StartDecision {
  const nothing = { orders: [], closed: [], told: [], doneUntil };
  let newest = lastTime(job.timetable, now);
  if (newest !== undefined && startTime(job, newest) > now) newest = lastTime(job.timetable, newest - 1);
  const missed = newest === undefined ? undefined : missedSince(job.timetable, doneUntil, newest);
  if (!missed) return nothing;
  const { newest: due, count } = missed;
  if (now - startTime(job, due) > LATE_MS) return { ...nothing, ...makeUpFor(job, missed), doneUntil: due };
  const params = { job: job.name, count: count - 1, due: localText(job.timetable.zone, due) };
  const told = count > 1 ? [message('schedule.missed_covered', params)] : [];
  return { ...nothing, orders: [{ due, reason: 'due' }], told, doneUntil: due };
}
