import type { Connection } from '../../model/connection.js';
import type { JsonObject } from '../../model/json.js';

/** Years that the platform's times may be of; in the other unit they would lie outside. */
const FIRST_MS = Date.UTC(1990, 0, 1);
const LAST_MS = Date.UTC(2200, 0, 1) - 1;

export type PlatformTime =
  | { readonly kind: 'told'; readonly ms: number }
  | { readonly kind: 'untold' }
  /** No time of these years in the connection's unit, such as seconds where milliseconds are expected. */
  | { readonly kind: 'other_unit'; readonly value: string };

/** A Long time of a record (§2.8 leaves its unit to the connection), in milliseconds since 1970. */
export function platformTime(
  value: JsonObject[string] | undefined,
  unit: Connection['timestamps'],
): PlatformTime {
  const text = typeof value === 'object' || typeof value === 'boolean' ? '' : String(value ?? '').trim();
  if (text === '' || text === '0') return { kind: 'untold' };
  const ms = /^\d{1,16}$/.test(text) ? Number(text) * (unit === 'seconds' ? 1000 : 1) : Number.NaN;
  return ms >= FIRST_MS && ms <= LAST_MS ? { kind: 'told', ms } : { kind: 'other_unit', value: text };
}
