import type { Connection } from '../../model/connection.js';
import type { JsonObject } from '../../model/json.js';
import { type AttemptSpan, within } from './attempt-span.js';

/** Another item of the ledger that had an effect, or may have had one. */
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

/** Something on the platform that an unknown item would have made: an asset or a customer. */
export interface NamedThing {
  readonly name: string;
  readonly createTime: JsonObject[string] | undefined;
  /** Other items that name it. */
  readonly others: readonly OtherItem[];
  /** It was there before the item was sent. */
  readonly seenBefore?: EarlierSight;
  /** It was looked for before the item was sent, and was not there. */
  readonly missedBefore?: EarlierSight;
}

/** Whether things are an attempt's doing, or the first reason why that can't be told. */
export type Proof =
  | { readonly kind: 'made'; readonly first: number; readonly last: number }
  | { readonly kind: 'appeared'; readonly since: EarlierSight }
  | { readonly kind: 'named_too'; readonly thing: NamedThing; readonly other: OtherItem }
  | { readonly kind: 'there_before'; readonly thing: NamedThing; readonly seen: EarlierSight }
  | { readonly kind: 'time_untold'; readonly thing: NamedThing }
  | { readonly kind: 'other_unit'; readonly thing: NamedThing; readonly value: string }
  | { readonly kind: 'made_elsewhen'; readonly thing: NamedThing; readonly made: number };

/**
 * That things are there doesn't show who made them: another order may have, or they were there all along. They are an
 * item's doing only if no other item names them, nothing was seen of them before, and they were made while one of its
 * attempts was under way. Whatever is less is no proof: an order told as succeeded that never was is never sent. Pure.
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
  // All by one attempt: each by another would be orders of their own.
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

/** Years that the platform's times may be of; in the other unit they would lie outside. */
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
