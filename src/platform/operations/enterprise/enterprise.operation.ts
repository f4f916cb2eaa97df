import { message } from '../../../errors/message.js';
import type { Comparison, RecordName } from '../../../model/comparison.js';
import { isObject, type Json } from '../../../model/json.js';
import { columnsOf, nameText, objectsOf, recordFields, recordName } from '../shared/records.js';
import { objectElements, textOf } from '../shared/rule-report.js';
import { singleOperation } from '../shared/single-operation.js';
import {
  BIND_ENDPOINT,
  CREATE_ENDPOINT,
  ENTERPRISE_CUSTOMER_FIELDS,
  MEMBER_FIELDS,
  QUERY_ENDPOINT,
  QUERY_FIELDS,
  UPDATE_ENDPOINT,
} from './enterprise.endpoint.js';

const COLUMNS = ['customerId', 'enterpriseGlobalId', 'enterpriseName', 'isDefault'];

export const ENTERPRISE_BIND = singleOperation({
  name: 'enterprise.bind',
  purpose: 'Creates customers and binds each to an enterprise main account',
  endpoint: BIND_ENDPOINT,
  repeatable: false,
  key: ['channelCode', 'channelCustomerId'],
  touches: (body) => [
    `customer ${textOf(body, 'channelCustomerId')}`,
    `enterprise ${textOf(body, 'enterpriseName')}`,
  ],
  reversal: { kind: 'none', reason: message('way_back.no_endpoint') },
  verifyBy: (body) => ({
    kind: 'customer',
    channelCode: textOf(body, 'channelCode'),
    channelCustomerId: textOf(body, 'channelCustomerId'),
    enterpriseName: textOf(body, 'enterpriseName'),
  }),
  namesAssets: [],
  resultColumns: COLUMNS,
  outcome: (reply) => ({
    status: 'succeeded',
    code: '0',
    columns: isObject(reply) ? columnsOf(reply, COLUMNS) : {},
  }),
});

export const ENTERPRISE_CREATE = singleOperation({
  name: 'enterprise.create',
  purpose: 'Creates enterprise main accounts with their administrators and employees',
  endpoint: CREATE_ENDPOINT,
  repeatable: false,
  key: ['crmCustomerId'],
  touches: (body) => [`customer ${textOf(body, 'crmCustomerId')}`],
  reversal: { kind: 'none', reason: message('way_back.no_endpoint') },
  namesAssets: [],
  resultColumns: ['enterpriseGlobalId', 'defaultType', 'memberCount'],
  records: MEMBER_FIELDS,
  // The reply repeats no key of the request. A main account has one default customer, so two requests whose replies
  // name the same default customer got one reply.
  gives: {
    ids: ({ columns }) =>
      columns?.enterpriseGlobalId === undefined || columns.defaultType === 'FALSE'
        ? []
        : [`enterprise ${columns.enterpriseGlobalId}`],
    acrossRuns: false,
  },
  outcome: (reply) => {
    if (!isObject(reply)) return { status: 'succeeded', code: '0' };
    const members = objectElements(reply, 'members', '').map((it) => it.value);
    return {
      status: 'succeeded',
      code: '0',
      columns: {
        ...columnsOf(reply, ['enterpriseGlobalId', 'defaultType']),
        memberCount: String(members.length),
      },
      records: members,
    };
  },
});

export const ENTERPRISE_QUERY = singleOperation({
  name: 'enterprise.query',
  purpose: 'Looks up the customers of enterprise main accounts',
  endpoint: QUERY_ENDPOINT,
  repeatable: true,
  key: undefined,
  reversal: { kind: 'none', reason: message('way_back.reads') },
  namesAssets: [],
  resultColumns: ['recordCount', ...COLUMNS],
  lists: 'customers',
  records: ENTERPRISE_CUSTOMER_FIELDS,
  outcome: (reply) => {
    const records = objectsOf(reply);
    const only = records.length === 1 ? records[0] : undefined;
    return {
      status: 'succeeded',
      code: '0',
      columns: { recordCount: String(records.length), ...(only ? columnsOf(only, COLUMNS) : {}) },
      records,
    };
  },
});

export const ENTERPRISE_UPDATE = singleOperation({
  name: 'enterprise.update',
  purpose: 'Changes names and addresses of enterprise customers',
  endpoint: UPDATE_ENDPOINT,
  repeatable: true,
  key: undefined,
  subject: 'crmCustomerId',
  reversal: { kind: 'none', reason: message('way_back.values_untold') },
  namesAssets: [],
  resultColumns: [],
  outcome: () => ({ status: 'succeeded', code: '0' }),
});

/** Customers of enterprise main accounts, by their number at the channel (§4.5, endpoint 3). */
export const ENTERPRISE: Comparison = {
  name: 'enterprise',
  purpose: 'Compares customers of enterprise main accounts with what the platform finds for them',
  sharedNames: true,
  inquiry: 'enterprise.query',
  key: QUERY_FIELDS.map((field) =>
    field.name === 'defaultCustomer' ? { ...field, required: false, default: 'N' } : field,
  ),
  record: recordFields(ENTERPRISE_CUSTOMER_FIELDS),
  request: ({ channelCode, channelCustomerId, defaultCustomer }) => ({
    channelCode: channelCode ?? '',
    channelCustomerId: channelCustomerId ?? '',
    defaultCustomer: defaultCustomer ?? 'N',
  }),
  names: ({ channelCode, channelCustomerId }) => {
    const name = customerName(channelCode, channelCustomerId);
    return name ? [name] : [];
  },
  nameOf: (record, request) =>
    customerName(
      nameText(record.channelCode) ?? request.channelCode,
      nameText(record.channelCustomerId) ?? request.channelCustomerId,
    ),
};

function customerName(channel: Json | undefined, customer: Json | undefined): RecordName | undefined {
  const [code, number] = [nameText(channel), nameText(customer)];
  return code === undefined || number === undefined ? undefined : recordName(number, code, number);
}
