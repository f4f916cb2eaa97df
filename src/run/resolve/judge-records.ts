import { type Message, message } from '../../errors/message.js';
import type { Connection } from '../../model/connection.js';
import type { JsonObject } from '../../model/json.js';
import type { AssetQuestion, CustomerQuestion } from '../../model/operation.js';
import { zonedText } from '../../util/zoned-time.js';
import { assetThing, channelCustomer, keyOf } from '../named-things.js';
import {
  type AttemptSpan,
  madeByAttempt,
  type Proof,
  staysUnknown,
  type Verification,
} from './created-by-attempt.js';
import type { ItemEvidence } from './ledger-evidence.js';

/** What is known of an unknown item besides the platform's reply. */
export interface ItemFacts {
  readonly attempts: readonly AttemptSpan[];
  /** Unit of the connection's times. */
  readonly unit: Connection['timestamps'];
  /** Time zone of times in messages. */
  readonly timezone: string;
  readonly evidence: ItemEvidence;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What the enterprise's asset list (§2.6) proves about an order of a cloud licence type. Pure. */
export function judgeAssets(
  question: AssetQuestion,
  records: readonly JsonObject[],
  facts: ItemFacts,
): Verification {
  const { numbers, revokes, enterpriseGlobalId: enterprise } = question;
  const time = zonedText(facts.now, facts.timezone);
  const count = numbers.length;
  const requested = new Set(numbers);
  const present = records.filter((record) => requested.has(String(record.assetNum ?? '')));
  const found = new Set(present.map((record) => String(record.assetNum))).size;
  // Anyone may have revoked a missing asset, and a present one may have products of other orders.
  if (revokes)
    return staysUnknown(message('resolve.assets_of_revocation', { time, found, count, enterprise }));
  if (found === 0) return staysUnknown(message('resolve.assets_absent', { time, count, enterprise }));
  if (found < count) return staysUnknown(message('resolve.assets_partly', { time, found, count }));
  const things = present.map(({ assetNum, createTime }) => {
    const name = String(assetNum);
    return facts.evidence.thing(keyOf(assetThing(name)), name, createTime);
  });
  const proof = madeByAttempt(things, facts.attempts, facts.unit);
  return verificationOfAssets(proof, { time, count }, facts);
}

function verificationOfAssets(
  proof: Proof,
  base: { readonly time: string; readonly count: number },
  { attempts, unit, timezone }: ItemFacts,
): Verification {
  switch (proof.kind) {
    case 'made': {
      const params = {
        ...base,
        first: zonedText(proof.first, timezone),
        last: zonedText(proof.last, timezone),
      };
      return { kind: 'resolved', evidence: message('resolve.assets_made', params) };
    }
    case 'named_too':
      return staysUnknown(
        message('resolve.assets_named_too', { ...base, asset: proof.thing.name, ...proof.other }),
      );
    case 'there_before': {
      const { run, at } = proof.seen;
      const params = { ...base, asset: proof.thing.name, run, seen: zonedText(at, timezone) };
      return staysUnknown(message('resolve.assets_there_before', params));
    }
    case 'other_unit': {
      const params = { ...base, asset: proof.thing.name, value: proof.value, unit };
      return staysUnknown(message('resolve.assets_other_unit', params));
    }
    case 'made_elsewhen':
      return staysUnknown(
        message('resolve.assets_made_elsewhen', {
          ...base,
          asset: proof.thing.name,
          made: zonedText(proof.made, timezone),
          ...attemptTimes(attempts, timezone),
        }),
      );
    // The asset list always has times. A missing time is an error of the platform.
    case 'appeared':
      return staysUnknown(message('resolve.assets_time_untold', { ...base, asset: '' }));
    case 'time_untold':
      return staysUnknown(message('resolve.assets_time_untold', { ...base, asset: proof.thing.name }));
  }
}

/** The time from the first attempt's start to the last one's end, for messages. */
export function attemptTimes(
  attempts: readonly AttemptSpan[],
  timezone: string,
): { readonly from: string; readonly to: string } {
  if (attempts.length === 0) return { from: '-', to: '-' };
  return {
    from: zonedText(Math.min(...attempts.map((attempt) => attempt.from)), timezone),
    to: zonedText(Math.max(...attempts.map((attempt) => attempt.to)), timezone),
  };
}

const COLUMNS = ['customerId', 'enterpriseGlobalId', 'enterpriseName', 'isDefault'] as const;

/**
 * What the customers of a channel customer id prove about a binding. Their records have no time (§2.1), so they prove
 * it only if this ledger never saw them before and they are bound to the main account that the row names. Pure.
 */
export function judgeCustomer(
  question: CustomerQuestion,
  records: readonly JsonObject[],
  facts: ItemFacts,
): Verification {
  const { channelCode: channel, channelCustomerId: customer } = question;
  const params = { time: zonedText(facts.now, facts.timezone), customer, channel };
  const found = records.filter((record) => concernsCustomer(record, question));
  if (found.length === 0) return staysUnknown(message('resolve.customer_absent', params));
  const elsewhere = otherEnterprises(question, found);
  if (elsewhere !== undefined)
    return staysUnknown(message('resolve.customer_elsewhere', { customer, channel, enterprises: elsewhere }));
  const key = keyOf(channelCustomer(channel, customer));
  const things = found.map((record) => facts.evidence.thing(key, customer, record.createTime));
  const proof = madeByAttempt(things, facts.attempts, facts.unit);
  const withIds = { ...params, ids: idsOf(found) };
  const finding =
    proof.kind === 'time_untold' && isBoundAsRequested(question, found)
      ? resolvedWith(message('resolve.customer_bound', { ...withIds, enterprise: question.enterpriseName }))
      : verificationOfCustomer(proof, withIds, facts);
  return finding.kind === 'resolved' ? { ...finding, columns: columnsOf(found) } : finding;
}

/** A record counts only if it names the right channel, or none. */
function concernsCustomer(record: JsonObject, { channelCode, channelCustomerId }: CustomerQuestion): boolean {
  const channel = shown(record.channelCode);
  return shown(record.channelCustomerId) === channelCustomerId && (channel === '' || channel === channelCode);
}

function verificationOfCustomer(
  proof: Proof,
  base: { readonly time: string; readonly customer: string; readonly channel: string; readonly ids: string },
  { attempts, unit, timezone }: ItemFacts,
): Verification {
  switch (proof.kind) {
    case 'made': {
      return resolvedWith(
        message('resolve.customer_made', { ...base, made: zonedText(proof.last, timezone) }),
      );
    }
    case 'appeared': {
      const { run, at } = proof.since;
      return resolvedWith(
        message('resolve.customer_appeared', { ...base, run, before: zonedText(at, timezone) }),
      );
    }
    case 'named_too':
      return staysUnknown(message('resolve.customer_named_too', { ...base, ...proof.other }));
    case 'there_before': {
      const { run, at } = proof.seen;
      return staysUnknown(
        message('resolve.customer_there_before', { ...base, run, seen: zonedText(at, timezone) }),
      );
    }
    case 'time_untold':
      return staysUnknown(message('resolve.customer_time_untold', base));
    case 'other_unit':
      return staysUnknown(message('resolve.customer_other_unit', { ...base, value: proof.value, unit }));
    case 'made_elsewhen': {
      const params = { ...base, made: zonedText(proof.made, timezone), ...attemptTimes(attempts, timezone) };
      return staysUnknown(message('resolve.customer_made_elsewhen', params));
    }
  }
}

function resolvedWith(evidence: Message): Verification & { readonly kind: 'resolved' } {
  return { kind: 'resolved', evidence };
}

/** True if a record has exactly the main account that the row names. */
function isBoundAsRequested(
  { enterpriseName: expected }: CustomerQuestion,
  found: readonly JsonObject[],
): boolean {
  return expected !== '' && found.some((record) => shown(record.enterpriseName).trim() === expected.trim());
}

/** The names of the main accounts that the customer is bound to, if the requested one is not among them. */
function otherEnterprises(
  { enterpriseName: expected }: CustomerQuestion,
  found: readonly JsonObject[],
): string | undefined {
  const names = found.map((record) => shown(record.enterpriseName).trim()).filter((name) => name !== '');
  if (expected === '' || names.length === 0 || names.includes(expected.trim())) return undefined;
  return [...new Set(names)].join(', ');
}

function idsOf(found: readonly JsonObject[]): string {
  const ids = found.map((record) => shown(record.customerId)).filter((id) => id !== '');
  return ids.length === 0 ? '-' : [...new Set(ids)].join(', ');
}

/** The distinct values of each column, as the report joins them. */
function columnsOf(records: readonly JsonObject[]): Readonly<Record<string, string>> {
  const columns: Record<string, string> = {};
  for (const name of COLUMNS) {
    const values = records.map((record) => shown(record[name])).filter((value) => value !== '');
    if (values.length > 0) columns[name] = [...new Set(values)].join(', ');
  }
  return columns;
}

function shown(value: JsonObject[string] | undefined): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return value === undefined || value === null ? '' : String(value);
}
