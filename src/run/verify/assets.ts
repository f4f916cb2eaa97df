import { message } from '../../errors/message.js';
import type { Connection } from '../../model/connection.js';
import type { JsonObject } from '../../model/json.js';
import { type Finding, isRecent, SETTLED_MINUTES, stamp, type Timing } from './finding.js';
import type { AssetLookup } from './lookup.js';

/** The platform's clock and ours may differ by so much. */
const SLACK_MS = 5 * 60_000;

export interface AssetEvidence {
  /** All assets of the enterprise as the platform lists them (§2.6). */
  readonly records: readonly JsonObject[];
  /** Unit of `createTime` and `updateTime`. */
  readonly unit: Connection['timestamps'];
  /** Asset numbers that other orders of the run name too: that they were changed tells nothing of this one. */
  readonly shared: ReadonlySet<string>;
}

/** What the asset list tells about an order of a cloud licence type. Pure. */
export function judgeAssets(lookup: AssetLookup, evidence: AssetEvidence, timing: Timing): Finding {
  const changes = lastChanges(evidence);
  const there = lookup.numbers.filter((it) => changes.has(it));
  const time = stamp(timing.now);
  const count = lookup.numbers.length;
  if (there.length > 0 && there.length < count) {
    return { kind: 'left', reason: message('resolve.assets_partly', { found: there.length, count }) };
  }
  if (lookup.revokes) {
    if (there.length === 0) return settled('succeeded', message('resolve.assets_gone', { time, count }));
    return stillThere(lookup, changes, timing);
  }
  if (there.length > 0) return bought(lookup, changes, evidence.shared, timing);
  if (isRecent(timing)) return tooRecent();
  const params = { time, count, enterprise: lookup.enterpriseGlobalId };
  return settled('failed', message('resolve.assets_absent', params));
}

/** All are there: that they were made or changed since it was sent shows that the order did it. */
function bought(
  { numbers }: AssetLookup,
  changes: ReadonlyMap<string, number>,
  shared: ReadonlySet<string>,
  timing: Timing,
): Finding {
  const count = numbers.length;
  const own = numbers.filter((it) => !shared.has(it));
  if (own.length === 0) return { kind: 'left', reason: message('resolve.assets_shared', { count }) };
  const last = Math.max(...own.map((it) => changes.get(it) ?? Number.NEGATIVE_INFINITY));
  if (last < timing.firstAttemptAt - SLACK_MS) {
    return { kind: 'left', reason: message('resolve.assets_untouched', { count }) };
  }
  const params = { time: stamp(timing.now), count, changed: stamp(last) };
  return settled('succeeded', message('resolve.assets_there', params));
}

/** A revocation by source order may leave an asset that has products of others; it is changed then. */
function stillThere({ numbers }: AssetLookup, changes: ReadonlyMap<string, number>, timing: Timing): Finding {
  const count = numbers.length;
  const since = timing.firstAttemptAt - SLACK_MS;
  if (numbers.some((it) => (changes.get(it) ?? Number.NEGATIVE_INFINITY) >= since)) {
    return { kind: 'left', reason: message('resolve.assets_touched', { count }) };
  }
  if (isRecent(timing)) return tooRecent();
  return settled('failed', message('resolve.assets_stay', { time: stamp(timing.now), count }));
}

function tooRecent(): Finding {
  return { kind: 'left', reason: message('resolve.too_recent', { minutes: SETTLED_MINUTES }) };
}

function settled(status: 'succeeded' | 'failed', evidence: ReturnType<typeof message>): Finding {
  return { kind: 'settled', status, evidence };
}

/** When each listed asset was created or updated last, in milliseconds; long ago where the list doesn't say. */
function lastChanges({ records, unit }: AssetEvidence): ReadonlyMap<string, number> {
  const factor = unit === 'seconds' ? 1000 : 1;
  const changes = new Map<string, number>();
  for (const record of records) {
    const number = String(record.assetNum ?? '');
    const times = [record.createTime, record.updateTime].map((it) => time(it) * factor);
    changes.set(number, Math.max(changes.get(number) ?? Number.NEGATIVE_INFINITY, ...times));
  }
  return changes;
}

function time(value: JsonObject[string] | undefined): number {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && /^\d{1,16}$/.test(value)) return Number(value);
  return Number.NEGATIVE_INFINITY;
}
