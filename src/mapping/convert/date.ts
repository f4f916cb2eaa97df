import { message } from '../../errors/message.js';
import type { Instant, Zone } from '../../util/zoned-time.js';
import { type CellValue, type Convert, type Converted, excerpt, fault, value } from './conversion.js';
import type { DateFormat } from './date-format.js';
import { type IsoReading, readIso } from './iso-date.js';
import { remembering } from './remembering.js';
import { narrow, trimInvisible } from './text.js';
import { wholeNumberConverter } from './whole-number.js';

export interface DateOptions {
  readonly zone: Zone;
  readonly unit: 'milliseconds' | 'seconds';
  /** How text dates are written beside ISO 8601. */
  readonly format?: DateFormat | undefined;
  /** `day`: the last instant of the date's day. */
  readonly end?: 'day' | undefined;
}

/**
 * A point in time as the connection counts it: from date cells, from text by `format` or ISO 8601, and from plain
 * numbers as they are (contract section 4). §2.8 leaves unit and zone open, so both come from the connection.
 */
export function dateConverter(options: DateOptions): Convert {
  const { format } = options;
  const plainNumber = wholeNumberConverter('Long');
  // `end: day` says that the column holds days: a bare 20260131 would be sent as an instant of 1970.
  const number: Convert = (cell) => {
    const read = plainNumber(cell);
    if (read.kind !== 'value' || options.end === undefined) return read;
    return fault(message('mapping.end_of_number', { text: excerpt(cell.text) }));
  };
  const place = (reading: IsoReading, text: string): Converted => placed(reading, text, options);
  return remembering((cell: CellValue): Converted => {
    if (cell.kind === 'date') return place(readIso(cell.text), cell.text);
    if (cell.kind === 'number') {
      return format?.digitsOnly ? byFormat(cell.text, format, place) : number(cell);
    }
    if (cell.kind !== 'text') return fault(message('mapping.not_date_cell', { text: excerpt(cell.text) }));
    const text = narrow(trimInvisible(cell.text));
    if (format) {
      const reading = format.read(text);
      if (reading.kind !== 'other') return place(reading, text);
    }
    const iso = readIso(text);
    if (iso.kind !== 'other') return place(iso, text);
    if (format?.digitsOnly) return byFormat(text, format, place);
    const plain = number({ kind: 'text', text, raw: text });
    return plain.kind === 'value' || /^-?\d+$/.test(text) ? plain : noDate(text, format);
  });
}

function byFormat(
  text: string,
  format: DateFormat,
  place: (reading: IsoReading, text: string) => Converted,
): Converted {
  const reading = format.read(text);
  return reading.kind === 'other' ? noDate(text, format) : place(reading, text);
}

function noDate(text: string, format: DateFormat | undefined): Converted {
  return fault(
    format
      ? message('mapping.not_date_format', { text: excerpt(text), format: format.source })
      : message('mapping.not_date', { text: excerpt(text) }),
  );
}

function placed(reading: IsoReading, text: string, { zone, unit, end }: DateOptions): Converted {
  if (reading.kind === 'other' || reading.kind === 'impossible') {
    return fault(message('mapping.no_such_date', { text: excerpt(text) }));
  }
  const count = (ms: number): Converted => value(unit === 'seconds' ? Math.floor(ms / 1000) : ms);
  if (reading.kind === 'instant' && end === undefined) return count(reading.ms);
  const local = reading.kind === 'instant' ? zone.local(reading.ms) : reading.local;
  let instant: Instant;
  if (end === 'day') instant = zone.afterDay(local);
  else if (reading.kind === 'local' && reading.timed) instant = zone.instant(local);
  else instant = zone.startOfDay(local);
  if (instant.kind === 'gap') {
    return fault(message('mapping.skipped_time', { text: excerpt(text), zone: zone.name }));
  }
  return count(end === 'day' ? instant.ms - 1 : instant.ms);
}
