import { message } from '../../errors/message.js';
import type { JsonObject } from '../../model/json.js';
import { type Finding, isRecent, SETTLED_MINUTES, stamp, type Timing } from './finding.js';
import type { CustomerLookup } from './lookup.js';

const COLUMNS = ['customerId', 'enterpriseGlobalId', 'enterpriseName', 'isDefault'] as const;

/** What the customers of a channel customer id tell about a binding. Pure. */
export function judgeCustomer(
  lookup: CustomerLookup,
  records: readonly JsonObject[],
  timing: Timing,
): Finding {
  const { channelCode: channel, channelCustomerId: customer } = lookup;
  const params = { time: stamp(timing.now), customer, channel };
  const found = records.filter((it) => String(it.channelCustomerId ?? '') === customer);
  const elsewhere = found.length > 0 ? otherEnterprises(lookup, found) : undefined;
  if (elsewhere !== undefined) {
    const reason = message('resolve.customer_elsewhere', { customer, channel, enterprises: elsewhere });
    return { kind: 'left', reason };
  }
  if (found.length > 0) {
    const evidence = message('resolve.customer_there', params);
    return { kind: 'settled', status: 'succeeded', evidence, columns: columnsOf(found) };
  }
  if (isRecent(timing)) {
    return { kind: 'left', reason: message('resolve.too_recent', { minutes: SETTLED_MINUTES }) };
  }
  return { kind: 'settled', status: 'failed', evidence: message('resolve.customer_absent', params) };
}

/** A customer may have been bound before, to another main account: names of those, where none is the wanted one. */
function otherEnterprises(
  { enterpriseName: wanted }: CustomerLookup,
  found: readonly JsonObject[],
): string | undefined {
  const names = found.map((it) => shown(it.enterpriseName).trim()).filter((it) => it !== '');
  if (wanted === '' || names.length === 0 || names.includes(wanted.trim())) return undefined;
  return [...new Set(names)].join(', ');
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
