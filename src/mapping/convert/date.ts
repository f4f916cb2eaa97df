import { type Message, message } from '../../errors/message.js';
import { type Field, meansNoValue } from '../../model/field.js';
import { dayShown } from '../../model/row.js';
import {
  compileFormat,
  type DateFormat,
  type FormatReading,
  type IsoReading,
  readIso,
  readYearFirst,
} from '../../util/date-format.js';
import { narrow } from '../../util/text.js';
import type { Instant, LocalMs, Zone } from '../../util/zoned-time.js';
import {
  type CellValue,
  type ConversionFault,
  type Convert,
  type Converted,
  excerpt,
  fault,
  isTooLong,
  tooLong,
  value,
  type Warning,
  withSeen,
} from './conversion.js';
import { trimInvisible } from './text.js';
import { isNoValueText } from './text-errors.js';
import { wholeDigits } from './whole-number.js';

type Read =
  | { readonly kind: 'read'; readonly reading: FormatReading & { readonly kind: 'local' | 'impossible' } }
  | { readonly kind: 'fault'; readonly message: Message };

/**
 * Reads a text by the first of the column's formats that matches. If another format reads it as a different time, the text is
 * ambiguous, which is an error.
 */
function readByFormats(text: string, formats: readonly DateFormat[]): Read {
  let first: { readonly format: DateFormat; readonly reading: FormatReading & { kind: 'local' } } | undefined;
  let impossible = false;
  for (const format of formats) {
    const reading = format.read(text);
    if (reading.kind === 'impossible') impossible = true;
    if (reading.kind !== 'local') continue;
    if (!first) first = { format, reading };
    else if (reading.local !== first.reading.local) {
      return {
        kind: 'fault',
        message: message('mapping.date_ambiguous', {
          text: excerpt(text),
          format: first.format.source,
          date: shown(first.reading.local),
          otherFormat: format.source,
          otherDate: shown(reading.local),
        }),
      };
    }
  }
  if (first) return { kind: 'read', reading: first.reading };
  if (impossible) return { kind: 'read', reading: { kind: 'impossible' } };
  return { kind: 'fault', message: noDate(text, formats) };
}

/** Usual formats that do not begin with the year. */
const OTHER_ORDERS = ['/', '.', '-', ' ']
  .flatMap((sign) =>
    ['d{}M{}yyyy', 'M{}d{}yyyy', 'd{}MMM{}yyyy', 'd{}M{}yy', 'M{}d{}yy'].map((it) =>
      it.replaceAll('{}', sign),
    ),
  )
  .flatMap((it) => [it, `${it} H:mm`, `${it} H:mm:ss`]);

function formatsFor(text: string): readonly string[] {
  return OTHER_ORDERS.filter((it) => {
    const compiled = compileFormat(it);
    return compiled.ok && compiled.format.read(text).kind === 'local';
  });
}

function noDate(text: string, formats: readonly DateFormat[]): Message {
  const params = { text: excerpt(text), format: formats.map((it) => it.source).join(', ') };
  const iso = readIso(text).kind === 'local' && text.length === 10;
  return iso ? message('mapping.not_date_format_iso', params) : message('mapping.not_date_format', params);
}

function shown(local: LocalMs): string {
  const text = new Date(local).toISOString().slice(0, 19);
  return text.endsWith('T00:00:00') ? text.slice(0, 10) : text;
}

/** Licences begin and end in the years 1990 to 2199. Anything outside is a mistake, or a number with another meaning. */
const FIRST_LOCAL: LocalMs = Date.UTC(1990, 0, 1);
const AFTER_LOCAL: LocalMs = Date.UTC(2200, 0, 1);
const DAY_MS = 86_400_000;
/** Day 0 of Excel's serial dates, and its offset in workbooks with the 1904 date system (old Macintosh versions). */
const EXCEL_EPOCH = Date.UTC(1899, 11, 30);
const LATER_ON_MACINTOSH = 1462 * DAY_MS;
/** Date formats that consist of digits only. */
const DIGITS_ALONE = ['yyyyMMdd', 'yyyyMMddHHmm', 'yyyyMMddHHmmss'].map((source) => {
  const compiled = compileFormat(source);
  if (!compiled.ok) throw new Error(source);
  return compiled.format;
});

function isPlausible(local: LocalMs): boolean {
  return local >= FIRST_LOCAL && local < AFTER_LOCAL;
}

