/**
 * Due times worked out manually, minute by minute and without any library: what the timetable is compared with. The
 * expressions that it knows are lists, ranges and steps of numbers.
 */
export interface Fields {
  readonly minute: string;
  readonly hour: string;
  readonly day: string;
  readonly month: string;
  readonly weekday: string;
}

const MINUTE = 60_000;
const HALF_HOUR = 30 * MINUTE;
const BOUNDS = { minute: [0, 59], hour: [0, 23], day: [1, 31], month: [1, 12], weekday: [0, 7] } as const;

export function cronText({ minute, hour, day, month, weekday }: Fields): string {
  return [minute, hour, day, month, weekday].join(' ');
}

function numbers(field: string, [from, to]: readonly [number, number]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const part of field.split(',')) {
    const [range = '', step = '1'] = part.split('/');
    const [low, high] = range === '*' ? [from, to] : range.split('-').map(Number);
    for (let value = low ?? from; value <= (high ?? low ?? to); value += Number(step)) found.add(value);
  }
  return found;
}

/** Whether a wall-clock time fits: with both day fields given, either will do. */
export function matcher(fields: Fields): (local: number) => boolean {
  const minutes = numbers(fields.minute, BOUNDS.minute);
  const hours = numbers(fields.hour, BOUNDS.hour);
  const days = numbers(fields.day, BOUNDS.day);
  const months = numbers(fields.month, BOUNDS.month);
  const weekdays = new Set([...numbers(fields.weekday, BOUNDS.weekday)].map((it) => it % 7));
  const either = fields.day !== '*' && fields.weekday !== '*';
  return (local) => {
    const minute = Math.floor(local / MINUTE);
    if (!minutes.has(minute % 60) || !hours.has(Math.floor(minute / 60) % 24)) return false;
    const time = new Date(local);
    if (!months.has(time.getUTCMonth() + 1)) return false;
    const [byDay, byWeekday] = [days.has(time.getUTCDate()), weekdays.has(time.getUTCDay())];
    return either ? byDay || byWeekday : byDay && byWeekday;
  };
}

/** Offsets from UTC of a zone, one for each half hour, as Intl shows the wall clock. */
export function offsets(zone: string, from: number, to: number): readonly number[] {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const found: number[] = [];
  for (let at = from; at < to; at += HALF_HOUR) {
    found.push(Date.parse(`${format.format(at).replace(' ', 'T')}Z`) - at);
  }
  return found;
}

/**
 * Every due time in `[from, to)`, which begin on a half hour: a wall-clock time counts when it is first shown, and
 * one that clocks skip counts when they are changed.
 */
export function dueTimes(
  fits: (local: number) => boolean,
  all: readonly number[],
  from: number,
): readonly number[] {
  const found: number[] = [];
  let shown = from + (all[0] ?? 0) - MINUTE;
  all.forEach((offset, index) => {
    for (let minute = 0; minute < 30; minute += 1) {
      const at = from + index * HALF_HOUR + minute * MINUTE;
      const local = at + offset;
      let due = false;
      for (; shown < local; shown += MINUTE) due ||= fits(shown + MINUTE);
      if (due) found.push(at);
    }
  });
  return found;
}
