import type { Connection } from '../model/connection.js';
import type { Json } from '../model/json.js';
import { type Zone, zone } from '../util/zoned-time.js';
import { shownText, wholeOf } from './field-values.js';

/** What an expected time says no more than, and the instants that fit it: from `start` on, before `end`. */
interface Window {
  readonly precision: 'day' | 'minute' | 'second' | 'millisecond';
  readonly start: number;
  readonly end: number;
}

/** Characters of `2027-12-31 08:30:15.123` that each precision shows. */
const SHOWN = { day: 10, minute: 16, second: 19, millisecond: 23 } as const;
const MINUTE = 60_000;
const SECOND = 1000;
/** Days that both the calendar and four digits of a year know; beyond, a number is only a number. */
const FIRST_MS = Date.UTC(1000, 0, 1);
const LAST_MS = Date.UTC(9999, 11, 30);

/** Working out a zone's offsets is slow; those of one are remembered by it. */
const zones = new Map<string, Zone>();

/**
 * Compares points in time, counted in the connection's unit, at the precision of the expected one: one at the
 * first or the last instant of a local day says the day, one without seconds the minute, one without milliseconds the
 * second. undefined: they agree; else both in words.
 */
export function compareTimes(
  expected: Json,
  actual: Json | undefined,
  settings: Pick<Connection, 'timestamps' | 'timezone'>,
): { readonly expected: string; readonly actual: string } | undefined {
  const local = zoneNamed(settings.timezone);
  const [wanted, found] = [wholeOf(expected), wholeOf(actual)];
  if (wanted !== undefined && wanted === found) return undefined;
  const wantedMs = millisecondsOf(wanted, settings.timestamps);
  if (wantedMs === undefined) return { expected: shownText(expected), actual: shownText(actual) };
  const window = windowOf(wantedMs, local, settings.timestamps);
  const foundMs = millisecondsOf(found, settings.timestamps);
  const shown = timeText(wantedMs, local, window);
  if (foundMs === undefined)
    return { expected: shown, actual: found === undefined ? shownText(actual) : String(found) };
  if (foundMs >= window.start && foundMs < window.end) return undefined;
  const other = timeText(foundMs, local, window);
  // Clocks that are set back show one time twice.
  if (shown === other) return { expected: utcText(wantedMs), actual: utcText(foundMs) };
  return { expected: shown, actual: other };
}

function windowOf(ms: number, zone: Zone, unit: Connection['timestamps']): Window {
  const local = zone.local(ms);
  const [first, after] = [zone.startOfDay(local), zone.afterDay(local)];
  if (first.kind === 'instant' && after.kind === 'instant') {
    const last = after.ms - (unit === 'seconds' ? SECOND : 1);
    if (ms === first.ms || ms === last) return { precision: 'day', start: first.ms, end: after.ms };
  }
  if (local % MINUTE === 0) return { precision: 'minute', start: ms, end: ms + MINUTE };
  if (local % SECOND === 0) return { precision: 'second', start: ms, end: ms + SECOND };
  return { precision: 'millisecond', start: ms, end: ms + 1 };
}

function millisecondsOf(count: bigint | undefined, unit: Connection['timestamps']): number | undefined {
  if (count === undefined) return undefined;
  const ms = Number(count) * (unit === 'seconds' ? SECOND : 1);
  return ms >= FIRST_MS && ms < LAST_MS ? ms : undefined;
}

function timeText(ms: number, zone: Zone, { precision }: Window): string {
  return new Date(zone.local(ms)).toISOString().replace('T', ' ').slice(0, SHOWN[precision]);
}

function utcText(ms: number): string {
  return new Date(ms).toISOString();
}

function zoneNamed(name: string): Zone {
  const known = zones.get(name);
  if (known) return known;
  const made = zone(name);
  if (!made) throw new Error(`no time zone ${name}`);
  zones.set(name, made);
  return made;
}