interface Count {
  readonly zone: Zone;
  readonly unit: 'milliseconds' | 'seconds';
}

/**
 * Converts a plain number in a date field: a point in time from 1990 to 2199 in the connection's unit, or 0 in a field that
 * allows no date. Any other number is an error that suggests its probable meaning.
 * @param text plain decimal digits
 */
function pointInTime(text: string, field: Field, { zone, unit }: Count): Converted {
  const digits = wholeDigits(text);
  const count = digits === undefined ? Number.NaN : Number(digits);
  if (count === 0 && field.zeroIsNone === true) return value(0);
  if (isPoint(count, unit, zone)) return value(count);
  return fault(faultOf(text, count, { zone, unit }));
}

function isPoint(count: number, unit: Count['unit'], zone: Zone): boolean {
  const ms = unit === 'seconds' ? count * 1000 : count;
  // Near the bounds the time zone decides. Numbers far outside are excluded first, because they are no valid dates.
  if (!(ms > FIRST_LOCAL - DAY_MS && ms < AFTER_LOCAL + DAY_MS)) return false;
  return isPlausible(zone.local(ms));
}

function faultOf(text: string, count: number, { zone, unit }: Count): Message {
  for (const format of DIGITS_ALONE) {
    const reading = format.read(text);
    if (reading.kind === 'local' && isPlausible(reading.local)) {
      const date = isoDay(reading.local);
      return message('mapping.number_is_written_date', { text, date, format: format.source });
    }
  }
  const otherUnit = unit === 'seconds' ? 'milliseconds' : 'seconds';
  if (isPoint(count, otherUnit, zone)) {
    const date = isoDay(zone.local(otherUnit === 'seconds' ? count * 1000 : count));
    return message('mapping.number_in_other_unit', { text, unit, other: otherUnit, date });
  }
  const day = EXCEL_EPOCH + Math.floor(Number(text)) * DAY_MS;
  if (isPlausible(day)) {
    const later = isoDay(day + LATER_ON_MACINTOSH);
    return message('mapping.number_is_excel_day', { text, date: isoDay(day), later });
  }
  return message('mapping.number_is_no_time', { text, unit });
}

function isoDay(local: LocalMs): string {
  return new Date(local).toISOString().slice(0, 10);
}

/** Settings of the connection (§2.8 leaves unit and zone open) and of the column. */
export interface DateSetting {
  readonly zone: Zone;
  readonly unit: 'milliseconds' | 'seconds';
  /** Formats, tried in order. Without any, text is ISO 8601 and a number is a point in time. */
  readonly formats?: readonly DateFormat[] | undefined;
  /** `day`: a date without a time means the last instant of that day. */
  readonly end?: 'day' | undefined;
  /** `ignore`: a time of day that a date cell's format does not show is ignored. */
  readonly time?: 'ignore' | undefined;
}

/** A plain decimal number, in a text cell or a number cell. */
const NUMBER = /^-?\d+(?:\.\d+)?$/;

const CACHED_TEXTS = 4000;
/** Longer texts are times, which seldom recur. Also, a long substring keeps the whole chunk of its file in memory. */
const LONGEST = 12;

/** Converts to a point in time, in the connection's unit (contract section 4). */
export function dateConverter(field: Field, setting: DateSetting): Convert {
  const { formats } = setting;
  const convert = cachedConverter((cell: CellValue): Converted => {
    if (cell.kind === 'date' && cell.hidesTime) return hiddenTime(cell, setting);
    if (cell.kind === 'date') return instantOf(readIso(cell.text), cell.text, setting);
    if (cell.kind !== 'text' && cell.kind !== 'number') {
      return fault(message('mapping.not_date_cell', { text: excerpt(cell.text) }));
    }
    if (isTooLong(cell)) return fault(tooLong(cell));
    const text = narrow(trimInvisible(cell.text));
    if (formats && formats.length > 0) {
      // `0` means "no date", and no format reads it.
      if (text === '0' && field.zeroIsNone === true) return value(0);
      const read = readByFormats(text, formats);
      return read.kind === 'fault' ? fault(read.message) : instantOf(read.reading, text, setting);
    }
    if (NUMBER.test(text)) return pointInTime(text, field, setting);
    const reading = readYearFirst(text);
    if (reading.kind === 'other') return fault(noDateMessage(text, field));
    return instantOf(reading, text, setting);
  });
  // Outside the cache, whose key is the text alone. The text of a date with a hidden time is too long for the cache.
  return (cell) =>
    cell.seen === undefined || cell.hidesTime ? convert(cell) : withSeen(convert(cell), cell);
}

