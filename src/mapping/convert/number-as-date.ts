import { type Message, message } from '../../errors/message.js';
import type { Field } from '../../model/field.js';
import { compileFormat } from '../../util/date-format.js';
import type { LocalMs, Zone } from '../../util/zoned-time.js';
import { type Converted, fault, value } from './conversion.js';
import { wholeDigits } from './whole-number.js';

/** Licences begin and end in these years. Anything outside is a mistake, or a number with another meaning. */
const FIRST_LOCAL: LocalMs = Date.UTC(1990, 0, 1);
const AFTER_LOCAL: LocalMs = Date.UTC(2200, 0, 1);
const DAY_MS = 86_400_000;
/** Day 0 of Excel's serial dates; and so much later it is in workbooks that began on an old Macintosh. */
const EXCEL_EPOCH = Date.UTC(1899, 11, 30);
const LATER_ON_MACINTOSH = 1462 * DAY_MS;
/** Date formats that consist of digits only. */
const DIGITS_ALONE = ['yyyyMMdd', 'yyyyMMddHHmm', 'yyyyMMddHHmmss'].map((source) => {
  const compiled = compileFormat(source);
  if (!compiled.ok) throw new Error(source);
  return compiled.format;
});

/** Whether a wall-clock time lies in the years 1990 to 2199. */
export function isPlausible(local: LocalMs): boolean {
  return local >= FIRST_LOCAL && local < AFTER_LOCAL;
}

interface Count {
  readonly zone: Zone;
  readonly unit: 'milliseconds' | 'seconds';
}

/**
 * Converts a plain number in a date field: a point in time from 1990 to 2199 in the connection's unit, or 0 in a field
 * that may have no date. Any other number is a fault that says what it looks like.
 * @param text plain decimal digits
 */
export function pointInTime(text: string, field: Field, { zone, unit }: Count): Converted {
  const digits = wholeDigits(text);
  const count = digits === undefined ? Number.NaN : Number(digits);
  if (count === 0 && field.zeroIsNone === true) return value(0);
  if (isPoint(count, unit, zone)) return value(count);
  return fault(faultOf(text, count, { zone, unit }));
}

function isPoint(count: number, unit: Count['unit'], zone: Zone): boolean {
  const ms = unit === 'seconds' ? count * 1000 : count;
  // Close to the bounds the zone decides. Numbers far outside must not reach it, as no calendar has them.
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
  const other = unit === 'seconds' ? 'milliseconds' : 'seconds';
  if (isPoint(count, other, zone)) {
    const date = isoDay(zone.local(other === 'seconds' ? count * 1000 : count));
    return message('mapping.number_in_other_unit', { text, unit, other, date });
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
