/** A day, perhaps with a time of day, as it stands on a wall in Shanghai. */
export interface Moment {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Seconds since midnight; absent where only a day is meant. */
  readonly seconds?: number;
}

export type Unit = 'milliseconds' | 'seconds';

const DAY = 86_400_000;
/** Shanghai has had one offset from UTC since 1992. */
const SHANGHAI = 8 * 3_600_000;

const two = (number: number): string => String(number).padStart(2, '0');

/** Milliseconds as if Shanghai were at Greenwich. */
function local({ year, month, day, seconds = 0 }: Moment): number {
  return Date.UTC(year, month - 1, day) + seconds * 1000;
}

/** What a Long field must contain. An end without a time is the last instant of its day. */
export function pointOfTime(moment: Moment, unit: Unit, end: boolean): number {
  const wholeDay = moment.seconds === undefined;
  const instant = local(moment) - SHANGHAI + (end && wholeDay ? DAY - 1 : 0);
  return unit === 'seconds' ? Math.floor(instant / 1000) : instant;
}

/** Excel's number for it. */
export function serial(moment: Moment, date1904: boolean): number {
  const days = (local(moment) - Date.UTC(1899, 11, 30)) / DAY;
  return date1904 ? days - 1462 : days;
}

export function isoDay({ year, month, day }: Moment): string {
  return `${year}-${two(month)}-${two(day)}`;
}

export function clock(moment: Moment): string {
  const { seconds = 0 } = moment;
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

export function iso(moment: Moment): string {
  return moment.seconds === undefined ? isoDay(moment) : `${isoDay(moment)}T${clock(moment)}`;
}

/** `2026/1/5`, as Excel shows a day in Chinese and most other settings. */
export function slashed({ year, month, day }: Moment): string {
  return `${year}/${month}/${day}`;
}

/** `2026/01/05`. */
export function paddedSlashes({ year, month, day }: Moment): string {
  return `${year}/${two(month)}/${two(day)}`;
}

/** `20260105`. */
export function packed({ year, month, day }: Moment): string {
  return `${year}${two(month)}${two(day)}`;
}

export function chinese({ year, month, day }: Moment): string {
  return `${year}年${month}月${day}日`;
}
