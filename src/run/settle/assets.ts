import { message } from '../../errors/message.js';
import type { Connection } from '../../model/connection.js';
import type { JsonObject } from '../../model/json.js';
import type { AssetQuestion } from '../../model/verify-question.js';
import { zonedText } from '../../util/zoned-time.js';
import { assetThing, keyOf } from '../named-things.js';
import type { AttemptSpan } from './attempt-span.js';
import type { ItemEvidence } from './ledger-evidence.js';
import { madeByAttempt, type Proof } from './made-by-attempt.js';
import { leftUnknown, type Verification } from './verification.js';

/** What is known of an unknown item besides the platform's answer. */
export interface ItemFacts {
  readonly attempts: readonly AttemptSpan[];
  /** The unit of the connection's times. */
  readonly unit: Connection['timestamps'];
  /** The zone in which messages show times. */
  readonly timezone: string;
  readonly evidence: ItemEvidence;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What its enterprise's asset list (§2.6) proves about an order of a cloud licence type. Pure. */
export function judgeAssets(
  question: AssetQuestion,
  records: readonly JsonObject[],
  facts: ItemFacts,
): Verification {
  const { numbers, revokes, enterpriseGlobalId: enterprise } = question;
  const time = zonedText(facts.now, facts.timezone);
  const count = numbers.length;
  const wanted = new Set(numbers);
  const there = records.filter((it) => wanted.has(String(it.assetNum ?? '')));
  const found = new Set(there.map((it) => String(it.assetNum))).size;
  // A missing asset may have been revoked by anybody, and a present one may hold products of other orders.
  if (revokes)
    return leftUnknown(message('resolve.assets_of_revocation', { time, found, count, enterprise }));
  if (found === 0) return leftUnknown(message('resolve.assets_absent', { time, count, enterprise }));
  if (found < count) return leftUnknown(message('resolve.assets_partly', { time, found, count }));
  const things = there.map(({ assetNum, createTime }) => {
    const name = String(assetNum);
    return facts.evidence.thing(keyOf(assetThing(name)), name, createTime);
  });
  const proof = madeByAttempt(things, facts.attempts, facts.unit);
  return toVerification(proof, { time, count }, facts);
}

function toVerification(
  proof: Proof,
  asked: { readonly time: string; readonly count: number },
  { attempts, unit, timezone }: ItemFacts,
): Verification {
  switch (proof.kind) {
    case 'made': {
      const params = {
        ...asked,
        first: zonedText(proof.first, timezone),
        last: zonedText(proof.last, timezone),
      };
      return { kind: 'settled', evidence: message('resolve.assets_made', params) };
    }
    case 'named_too':
      return leftUnknown(
        message('resolve.assets_named_too', { ...asked, asset: proof.thing.name, ...proof.other }),
      );
    case 'there_before': {
      const { run, at } = proof.seen;
      const params = { ...asked, asset: proof.thing.name, run, seen: zonedText(at, timezone) };
      return leftUnknown(message('resolve.assets_there_before', params));
    }
    case 'other_unit': {
      const params = { ...asked, asset: proof.thing.name, value: proof.value, unit };
      return leftUnknown(message('resolve.assets_other_unit', params));
    }
    case 'made_elsewhen':
      return leftUnknown(
        message('resolve.assets_made_elsewhen', {
          ...asked,
          asset: proof.thing.name,
          made: zonedText(proof.made, timezone),
          ...underWay(attempts, timezone),
        }),
      );
    // The asset list always has times; if one is missing, the platform is at fault.
    case 'appeared':
      return leftUnknown(message('resolve.assets_time_untold', { ...asked, asset: '' }));
    case 'time_untold':
      return leftUnknown(message('resolve.assets_time_untold', { ...asked, asset: proof.thing.name }));
  }
}

/** From the first attempt's start to the last one's end, for messages. */
export function underWay(
  attempts: readonly AttemptSpan[],
  timezone: string,
): { readonly from: string; readonly to: string } {
  if (attempts.length === 0) return { from: '-', to: '-' };
  return {
    from: zonedText(Math.min(...attempts.map((it) => it.from)), timezone),
    to: zonedText(Math.max(...attempts.map((it) => it.to)), timezone),
  };
}
