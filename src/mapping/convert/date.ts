import { message } from '../../errors/message.js';
import type { Field } from '../../model/field.js';
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
} from './conversion.js';
import type { DateFormat } from './date-format.js';
import { readByFormats } from './date-formats.js';
import { type IsoReading, readIso } from './iso-date.js';
import { isBelievable, pointInTime } from './point-in-time.js';
import { remembering } from './remembering.js';
import { narrow, trimInvisible } from './text.js';

/** Of the connection (§2.8 leaves unit and zone open), and of the column. */
export interface DateSetting {
  readonly zone: Zone;
  readonly unit: 'milliseconds' | 'seconds';
  /** How dates are written here, tried in order; without any, text is ISO 8601 and a number a point in time. */
  readonly formats?: readonly DateFormat[] | undefined;
  /** `day`: a date without a time is the last instant of its day. */
  readonly end?: 'day' | undefined;
}

/** A plain decimal number, as text or as a number cell shows it. */
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const DAY_MS = 86_400_000;

/** A point in time as the connection counts it (contract section 4). */
export function dateConverter(field: Field, setting: DateSetting): Convert {
  const { formats } = setting;
  return remembering((cell: CellValue): Converted => {
    if (cell.kind === 'date') return placed(readIso(cell.text), cell.text, setting);
    if (cell.kind !== 'text' && cell.kind !== 'number') {
      return fault(message('mapping.not_date_cell', { text: excerpt(cell.text) }));
    }
    if (isTooLong(cell)) return fault(tooLong(cell));
    const text = narrow(trimInvisible(cell.text));
    if (formats && formats.length > 0) {
      // There is no other way to read it, and it says that there is no date.
      if (text === '0' && field.zeroIsNone === true) return value(0);
      const read = readByFormats(text, formats);
      return read.kind === 'fault' ? fault(read.message) : placed(read.reading, text, setting);
    }
    if (NUMBER.test(text)) return pointInTime(text, field, setting);
    const iso = readIso(text);
    if (iso.kind === 'other') return fault(message('mapping.not_date', { text: excerpt(text) }));
    return placed(iso, text, setting);
  });
}

function placed(reading: IsoReading, text: string, { zone, unit, end }: DateSetting): Converted {
  if (reading.kind === 'other' || reading.kind === 'impossible') {
    return fault(message('mapping.no_such_date', { text: excerpt(text) }));
  }
  const local = reading.kind === 'instant' ? zone.local(reading.ms) : reading.local;
  if (!isBelievable(local)) return fault(message('mapping.unbelievable_date', { text: excerpt(text) }));
  const count = (ms: number): Converted => value(unit === 'seconds' ? Math.floor(ms / 1000) : ms);
  if (reading.kind === 'instant') return count(reading.ms);
  // Midnight is what programs write for a day without a time; as a time of its end nobody means it.
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
