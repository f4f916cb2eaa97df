const DAY_MS = 86_400_000;
/** Day 0 in milliseconds since 1970, for every serial after the 29th of February 1900, which did not exist. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
const DAYS_1904 = 1462;
/** 9999-12-31 is the last day that Excel shows. */
const LAST_DAY = 2_958_466;
/** Number of cached day texts: almost ninety years. */
const KEPT_DAYS = 1 << 15;

type SerialText =
  | { readonly kind: 'date'; readonly text: string }
  /** A time of day without a date. */
  | { readonly kind: 'time'; readonly text: string }
  /** No day has this number: it is negative, or after 9999. */
  | { readonly kind: 'none' };

/**
 * A serial as date text, `yyyy-MM-dd` or `yyyy-MM-ddTHH:mm:ss[.SSS]`, rounded to the millisecond.
 * @param serial days since the workbook's epoch.
 * @param clock the format shows only a time of day; a serial of one day or more is still a date
 */
export function serialText(serial: number, date1904: boolean, clock: boolean): SerialText {
  if (!(serial >= 0)) return { kind: 'none' };
  const ms = Math.round(serial * DAY_MS);
  const day = Math.floor(ms / DAY_MS);
  const time = ms - day * DAY_MS;
  // Day 0 of the 1900 system is not a calendar day.
  if (day === 0 && (clock || !date1904)) return { kind: 'time', text: timeText(time) };
  if (day + (date1904 ? DAYS_1904 : 0) >= LAST_DAY) return { kind: 'none' };
  const date = dayText(day, date1904);
  return { kind: 'date', text: time === 0 ? date : `${date}T${timeText(time)}` };
}

/** Cached day texts by day number in the 1900 system: a column has few distinct days, and formatting is slow. */
const DAY_TEXTS = new Map<number, string>();

function dayText(day: number, date1904: boolean): string {
  const in1900 = date1904 ? day + DAYS_1904 : day;
  let text = DAY_TEXTS.get(in1900);
  if (text === undefined) {
    text = writtenDay(in1900);
    if (DAY_TEXTS.size === KEPT_DAYS) DAY_TEXTS.clear();
    DAY_TEXTS.set(in1900, text);
  }
  return text;
}

function writtenDay(day: number): string {
  // The 1900 system has a 29th of February 1900, which did not exist. Its text is as in Excel; no field accepts it.
  if (day === 60) return '1900-02-29';
  const shift = day < 60 ? 1 : 0;
  return new Date(EPOCH_MS + (day + shift) * DAY_MS).toISOString().slice(0, 10);
}

/** `08:30:00`, with `.123` when there are milliseconds. */
function timeText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const text = `${twoDigits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
  const rest = ms % 1000;
  return rest === 0 ? text : `${text}.${String(rest).padStart(3, '0')}`;
}

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : String(number);
}

/** An elapsed time, `30:15:00`; undefined if its milliseconds are too many for a double. */
export function durationText(serial: number): string | undefined {
  const ms = Math.round(Math.abs(serial) * DAY_MS);
  if (!Number.isSafeInteger(ms)) return undefined;
  const hours = Math.floor(ms / 3_600_000);
  const rest = timeText(ms - hours * 3_600_000).slice(3);
  const sign = serial < 0 && ms > 0 ? '-' : '';
  return `${sign}${String(hours).padStart(2, '0')}:${rest}`;
}

const ISO = /^(?:(\d{4,5}-\d\d-\d\d))?(?:[T ]?(\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?Z?$/;

/**
 * A cell of type `d` (ISO 8601) in the form of `serialText`; `none` for other text and for a text with an offset, as
 * cells of a workbook have no time zone.
 */
export function isoText(text: string): SerialText {
  const parts = ISO.exec(text.trim());
  const [, day, clock] = parts ?? [];
  if (!day && !clock) return { kind: 'none' };
  const time = clock === undefined ? undefined : isoTime(clock);
  if (!day) return { kind: 'time', text: time! };
  return { kind: 'date', text: time === undefined || time === '00:00:00' ? day : `${day}T${time}` };
}

function isoTime(clock: string): string {
  const [whole = '', fraction] = clock.split('.');
  const seconds = whole.length === 5 ? `${whole}:00` : whole;
  if (!fraction || /^0*$/.test(fraction)) return seconds;
  const ms = fraction.slice(0, 3).padEnd(3, '0');
  return ms === '000' ? seconds : `${seconds}.${ms}`;
}
