import { type Message, message } from '../../errors/message.js';
import type { JsonObject } from '../../model/json.js';
import type { CustomerQuestion } from '../../model/verify-question.js';
import { zonedText } from '../../util/zoned-time.js';
import { channelCustomer, keyOf } from '../named-things.js';
import { type ItemFacts, underWay } from './assets.js';
import { madeByAttempt, type Proof } from './made-by-attempt.js';
import { leftUnknown, type Verification } from './verification.js';

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
  const asked = { time: zonedText(facts.now, facts.timezone), customer, channel };
  const found = records.filter((it) => isAbout(it, question));
  if (found.length === 0) return leftUnknown(message('resolve.customer_absent', asked));
  const elsewhere = otherEnterprises(question, found);
  if (elsewhere !== undefined) {
    return leftUnknown(message('resolve.customer_elsewhere', { customer, channel, enterprises: elsewhere }));
  }
  const key = keyOf(channelCustomer(channel, customer));
  const things = found.map((it) => facts.evidence.thing(key, customer, it.createTime));
  const proof = madeByAttempt(things, facts.attempts, facts.unit);
  const params = { ...asked, ids: idsOf(found) };
  const finding =
    proof.kind === 'time_untold' && isBoundAsWanted(question, found)
      ? settledWith(message('resolve.customer_bound', { ...params, enterprise: question.enterpriseName }))
      : toVerification(proof, params, facts);
  return finding.kind === 'settled' ? { ...finding, columns: columnsOf(found) } : finding;
}

/** A record counts only if it names the right channel, or none. */
function isAbout(record: JsonObject, { channelCode, channelCustomerId }: CustomerQuestion): boolean {
  const channel = shown(record.channelCode);
  return shown(record.channelCustomerId) === channelCustomerId && (channel === '' || channel === channelCode);
}

function toVerification(
  proof: Proof,
  asked: { readonly time: string; readonly customer: string; readonly channel: string; readonly ids: string },
  { attempts, unit, timezone }: ItemFacts,
): Verification {
  switch (proof.kind) {
    case 'made': {
      return settledWith(
        message('resolve.customer_made', { ...asked, made: zonedText(proof.last, timezone) }),
      );
    }
    case 'appeared': {
      const { run, at } = proof.since;
      return settledWith(
        message('resolve.customer_appeared', { ...asked, run, before: zonedText(at, timezone) }),
      );
    }
    case 'named_too':
      return leftUnknown(message('resolve.customer_named_too', { ...asked, ...proof.other }));
    case 'there_before': {
      const { run, at } = proof.seen;
      return leftUnknown(
        message('resolve.customer_there_before', { ...asked, run, seen: zonedText(at, timezone) }),
      );
    }
    case 'time_untold':
      return leftUnknown(message('resolve.customer_time_untold', asked));
    case 'other_unit':
      return leftUnknown(message('resolve.customer_other_unit', { ...asked, value: proof.value, unit }));
    case 'made_elsewhen': {
      const params = { ...asked, made: zonedText(proof.made, timezone), ...underWay(attempts, timezone) };
      return leftUnknown(message('resolve.customer_made_elsewhen', params));
    }
  }
}

function settledWith(evidence: Message): Verification & { readonly kind: 'settled' } {
  return { kind: 'settled', evidence };
}

/** True when a record has exactly the main account that the row names. */
function isBoundAsWanted(
  { enterpriseName: wanted }: CustomerQuestion,
  found: readonly JsonObject[],
): boolean {
  return wanted !== '' && found.some((it) => shown(it.enterpriseName).trim() === wanted.trim());
}

/** The names of the main accounts that the customer is bound to, if the wanted one is not among them. */
function otherEnterprises(
  { enterpriseName: wanted }: CustomerQuestion,
  found: readonly JsonObject[],
): string | undefined {
  const names = found.map((it) => shown(it.enterpriseName).trim()).filter((it) => it !== '');
  if (wanted === '' || names.length === 0 || names.includes(wanted.trim())) return undefined;
  return [...new Set(names)].join(', ');
}

function idsOf(found: readonly JsonObject[]): string {
  const ids = found.map((it) => shown(it.customerId)).filter((it) => it !== '');
  return ids.length === 0 ? '-' : [...new Set(ids)].join(', ');
}

/** The distinct values of each column, as the report joins them. */
function columnsOf(records: readonly JsonObject[]): Readonly<Record<string, string>> {
  const columns: Record<string, string> = {};
  for (const name of COLUMNS) {
    const values = records.map((it) => shown(it[name])).filter((it) => it !== '');
    if (values.length > 0) columns[name] = [...new Set(values)].join(', ');
  }
  return columns;
}

function shown(value: JsonObject[string] | undefined): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return value === undefined || value === null ? '' : String(value);
}
