import { type Message, message } from '../../errors/message.js';
import { dayShown } from '../../model/cell.js';
import { type Field, leavesOut } from '../../model/field.js';
import type { DateFormat } from '../../util/date-format.js';
import { narrow } from '../../util/fold.js';
import { type IsoReading, readIso, readYearFirst } from '../../util/iso-date.js';
import type { Instant, Zone } from '../../util/zoned-time.js';
import {
  type CellValue,
  type Convert,
  type Converted,
  excerpt,
  fault,
  isTooLong,
  tooLong,
  value,
  withSeen,
} from './conversion.js';
import { formatsFor, readByFormats } from './date-formats.js';
import { isPlausible, pointInTime } from './number-as-date.js';
import { trimInvisible } from './text.js';
import { saysNothing } from './text-faults.js';

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

/** A plain decimal number, as text or as a number cell shows it. */
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const DAY_MS = 86_400_000;
const CACHED_TEXTS = 4000;
/**
 * Longer texts are times, which seldom recur. Besides, a long text cut from a chunk of its file keeps the whole chunk in
 * memory.
 */
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
      // No format reads `0` as a date; it says that there is none.
      if (text === '0' && field.zeroIsNone === true) return value(0);
      const read = readByFormats(text, formats);
      return read.kind === 'fault' ? fault(read.message) : instantOf(read.reading, text, setting);
    }
    if (NUMBER.test(text)) return pointInTime(text, field, setting);
    const reading = readYearFirst(text);
    if (reading.kind === 'other') return fault(noDateMessage(text, field));
    return instantOf(reading, text, setting);
  });
  // Beside the cache, which goes by the text alone; the text of a hidden time is too long for it.
  return (cell) =>
    cell.seen === undefined || cell.hidesTime ? convert(cell) : withSeen(convert(cell), cell);
}

/**
 * A date whose cell shows no time of day. The owner of the sheet sees its day, which Excel does not round up: a time just
 * before midnight is shown as the day that ends then. (Noise of less than a millisecond was rounded away before.)
 */
function hiddenTime(cell: CellValue, setting: DateSetting): Converted {
  const day = cell.text.slice(0, 10);
  const time = cell.text.slice(11);
  const whole = instantOf(readIso(cell.text), cell.text, setting);
  // Version 0.1 sent the time.
  const former = whole.kind === 'value' ? whole.value : undefined;
  if (setting.time === 'ignore') {
    const converted = instantOf(readIso(day), day, setting);
    return converted.kind === 'value' ? { ...converted, former } : converted;
  }
  if (setting.end !== 'day') return withSeen(whole, cell);
  if (dayShown(cell) === undefined) return fault(message('mapping.hidden_time', { day, time }));
  const converted = instantOf(readIso(day), day, setting);
  if (converted.kind !== 'value') return converted;
  return {
    ...converted,
    former,
    warning: (place) => message('mapping.hidden_time_dropped', { ...place, day, time }),
  };
}

const NO_END =
  /^(?:长期|永久|終身|终身|无限期|無限期|不限期?|长久|long[- ]term|permanent|perpetual|unlimited|forever)(?:有效)?$/iu;

function noDateMessage(text: string, field: Field): Message {
  const params = { text: excerpt(text) };
  if (leavesOut('none', field) && !field.required && (NO_END.test(text) || saysNothing(text)))
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
  // Programs write midnight for a day without a time; nobody means it as the day's end.
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
 * A conversion with a cache for short texts. For slow conversions of values that recur, such as days.
 * @param convert must depend on nothing but the text, for date and text cells
 */
function cachedConverter(convert: Convert): Convert {
  const cache = { date: new Map<string, Converted>(), text: new Map<string, Converted>() };
  return (cell: CellValue): Converted => {
    if ((cell.kind !== 'date' && cell.kind !== 'text') || cell.text.length > LONGEST) return convert(cell);
    const known = cache[cell.kind];
    let converted = known.get(cell.text);
    if (!converted) {
      converted = convert(cell);
      if (known.size >= CACHED_TEXTS) known.clear();
      known.set(cell.text, converted);
    }
    return converted;
  };
}
