import type { Comparison, RecordName } from '../../../model/comparison.js';
import type { Json } from '../../../model/json.js';
import { ENTERPRISE_CUSTOMER_FIELDS } from '../enterprise/wire-customer.js';
import { nameText, recordFields, recordName } from '../shared/comparing.js';
import { QUERY_FIELDS } from './wire.js';

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
