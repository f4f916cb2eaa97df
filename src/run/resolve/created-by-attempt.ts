import type { Message } from '../../errors/message.js';
import type { UnknownItem } from '../../ledger/contract/resolutions.js';
import { endedUnreported, TAKEN_OVER } from '../../ledger/rules/attempts.js';
import type { Connection } from '../../model/connection.js';
import type { JsonObject } from '../../model/json.js';

/** What the platform's reply proves about an item with an unknown outcome. */
export type Verification =
  | {
      readonly kind: 'resolved';
      readonly evidence: Message;
      /** Values for the operation's result columns. */
      readonly columns?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'left';
      readonly reason: Message;
      /** Why there was no reply, if that is the reason. */
      readonly detail?: Message | string;
      /** True if the platform replied, and the reason is what the reply showed. */
      readonly seen?: true;
    };

/** The item stays unknown: the platform's reply proves nothing. */
export function staysUnknown(reason: Message): Verification {
  return { kind: 'left', reason, seen: true };
}

/** The time from an attempt's start to its end, by this machine's clock; milliseconds since 1970. */
export interface AttemptSpan {
  readonly from: number;
  readonly to: number;
}

/** Maximum difference between the platform's clock and this machine's. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

/**
 * The spans of the attempts that may have had the effect. An attempt whose process died has no end, only the time of
 * detection, which may be days later; its end is the request's time limit.
 */
export function attemptSpans({ attempts }: Pick<UnknownItem, 'attempts'>, timeoutMs: number): AttemptSpan[] {
  return attempts.map(({ startedAt, endedAt, event }) => {
    const limit = startedAt + timeoutMs;
    // Its process may have been suspended and have sent it later.
    if (event === TAKEN_OVER && endedAt !== undefined) return { from: startedAt, to: endedAt + timeoutMs };
    const end = endedAt === undefined || endedUnreported(event) ? limit : endedAt;
    return { from: startedAt, to: Math.min(end, endedAt ?? limit) };
  });
}

/** True if the platform's time is within the attempt, allowing for the clock difference. */
function within(span: AttemptSpan, time: number): boolean {
  return time >= span.from - CLOCKS_DIFFER_MS && time <= span.to + CLOCKS_DIFFER_MS;
}

/** Another item in the ledger that had an effect, or may have had one. */
export interface OtherItem {
  readonly run: string;
  readonly row: number;
  readonly status: string;
}

/** What an earlier run of this ledger read from the platform. */
export interface EarlierSight {
  readonly run: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** An asset or customer on the platform that the unknown item would have created. */
export interface NamedThing {
  readonly name: string;
  readonly createTime: JsonObject[string] | undefined;
  /** Other items that name it. */
  readonly others: readonly OtherItem[];
  /** Set if it existed before the item was sent. */
  readonly seenBefore?: EarlierSight;
  /** Set if it was looked up before the item was sent and did not exist. */
  readonly missedBefore?: EarlierSight;
}

/** Whether an attempt created them, or the first reason why that is uncertain. */
export type Proof =
  | { readonly kind: 'made'; readonly first: number; readonly last: number }
  | { readonly kind: 'appeared'; readonly since: EarlierSight }
  | { readonly kind: 'named_too'; readonly thing: NamedThing; readonly other: OtherItem }
  | { readonly kind: 'there_before'; readonly thing: NamedThing; readonly seen: EarlierSight }
  | { readonly kind: 'time_untold'; readonly thing: NamedThing }
  | { readonly kind: 'other_unit'; readonly thing: NamedThing; readonly value: string }
  | { readonly kind: 'made_elsewhen'; readonly thing: NamedThing; readonly made: number };

/**
 * Whether an item's attempts created the present assets or customers. Presence proves nothing, because another order
 * may have created them. Proof requires that no other item names them, that they were not seen before, and that their
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
    if (time.kind === 'known') made.push(time.ms);
    else if (thing.missedBefore) appeared ??= thing.missedBefore;
    else return { kind: 'time_untold', thing };
  }
  // One attempt must have created all of them; by several attempts they would be several orders.
  const together = attempts.some((attempt) => made.every((time) => within(attempt, time)));
  if (!together) {
    const index = things.findIndex((thing) => {
      const time = platformTime(thing.createTime, unit);
      return time.kind === 'known' && !attempts.some((attempt) => within(attempt, time.ms));
    });
    const thing = things[Math.max(0, index)]!;
    const time = platformTime(thing.createTime, unit);
    return { kind: 'made_elsewhen', thing, made: time.kind === 'known' ? time.ms : 0 };
  }
  if (appeared) return { kind: 'appeared', since: appeared };
  return { kind: 'made', first: Math.min(...made), last: Math.max(...made) };
}

/** Years that the platform's times may be in. A time read in the wrong unit is outside. */
const FIRST_MS = Date.UTC(1990, 0, 1);
const LAST_MS = Date.UTC(2200, 0, 1) - 1;

type PlatformTime =
  | { readonly kind: 'known'; readonly ms: number }
  | { readonly kind: 'missing' }
  /** Outside these years in the connection's unit, such as seconds if milliseconds are expected. */
  | { readonly kind: 'other_unit'; readonly value: string };

/** A Long time of a record (§2.8 leaves its unit to the connection), in milliseconds since 1970. */
function platformTime(value: JsonObject[string] | undefined, unit: Connection['timestamps']): PlatformTime {
  const text = typeof value === 'object' || typeof value === 'boolean' ? '' : String(value ?? '').trim();
  if (text === '' || text === '0') return { kind: 'missing' };
  const ms = /^\d{1,16}$/.test(text) ? Number(text) * (unit === 'seconds' ? 1000 : 1) : Number.NaN;
  return ms >= FIRST_MS && ms <= LAST_MS ? { kind: 'known', ms } : { kind: 'other_unit', value: text };
}
