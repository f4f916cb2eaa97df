import type { CronTimes } from '../util/cron.js';
import type { LocalMs, Zone } from '../util/zoned-time.js';

/**
 * The instants at which a job is due. Every wall-clock time of the expression is due once: at its first instant if clocks
 * show it twice, and at the moment of the change if clocks skip it, so that a nightly job is never lost. Several times that
 * fall on the change are due once. All times are milliseconds since 1970.
 */
export interface Timetable {
  readonly cron: CronTimes;
  readonly zone: Zone;
}

/** Maximum number of missed times that are counted. */
export const COUNTED_AT_MOST = 1000;

/** The times after an instant, ascending, unlimited. */
export function* timesAfter({ cron, zone }: Timetable, after: number): Generator<number> {
  // Instants ascend with wall-clock times, so no wall-clock time before the current one can still be due.
  let local: LocalMs | undefined = zone.local(after);
  for (let last = after; ; ) {
    local = cron.after(local);
    if (local === undefined) return;
    const due = zone.firstFrom(local);
    if (due > last) yield due;
    last = Math.max(last, due);
  }
}

export function nextTimes(timetable: Timetable, after: number, count: number): readonly number[] {
  const found: number[] = [];
  for (const due of timesAfter(timetable, after)) {
    if (found.length >= count) break;
    found.push(due);
  }
  return found;
}

/** The first time after an instant; undefined beyond the end of the calendar. */
export function nextTime(timetable: Timetable, after: number): number | undefined {
  return nextTimes(timetable, after, 1)[0];
}

/** The newest time that is not after an instant. */
export function lastTime({ cron, zone }: Timetable, until: number): number | undefined {
  let local = cron.before(zone.local(until) + 1);
  if (local === undefined) return undefined;
  // While clocks repeat an hour, its later wall-clock times have already been due.
  for (let later = cron.after(local); later !== undefined; later = cron.after(later)) {
    if (zone.firstFrom(later) > until) break;
    local = later;
  }
  return zone.firstFrom(local);
}

export interface Missed {
  readonly oldest: number;
  readonly newest: number;
  /** At most `COUNTED_AT_MOST`. */
  readonly count: number;
}

/** The times in `(since, until]`; undefined if there are none. */
export function missedSince(timetable: Timetable, since: number, until: number): Missed | undefined {
  const newest = lastTime(timetable, until);
  if (newest === undefined || newest <= since) return undefined;
  let oldest = newest;
  let count = 0;
  for (const due of timesAfter(timetable, since)) {
    if (due > newest || count >= COUNTED_AT_MOST) break;
    if (count === 0) oldest = due;
    count += 1;
  }
  return { oldest, newest, count };
}

const MINUTE = 60_000;

/** `2026-11-22 02:00 +08:00`, with seconds if not zero. The offset makes repeated wall-clock times unambiguous. */
export function localText(zone: Zone, ms: number): string {
  const local = zone.local(ms);
  const iso = new Date(local).toISOString();
  const time = local % MINUTE === 0 ? iso.slice(11, 16) : iso.slice(11, 19);
  return `${iso.slice(0, 10)} ${time} ${offsetText(local - ms)}`;
}

function offsetText(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / MINUTE);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
