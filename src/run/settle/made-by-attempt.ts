import type { Connection } from '../../model/connection.js';
import type { JsonObject } from '../../model/json.js';
import { type AttemptSpan, within } from './attempt-span.js';

/** Another item in the ledger that had an effect, or may have had one. */
export interface OtherItem {
  readonly run: string;
  readonly row: number;
  readonly status: string;
}

/** What an earlier run of this ledger read on the platform. */
export interface EarlierSight {
  readonly run: string;
  /** When; milliseconds since 1970. */
  readonly at: number;
}

/** An asset or customer on the platform that the unknown item would have made. */
export interface NamedThing {
  readonly name: string;
  readonly createTime: JsonObject[string] | undefined;
  /** Other items that name it. */
  readonly others: readonly OtherItem[];
  /** It was there before the item was sent. */
  readonly seenBefore?: EarlierSight;
  /** It was looked up before the item was sent, and was not there. */
  readonly missedBefore?: EarlierSight;
}

/** Whether an attempt made them, or the first reason why that isn't certain. */
export type Proof =
  | { readonly kind: 'made'; readonly first: number; readonly last: number }
  | { readonly kind: 'appeared'; readonly since: EarlierSight }
  | { readonly kind: 'named_too'; readonly thing: NamedThing; readonly other: OtherItem }
  | { readonly kind: 'there_before'; readonly thing: NamedThing; readonly seen: EarlierSight }
  | { readonly kind: 'time_untold'; readonly thing: NamedThing }
  | { readonly kind: 'other_unit'; readonly thing: NamedThing; readonly value: string }
  | { readonly kind: 'made_elsewhen'; readonly thing: NamedThing; readonly made: number };

/**
 * Whether an item's attempts made the assets or customers that are there now. Being there proves nothing: another order
 * may have made them. They count as made only if no other item names them, they were not seen before, and their
 * creation time is within one attempt. Anything less is no proof, because an order wrongly counted as succeeded is
 * never sent. Pure.
 */
export function madeByAttempt(
  things: readonly NamedThing[],
  attempts: readonly AttemptSpan[],
  unit: Connection['timestamps'],
): Proof {
  for (const thing of things) {
    const [other] = thing.others;
    if (other) return { kind: 'named_too', thing, other };
  }
  for (const thing of things) {
    if (thing.seenBefore) return { kind: 'there_before', thing, seen: thing.seenBefore };
  }
  const made: number[] = [];
  let appeared: EarlierSight | undefined;
  for (const thing of things) {
    const time = platformTime(thing.createTime, unit);
    if (time.kind === 'other_unit') return { kind: 'other_unit', thing, value: time.value };
    if (time.kind === 'told') made.push(time.ms);
    else if (thing.missedBefore) appeared ??= thing.missedBefore;
    else return { kind: 'time_untold', thing };
  }
  // One attempt must have made all of them; made by several, they would be several orders.
  const together = attempts.some((it) => made.every((time) => within(it, time)));
  if (!together) {
    const at = things.findIndex((it) => {
      const time = platformTime(it.createTime, unit);
      return time.kind === 'told' && !attempts.some((attempt) => within(attempt, time.ms));
    });
    const thing = things[Math.max(0, at)]!;
    const time = platformTime(thing.createTime, unit);
    return { kind: 'made_elsewhen', thing, made: time.kind === 'told' ? time.ms : 0 };
  }
  if (appeared) return { kind: 'appeared', since: appeared };
  return { kind: 'made', first: Math.min(...made), last: Math.max(...made) };
}

/** The years that the platform's times may be in. Read in the wrong unit, a time would be outside. */
const FIRST_MS = Date.UTC(1990, 0, 1);
const LAST_MS = Date.UTC(2200, 0, 1) - 1;

type PlatformTime =
  | { readonly kind: 'told'; readonly ms: number }
  | { readonly kind: 'untold' }
  /** No time of these years in the connection's unit, such as seconds where milliseconds are expected. */
  | { readonly kind: 'other_unit'; readonly value: string };

/** A Long time of a record (§2.8 leaves its unit to the connection), in milliseconds since 1970. */
function platformTime(value: JsonObject[string] | undefined, unit: Connection['timestamps']): PlatformTime {
  const text = typeof value === 'object' || typeof value === 'boolean' ? '' : String(value ?? '').trim();
  if (text === '' || text === '0') return { kind: 'untold' };
  const ms = /^\d{1,16}$/.test(text) ? Number(text) * (unit === 'seconds' ? 1000 : 1) : Number.NaN;
  return ms >= FIRST_MS && ms <= LAST_MS ? { kind: 'told', ms } : { kind: 'other_unit', value: text };
}
