import type { Cell } from '../../model/cell.js';

const DAY_MS = 86_400_000;
const EPOCH_MS = Date.UTC(1899, 11, 30);
/** Days between the 1900 and the 1904 system. */
const SHIFT_1904 = 1462;
/** Serials up to this one are one less, because Excel has a 29th of February 1900. */
const FALSE_LEAP_DAY = 60;

/**
 * The serial (1900 system) of a date or time cell, which must be read back as the same value. The stored serial is kept to
 * the last digit if it agrees with the date shown. Serials of the 1904 system are shifted, text dates converted.
 */
export function serialOf(cell: Cell): number {
  const stored = cell.raw.trim() === '' ? Number.NaN : Number(cell.raw);
  if (cell.kind !== 'date') return Number.isNaN(stored) ? clockSerial(cell.text) : stored;
  const shown = dateSerial(cell.text);
  for (const candidate of [stored, stored + SHIFT_1904]) {
    if (Math.abs(candidate - shown) * DAY_MS < 1000) return candidate;
  }
  return shown;
}

function dateSerial(text: string): number {
  const clock = text.indexOf('T');
  if (clock === -1) return daySerial(text);
  return daySerial(text.slice(0, clock)) + clockSerial(text.slice(clock + 1));
}

/** Cached days: a sheet has few distinct ones. */
const SERIALS = new Map<string, number>();
const SERIALS_KEPT = 10_000;

function daySerial(day: string): number {
  const known = SERIALS.get(day);
  if (known !== undefined) return known;
  const days = (Date.parse(`${day}T00:00:00Z`) - EPOCH_MS) / DAY_MS;
  const serial = day === '1900-02-29' ? FALSE_LEAP_DAY : days <= FALSE_LEAP_DAY ? days - 1 : days;
  if (SERIALS.size >= SERIALS_KEPT) SERIALS.clear();
  SERIALS.set(day, serial);
  return serial;
}

function clockSerial(text: string): number {
  const negative = text.startsWith('-');
  const [hours = '0', minutes = '0', seconds = '0'] = text.replace('-', '').split(':');
  const days = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) / 86_400;
  return negative ? -days : days;
}
