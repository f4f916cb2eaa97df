const DAY = 86_400_000;
const CACHED_DAYS = 20_000;

/**
 * A wall-clock time without a zone, as the milliseconds that `Date.UTC` gives for its year, month, day and time.
 * Arithmetic on it is plain; only a `Zone` turns it into an instant.
 */
export type LocalMs = number;

export type Instant = { readonly kind: 'instant'; readonly ms: number } | { readonly kind: 'gap' };

/** Turns wall-clock times of one time zone into instants. */
export interface Zone {
  readonly name: string;
  /** The earlier instant if clocks show a time twice; `gap` if they skip it. */
  instant(local: LocalMs): Instant;
  /** First instant of the day that contains `local`, also if clocks skip midnight; `gap`: the zone has no such day. */
  startOfDay(local: LocalMs): Instant;
  /** First instant after the day that contains `local`; `gap`: the zone has no such day. */
  afterDay(local: LocalMs): Instant;
  /** First instant at which clocks show `local` or later: if they skip it, the moment of the change. */
  firstFrom(local: LocalMs): number;
  /** The wall-clock time at an instant. */
  local(ms: number): LocalMs;
}

/** Available without Intl, whose first call takes 25 ms, which a run without dates need not wait for. */
const KNOWN: ReadonlySet<string> = new Set(['Asia/Shanghai', 'UTC']);

/** The zone of an IANA name; undefined when there is none of that name. */
export function zone(name: string): Zone | undefined {
  if (KNOWN.has(name)) return new CachedZone(name, () => formatIn(name));
  try {
    const format = formatIn(name);
    return new CachedZone(name, () => format);
  } catch {
    return undefined;
  }
}

/** An instant as texts show it: `2026-11-21 10:03:11 Asia/Shanghai`. An unknown zone is read as UTC. */
export function zonedText(ms: number, name: string): string {
  const found = zone(name);
  const local = new Date(found ? found.local(ms) : ms).toISOString().slice(0, 19).replace('T', ' ');
  return `${local} ${found ? name : 'UTC'}`;
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}

/** The local time of calendar fields, `month` 1 to 12; undefined for a day or time that does not exist. */
export function localTime(
  year: number,
  month: number,
  day: number,
  hour = 0,
  minute = 0,
  second = 0,
  millisecond = 0,
): LocalMs | undefined {
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(0);
  // Date.UTC reads years below 100 as 19xx.
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000 + millisecond;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

class CachedZone implements Zone {
  readonly name: string;
  readonly #makeFormat: () => Intl.DateTimeFormat;
  #format: Intl.DateTimeFormat | undefined;
  /** By local day: its offset, or `changes` if clocks change on or next to it. Intl is slow, and days repeat. */
  readonly #days = new Map<number, number | 'changes'>();

  constructor(name: string, makeFormat: () => Intl.DateTimeFormat) {
    this.name = name;
    this.#makeFormat = makeFormat;
  }

  instant(local: LocalMs): Instant {
    const steady = this.#steadyOffset(local);
    if (steady !== 'changes') return { kind: 'instant', ms: local - steady };
    const fitting = this.#offsetsAround(local).filter((offset) => this.#offsetAt(local - offset) === offset);
    if (fitting.length === 0) return { kind: 'gap' };
    return { kind: 'instant', ms: local - Math.max(...fitting) };
  }

  startOfDay(local: LocalMs): Instant {
    const midnight = Math.floor(local / DAY) * DAY;
    const ms = this.firstFrom(midnight);
    return this.local(ms) < midnight + DAY ? { kind: 'instant', ms } : { kind: 'gap' };
  }

  afterDay(local: LocalMs): Instant {
    const midnight = Math.floor(local / DAY) * DAY;
    if (this.startOfDay(midnight).kind === 'gap') return { kind: 'gap' };
    return { kind: 'instant', ms: this.firstFrom(midnight + DAY) };
  }

  local(ms: number): LocalMs {
    const steady = this.#steadyOffset(ms);
    return ms + (steady === 'changes' ? this.#offsetAt(ms) : steady);
  }

  firstFrom(local: LocalMs): number {
    const exact = this.instant(local);
    if (exact.kind === 'instant') return exact.ms;
    // The clock change is between these two.
    const offsets = this.#offsetsAround(local);
    let before = local - Math.max(...offsets) - 1;
    let after = local - Math.min(...offsets);
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (middle + this.#offsetAt(middle) >= local) after = middle;
      else before = middle;
    }
    return after;
  }

  #offsetsAround(local: LocalMs): number[] {
    return [...new Set([this.#offsetAt(local - DAY), this.#offsetAt(local + DAY)])];
  }

  /** The single offset around the day of a local time or an instant (they differ by less than a day). */
  #steadyOffset(time: number): number | 'changes' {
    const day = Math.floor(time / DAY);
    const known = this.#days.get(day);
    if (known !== undefined) return known;
    const before = this.#offsetAt((day - 1) * DAY);
    const found = before === this.#offsetAt((day + 2) * DAY) ? before : 'changes';
    if (this.#days.size >= CACHED_DAYS) this.#days.clear();
    this.#days.set(day, found);
    return found;
  }

  /** Wall clock minus UTC at an instant, in milliseconds. */
  #offsetAt(ms: number): number {
    let year = 0;
    let month = 0;
    let day = 0;
    let time = 0;
    this.#format ??= this.#makeFormat();
    for (const { type, value } of this.#format.formatToParts(ms)) {
      if (type === 'year') year = Number(value);
      else if (type === 'month') month = Number(value);
      else if (type === 'day') day = Number(value);
      else if (type === 'hour') time += Number(value) * 3_600_000;
      else if (type === 'minute') time += Number(value) * 60_000;
      else if (type === 'second') time += Number(value) * 1000;
    }
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    return date.getTime() + time - Math.floor(ms / 1000) * 1000;
  }
}