/**
 * Converts a date whose cell hides its time of day. Users see the day, which Excel does not round up: a time just before midnight
 * is shown as the day that ends then. (Noise of less than a millisecond has been rounded away before.)
 */
function hiddenTime(cell: CellValue, setting: DateSetting): Converted {
  const whole = instantOf(readIso(cell.text), cell.text, setting);
  // Version 0.1 sent the time.
  const former = whole.kind === 'value' ? whole.value : undefined;
  if (setting.time !== 'ignore' && setting.end !== 'day') return withSeen(whole, cell);
  const read = dayOf(cell, setting.time);
  if (read.kind === 'fault') return read;
  const converted = instantOf(readIso(read.day), read.day, setting);
  return converted.kind === 'value' ? { ...converted, former, warning: read.warning } : converted;
}

/** The day of an end date whose cell hides a time. */
export function dayOf(
  cell: Pick<CellValue, 'text' | 'hidesTime'>,
  hidden: DateSetting['time'],
): { readonly kind: 'day'; readonly day: string; readonly warning?: Warning } | ConversionFault {
  const day = cell.text.slice(0, 10);
  if (hidden === 'ignore') return { kind: 'day', day };
  const time = cell.text.slice(11);
  if (dayShown(cell) === undefined) return fault(message('mapping.hidden_time', { day, time }));
  const warning: Warning = (place) => message('mapping.hidden_time_dropped', { ...place, day, time });
  return { kind: 'day', day, warning };
}

const NO_END =
  /^(?:长期|永久|終身|终身|无限期|無限期|不限期?|长久|long[- ]term|permanent|perpetual|unlimited|forever)(?:有效)?$/iu;

function noDateMessage(text: string, field: Field): Message {
  const params = { text: excerpt(text) };
  if (meansNoValue('none', field) && !field.required && (NO_END.test(text) || isNoValueText(text)))
    return message('mapping.no_end_date', params);
  const formats = formatsFor(text);
  return formats.length === 0
    ? message('mapping.not_date', params)
    : message('mapping.not_date_proposed', { ...params, formats: formats.join(', ') });
}

function instantOf(reading: IsoReading, text: string, { zone, unit, end }: DateSetting): Converted {
  if (reading.kind === 'other' || reading.kind === 'impossible') {
    return fault(message('mapping.no_such_date', { text: excerpt(text) }));
  }
  const local = reading.kind === 'instant' ? zone.local(reading.ms) : reading.local;
  if (!isPlausible(local)) return fault(message('mapping.unbelievable_date', { text: excerpt(text) }));
  const count = (ms: number): Converted => value(unit === 'seconds' ? Math.floor(ms / 1000) : ms);
  if (reading.kind === 'instant') return count(reading.ms);
  // Programs write midnight for a day without a time, so that `end: day` applies to it too.
  const wholeDay = !reading.timed || local % DAY_MS === 0;
  const isEnd = end === 'day' && wholeDay;
  let instant: Instant;
  if (isEnd) instant = zone.afterDay(local);
  else if (reading.timed) instant = zone.instant(local);
  else instant = zone.startOfDay(local);
  if (instant.kind === 'gap') {
    return fault(message('mapping.skipped_time', { text: excerpt(text), zone: zone.name }));
  }
  return count(isEnd ? instant.ms - 1 : instant.ms);
}

/**
 * Adds a cache for short texts to a slow conversion of recurring values, such as days.
 * @param convert must depend only on the text, for date and text cells
 */
function cachedConverter(convert: Convert): Convert {
  const cache = { date: new Map<string, Converted>(), text: new Map<string, Converted>() };
  return (cell: CellValue): Converted => {
    if ((cell.kind !== 'date' && cell.kind !== 'text') || cell.text.length > LONGEST) return convert(cell);
    const cached = cache[cell.kind];
    let converted = cached.get(cell.text);
    if (!converted) {
      converted = convert(cell);
      if (cached.size >= CACHED_TEXTS) cached.clear();
      cached.set(cell.text, converted);
    }
    return converted;
  };
}
