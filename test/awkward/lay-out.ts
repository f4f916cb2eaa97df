import type { Random } from '../support/random.js';
import { clock, iso, isoDay, type Moment, packed, paddedSlashes, slashed } from './days.js';
import { type Column, type Laid, text, type Value } from './sheet.js';

/** How the dates of a column are written; all of these the contract reads. */
type DateStyle = 'cell' | 'slashed cell' | 'iso' | 'yyyy/M/d' | 'yyyy/MM/dd' | 'yyyyMMdd';

export interface ColumnStyle {
  readonly date: DateStyle;
  /** Digits alone are stored as a number, with zeros in front by the cell's format. */
  readonly numbers: boolean;
}

/** Picks how a column's cells are written, and writes into its map what it must know of that. */
export function columnStyle(column: Column, format: 'xlsx' | 'csv', random: Random): ColumnStyle {
  const inBooks: readonly DateStyle[] = ['cell', 'cell', 'slashed cell', 'iso', 'yyyy/M/d', 'yyyyMMdd'];
  const inText: readonly DateStyle[] = ['iso', 'iso', 'yyyy/M/d', 'yyyy/MM/dd', 'yyyyMMdd'];
  const date = random.pick(format === 'xlsx' ? inBooks : inText);
  if ((column.type === 'date' || column.type === 'end') && date.startsWith('yyyy')) column.format = date;
  return { date, numbers: format === 'xlsx' && random.chance(0.4) };
}

/** A value as a cell, written as its column is. */
export function layOut(value: Value, column: Column, style: ColumnStyle): Laid {
  if (typeof value === 'number') {
    return style.numbers || column.type === 'whole' ? number(value) : text(String(value));
  }
  if (isList(value)) return text(value.join(', '));
  if (typeof value !== 'string') return layDate(value, style.date);
  const shown = shownFor(column, value);
  if (!style.numbers || !isDigits(shown) || (column.type !== 'identifier' && column.type !== 'lock'))
    return text(shown);
  const format = shown.startsWith('0') ? '0'.repeat(shown.length) : undefined;
  return { kind: 'number', number: Number(shown), ...(format ? { format, shown } : {}) };
}

export function number(it: number): Laid {
  return { kind: 'number', number: it };
}

export function dateCell(moment: Moment, slashes = false): Laid {
  if (moment.seconds !== undefined) {
    const shown = `${isoDay(moment)} ${clock(moment)}`;
    return { kind: 'date', moment, format: 'yyyy-mm-dd hh:mm:ss', shown };
  }
  return slashes
    ? { kind: 'date', moment, format: 'yyyy/m/d', shown: slashed(moment) }
    : { kind: 'date', moment, format: 'yyyy-mm-dd', shown: isoDay(moment) };
}

function layDate(moment: Moment, style: DateStyle): Laid {
  switch (style) {
    case 'cell':
      return dateCell(moment);
    case 'slashed cell':
      return dateCell(moment, true);
    case 'iso':
      return text(iso(moment));
    case 'yyyy/M/d':
      return text(slashed(moment));
    case 'yyyy/MM/dd':
      return text(paddedSlashes(moment));
    case 'yyyyMMdd':
      return text(packed(moment));
  }
}

/** The word that people write for a value. */
export function shownFor(column: Column, value: string): string {
  if (!column.values) return value;
  return Object.entries(column.values).find(([, wire]) => wire === value)?.[0] ?? value;
}

export function isList(value: Value): value is readonly string[] {
  return Array.isArray(value);
}

export function isMoment(value: Value): value is Moment {
  return typeof value === 'object' && !isList(value);
}

const isDigits = (it: string): boolean => /^\d{1,15}$/.test(it);
